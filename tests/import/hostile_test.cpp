// Files that are legal but unusual, or malicious: import refuses a file with one line, or it gives a valid character
// whose vertices are finite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "gltf_file.h"
#include "posing.h"
#include "sinew/animation/bake.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

bool all_finite(const Posed& posed) {
  const auto finite = [](Vec3 v) { return is_finite(v); };
  return std::all_of(posed.positions.begin(), posed.positions.end(), finite) &&
         std::all_of(posed.normals.begin(), posed.normals.end(), finite);
}

/// The character is valid, its vertices are finite in the rest pose and in every clip, and its bake is valid.
void expect_sound(const Character& character) {
  EXPECT_TRUE(validate(character));
  EXPECT_TRUE(all_finite(pose(character)));
  for (size_t clip = 0; clip < character.clips.size(); ++clip) {
    const Clip& c = character.clips[clip];
    for (const float share : {-1.0f, 0.0f, 0.3f, 1.0f, 2.0f}) {
      EXPECT_TRUE(all_finite(pose(character, int(clip), c.start_seconds + share * c.duration_seconds()))) << share;
    }
  }
  const auto baked = bake(character);
  if (baked) {
    EXPECT_TRUE(validate(*baked));
    EXPECT_TRUE(validate(*baked, character));
  }
}

void animate(GltfFile& file, const std::vector<float>& times) {
  std::vector<float> values;
  for (size_t i = 0; i < times.size(); ++i) values.insert(values.end(), {float(i), 0, 1});
  file.add_channel(1, "translation", times, values);
}

void weigh(GltfFile& file, const std::vector<float>& weights) {
  primitive(file)["attributes"]["WEIGHTS_0"] = file.add_floats(weights, "VEC4");
}

/// Adds a chain of `count` nodes below the knee. Returns the last node.
int add_chain(GltfFile& file, int count) {
  int last = 2;
  for (int i = 0; i < count; ++i) {
    const int node = file.add_node({{"name", "n"}});
    file.json["nodes"][size_t(last)]["children"] = {node};
    last = node;
  }
  return last;
}

struct Odd {
  const char* name;
  std::function<void(GltfFile&)> apply;
  std::function<void(const Character&, const ImportReport&)> check;  // empty: no further checks
};

class OddGltfTest : public ::testing::TestWithParam<Odd> {};

TEST_P(OddGltfTest, LoadsAndStaysFinite) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  GetParam().apply(file);
  ImportReport report;
  const Result<Character> character = load_character(file.write(folder), {}, &report);
  ASSERT_TRUE(character) << character.error().message;
  expect_sound(*character);
  if (GetParam().check) GetParam().check(*character, report);
}

const auto kUnmoved = [](uint32_t count) {
  return [count](const Character&, const ImportReport& report) { EXPECT_EQ(report.unmoved_vertices, count); };
};

const Odd kOdds[] = {
    {"no_skin", [](GltfFile& f) { f.json["nodes"][3].erase("skin"), f.json.erase("skins"); },
     [](const Character& c, const ImportReport& r) {
       EXPECT_EQ(c.skeleton.joint_count(), 0u);
       EXPECT_EQ(r.static_vertices, 3u);
     }},
    {"no_clip", [](GltfFile&) {}, [](const Character& c, const ImportReport&) { EXPECT_TRUE(c.clips.empty()); }},
    {"weights_of_zero_sum",
     [](GltfFile& f) {
       weigh(f, {0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
     },
     kUnmoved(1)},
    {"weights_that_cancel",
     [](GltfFile& f) {
       weigh(f, {1, -1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
     },
     {}},
    {"negative_weights",
     [](GltfFile& f) {
       weigh(f, {-1, 0, 0, 0, -2, 0, 0, 0, 1, 0, 0, 0});
     },
     kUnmoved(2)},
    {"weights_not_a_number",
     [](GltfFile& f) {
       weigh(f, {NAN, 0, 0, 0, 1, NAN, 0, 0, 1, 0, 0, 0});
     },
     kUnmoved(1)},
    {"infinite_weights",
     [](GltfFile& f) {
       weigh(f, {INFINITY, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
     },
     kUnmoved(1)},
    {"enormous_weights",
     [](GltfFile& f) {
       weigh(f, {3e38f, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
     },
     {}},
    {"tiny_weights",
     [](GltfFile& f) {
       weigh(f, {1e-45f, 0, 0, 0, 1, 1e-45f, 0, 0, 1, 0, 0, 0});
     },
     {}},
    {"one_key", [](GltfFile& f) { animate(f, {0.5f}); },
     [](const Character& c, const ImportReport&) { EXPECT_EQ(c.clips[0].duration_seconds(), 0); }},
    {"no_key", [](GltfFile& f) { animate(f, {}); }, {}},
    {"no_channel",
     [](GltfFile& f) {
       animate(f, {0, 1}), f.json["animations"][0]["channels"] = Json::array();
     },
     {}},
    {"unsorted_times",
     [](GltfFile& f) {
       animate(f, {2, 0, 1});
     },
     [](const Character& c, const ImportReport&) { EXPECT_EQ(c.clips[0].end_seconds, 2); }},
    {"equal_times",
     [](GltfFile& f) {
       animate(f, {1, 1, 1, 2});
     },
     {}},
    {"times_not_a_number",
     [](GltfFile& f) {
       animate(f, {NAN, 0, INFINITY, 1});
     },
     [](const Character& c, const ImportReport& r) {
       EXPECT_EQ(c.clips[0].end_seconds, 1);
       EXPECT_THAT(r.warnings, Contains(HasSubstr("not finite")));
     }},
    {"all_times_not_a_number",
     [](GltfFile& f) {
       animate(f, {NAN, NAN});
     },
     {}},
    {"enormous_duration",
     [](GltfFile& f) {
       animate(f, {0, 3e38f});
     },
     {}},
    {"enormous_times_of_both_signs",
     [](GltfFile& f) {
       animate(f, {-1e38f, 1e38f});
     },
     {}},
    {"negative_times",
     [](GltfFile& f) {
       animate(f, {-2, -1});
     },
     {}},
    {"values_not_a_number",
     [](GltfFile& f) {
       f.add_channel(1, "translation", {0, 1}, {0, NAN, 0, 1, 1, 1});
     },
     {}},
    {"rotation_of_zero_length",
     [](GltfFile& f) {
       f.add_channel(1, "rotation", {0, 1}, {0, 0, 0, 0, 0, 0, 0, 5});
     },
     [](const Character&, const ImportReport& r) { EXPECT_EQ(r.normalized_rotation_keys, 2u); }},
    {"enormous_rotation",
     [](GltfFile& f) {
       f.add_channel(1, "rotation", {0, 1}, {3e38f, 0, 0, 3e38f, 0, 0, 0, 1});
     },
     {}},
    {"rest_rotation_of_zero_length",
     [](GltfFile& f) {
       f.json["nodes"][1]["rotation"] = {0, 0, 0, 0};
     },
     {}},
    {"zero_scale",
     [](GltfFile& f) {
       f.json["nodes"][1]["scale"] = {0, 0, 0};
     },
     {}},
    {"negative_scale",
     [](GltfFile& f) {
       f.json["nodes"][1]["scale"] = {-1, 2, 0.5};
     },
     {}},
    {"scale_through_zero",
     [](GltfFile& f) {
       f.add_channel(1, "scale", {0, 1}, {1, 1, 1, -1, 0, 2});
     },
     {}},
    {"singular_node_matrix", [](GltfFile& f) { f.json["nodes"][1]["matrix"] = std::vector<int>(16, 0); }, {}},
    {"singular_inverse_bind",
     [](GltfFile& f) { f.json["skins"][0]["inverseBindMatrices"] = f.add_floats(std::vector<float>(32, 0), "MAT4"); },
     {}},
    {"degenerate_triangles",
     [](GltfFile& f) {
       primitive(f)["indices"] = f.add_accessor<uint16_t>({0, 0, 0, 1, 1, 2, 0, 1, 2}, kUnsignedShort, "SCALAR");
     },
     {}},
    {"half_a_triangle",
     [](GltfFile& f) {
       primitive(f)["indices"] = f.add_accessor<uint16_t>({0, 1, 2, 0, 1}, kUnsignedShort, "SCALAR");
     },
     [](const Character&, const ImportReport& r) { EXPECT_EQ(r.triangles, 1u); }},
    {"morph_targets",
     [](GltfFile& f) {
       primitive(f)["targets"] = {{{"POSITION", 0}}};
     },
     [](const Character& c, const ImportReport&) { EXPECT_EQ(c.mesh.target_count(), 1u); }},
    {"clip_with_only_morph_weights",
     [](GltfFile& f) {
       animate(f, {0, 1});
       f.json["animations"][0]["channels"][0]["target"]["path"] = "weights";
     },
     {}},
    {"names_outside_ascii",
     [](GltfFile& f) { f.json["nodes"][1]["name"] = "\xE8\x85\xB0 h\xC3\xBC\x66te \xF0\x9F\xA6\xB4"; },
     [](const Character& c, const ImportReport&) { EXPECT_TRUE(find_joint(c.skeleton, "腰 hüfte 🦴")); }},
    {"a_thousand_joints",
     [](GltfFile& f) {
       f.json["skins"][0]["joints"] = {1, add_chain(f, 1000)};
     },
     [](const Character& c, const ImportReport&) { EXPECT_EQ(c.skeleton.joint_count(), 1002u); }},
};

std::string odd_name(const ::testing::TestParamInfo<Odd>& odd) { return odd.param.name; }

INSTANTIATE_TEST_SUITE_P(Odds, OddGltfTest, ::testing::ValuesIn(kOdds), odd_name);

Error refusal(const std::string& path) {
  const Result<Character> character = load_character(path);
  EXPECT_FALSE(character) << path << " was read";
  if (character) return {};
  EXPECT_THAT(character.error().message, HasSubstr("'" + path + "'"));
  EXPECT_THAT(character.error().message, Not(HasSubstr("\n")));
  EXPECT_LT(character.error().message.size(), 1000u);
  return character.error();
}

TEST(HostileGltfTest, SixtyThousandLevelsOfNodesAreRefused) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.json["skins"][0]["joints"] = {1, add_chain(file, 60000)};
  EXPECT_THAT(refusal(file.write(folder)).message, HasSubstr("more than 10000 deep"));
}

TEST(HostileGltfTest, SeventyThousandJointsLoad) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  Json& joints = file.json["skins"][0]["joints"];
  Json& below = file.json["nodes"][2]["children"];
  for (int i = 0; i < 70000; ++i) {
    file.json["nodes"].push_back({{"name", "n"}});
    joints.push_back(4 + i);
    below.push_back(4 + i);
  }
  file.json["skins"][0].erase("inverseBindMatrices");
  const Result<Character> character = load_character(file.write(folder));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->skeleton.joint_count(), 70002u);
  EXPECT_TRUE(all_finite(pose(*character)));
}

TEST(HostileGltfTest, MoreThan65536VerticesLoad) {
  const TemporaryFolder folder;
  GltfFile file;
  std::vector<float> positions;
  for (int i = 0; i < 3 * 70001; ++i) positions.push_back(float(i % 1000));
  file.add_node({{"mesh", 0}});
  Json attributes;
  attributes["POSITION"] = file.add_floats(positions, "VEC3");
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};
  const Result<Character> character = load_character(file.write(folder));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->mesh.vertex_count(), 70001u);
  EXPECT_EQ(character->mesh.indices[69998], 69998u);
}

TEST(HostileGltfTest, JsonThatNestsTooDeepIsRefusedBeforeParsing) {
  const TemporaryFolder folder;
  const std::string deep = "{\"asset\":{\"version\":\"2.0\"},\"extras\":" + std::string(200000, '[');
  EXPECT_THAT(refusal(folder.write("a.gltf", deep)).message, HasSubstr("nests more than 200 deep"));
  EXPECT_THAT(refusal(folder.write("b.gltf", deep + std::string(200000, ']') + "}")).message, HasSubstr("nests"));
  std::string binary = "glTF";
  for (const uint32_t number : {2u, uint32_t(20 + deep.size()), uint32_t(deep.size()), 0x4E4F534Au}) {
    binary.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }
  EXPECT_THAT(refusal(folder.write("c.glb", binary + deep)).message, HasSubstr("nests"));
}

TEST(HostileGltfTest, WeightsWithAnInfiniteSumAreRefused) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  weigh(file, {3e38f, 3e38f, 3e38f, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  EXPECT_THAT(refusal(file.write(folder)).message, HasSubstr("vertex 0"));
}

/// A PNG with damaged pixels, for which the decoder gives no reason.
TEST(HostileGltfTest, ImageThatCannotBeDecodedIsAWarning) {
  using namespace std::string_literals;
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0\0\0\0\0"s +
                          "\0\0\0\x0aIDAT\x78\x9c\xff\x89\xcb\x85\x4f\xc0\x90\x81\0\0\0\0\0\0\0\0IEND\0\0\0\0"s;
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  folder.write("a.png", png);
  file.json["images"] = {{{"uri", "a.png"}}};
  file.json["textures"] = {{{"source", 0}}};
  file.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}};
  primitive(file)["material"] = 0;
  ImportReport report;
  const std::string path = file.write(folder);
  // In a new thread: the decoder keeps the reason of an earlier failure for each thread.
  std::thread([&] { EXPECT_TRUE(load_character(path, {}, &report)); }).join();
  EXPECT_THAT(report.warnings, Contains(HasSubstr("cannot be decoded: it is malformed")));
}

TEST(HostileGltfTest, BracketsInStringsDoNotNest) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.json["asset"]["generator"] = "\\\"" + std::string(1000, '[') + std::string(1000, '{');
  EXPECT_TRUE(load_character(file.write(folder)));
}

TEST(HostileGltfTest, CoordinatesBeyondABillionAreRefused) {
  const TemporaryFolder folder;
  const auto moved_to = [&](float x) {
    GltfFile file = two_joints();
    primitive(file)["attributes"]["POSITION"] = file.add_floats({0, 0, 0, x, 0, 0, 0, 2, 0}, "VEC3");
    return file.write(folder);
  };
  for (const float x : {1.1e9f, -3e38f, INFINITY, NAN}) {
    const Error error = refusal(moved_to(x));
    EXPECT_EQ(error.code, ErrorCode::kInvalidData);
    EXPECT_THAT(error.message, HasSubstr(std::isfinite(x) ? "vertex 1 is not within 1e9 units of the origin"
                                                          : "vertex 1 is not finite"));
  }
  EXPECT_TRUE(load_character(moved_to(0.99e9f)));
}

TEST(HostileGltfTest, RestPosesBeyondABillionAreRefused) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.json["nodes"][2]["translation"] = {0, 2e9, 0};
  EXPECT_THAT(refusal(file.write(folder)).message, HasSubstr("at rest, vertex 2 is not within 1e9"));
  file.json["nodes"][2]["translation"] = {0, 0, 0};
  file.json["nodes"][1]["scale"] = {1e30, 1e30, 1e30};
  file.json["nodes"][2]["scale"] = {1e30, 1e30, 1e30};
  EXPECT_THAT(refusal(file.write(folder)).message, HasSubstr("at rest"));
}

TEST(HostileGltfTest, KeysBeyondABillionAreDroppedAndReported) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  file.add_channel(1, "translation", {0, 1, 2}, {0, 0, 0, 0, -3e38f, 0, 1, 1, 1});
  ImportReport report;
  const Result<Character> character = load_character(file.write(folder), {}, &report);
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->clips[0].tracks[0].translation.times_seconds, (std::vector<float>{0, 2}));
  EXPECT_THAT(report.warnings, Contains(HasSubstr("1 key not finite or beyond 1e9, dropped")));
}

TEST(HostileGltfTest, BuffersWithAWrongPathSizeOrEncodingAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const char* uri, uint64_t size) {
    GltfFile file = two_joints();
    file.json["buffers"] = {{{"byteLength", size}, {"uri", uri}}};
    return refusal(file.write(folder)).message;
  };
  EXPECT_THAT(refused("../../../../etc/passwd", 100), HasSubstr("../../../../etc/passwd"));
  EXPECT_THAT(refused("absent.bin", 100), HasSubstr("absent.bin"));
  EXPECT_THAT(refused("data:application/octet-stream;base64,AAAA", uint64_t(1) << 40), HasSubstr("cannot read"));
  refused("data:application/octet-stream;base64,????", 4);
  const std::string large = "data:application/octet-stream;base64," + std::string(3 << 20, '?');
  refused(large.c_str(), 4);
}

#ifndef _WIN32
TEST(HostileFileTest, DevicesAreRefused) {
  const TemporaryFolder folder;
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/full"}) {
    for (const char* name : {"a.glb", "a.fbx", "a.sinew"}) {
      const std::string path = folder.path(name);
      std::filesystem::remove(path);
      std::filesystem::create_symlink(device, path);
      EXPECT_THAT(refusal(path).message, HasSubstr("not a regular file")) << device;
    }
  }
}
#endif

TEST(HostileFileTest, PathsOutsideAsciiAreRead) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  const Result<Character> character = load_character(file.write(folder, "腰 hüfte 🦴 'quoted'.gltf"));
  ASSERT_TRUE(character) << character.error().message;
  EXPECT_EQ(character->name, "腰 hüfte 🦴 'quoted'");
}

TEST(HostileFileTest, TruncatedGlbIsRefused) {
  const TemporaryFolder folder;
  std::ifstream source(SINEW_SOURCE_DIR "/assets/character.glb", std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(source)), std::istreambuf_iterator<char>());
  for (size_t part = 0; part < 16; ++part) refusal(folder.write("a.glb", whole.substr(0, whole.size() * part / 16)));
}

TEST(HostileFileTest, GltfWithFlippedBitsIsRefusedOrGivesAValidCharacter) {
  const TemporaryFolder folder;
  GltfFile file = two_joints();
  animate(file, {0, 0.5f, 1});
  file.write(folder);
  const std::string whole = file.json.dump();
  std::mt19937 random(7);
  size_t loaded = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole;
    for (int flips = 1 + i % 3; flips > 0; --flips) text[random() % text.size()] ^= char(1 << random() % 7);
    const Result<Character> character = load_character(folder.write("a.gltf", text));
    if (!character) continue;
    ++loaded;
    EXPECT_TRUE(validate(*character));
  }
  EXPECT_GT(loaded, 100u);
}

TEST(HostileFileTest, FileWithOnlyPointsAndLinesIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\n");
  EXPECT_THAT(refusal(path).message, HasSubstr("no mesh"));
}

/// Ticks per second of 0 and below count as missing.
TEST(HostileFileTest, AnyTicksPerSecondGiveAValidClip) {
  const TemporaryFolder folder;
  for (const char* ticks : {"0", "-10", "2147483647"}) {
    const std::string text =
        std::string("xof 0303txt 0032\n") + "Frame arm { Mesh { 3; 0;0;0;, 1;0;0;, 0;1;0;; 1; 3;0,1,2;; } }\n" +
        "AnimTicksPerSecond { " + ticks + "; }\n" +
        "AnimationSet a { Animation { {arm} AnimationKey { 2; 2; 0;3;0.0,0.0,0.0;;, 20;3;5.0,0.0,0.0;;; } } }\n";
    const Result<Character> character = load_character(folder.write("a.x", text));
    ASSERT_TRUE(character) << character.error().message;
    EXPECT_GE(character->clips[0].duration_seconds(), 0);
    expect_sound(*character);
  }
}

}  // namespace
}  // namespace sinew::test
