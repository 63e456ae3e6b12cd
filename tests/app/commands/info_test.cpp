// `sinew info` on real files: the figures are those of MANIFEST.md and of the format specifications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "child.h"
#include "merged_level.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

Json info_json(const std::string& file) {
  const Folder folder;
  const Outcome outcome = sinew({"info", file, "--json", folder.path("info.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return Json::parse(read(folder.path("info.json")));
}

class Info : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT(shared("models")); }
};

TEST_F(Info, ReportsTheFoxCompletely) {
  const Json fox = info_json(shared("models/khronos/Fox.glb"));
  EXPECT_EQ(fox["schema"], 1);
  EXPECT_EQ(fox["mesh"]["triangles"], 576);
  EXPECT_EQ(fox["mesh"]["skinned_vertices"], fox["mesh"]["vertices"]);
  EXPECT_EQ(fox["joints"].size(), 24u);
  EXPECT_GT(fox["palette_size"], 0);
  EXPECT_LE(fox["palette_size"], 24);  // a joint without influences needs no palette entry
  ASSERT_EQ(fox["clips"].size(), 3u);
  EXPECT_EQ(fox["clips"][1]["name"], "Walk");
  EXPECT_NEAR(fox["clips"][1]["duration_seconds"].get<double>(), 0.7083333, 1e-5);
  EXPECT_EQ(fox["images"].size(), 1u);
  EXPECT_GT(fox["images"][0]["width"], 0);
  EXPECT_EQ(fox["materials"][0]["image"], 0);
  EXPECT_EQ(fox["import"]["normalised_vertices"].is_number(), true);
}

TEST(InfoSurface, ListsColorsAlphaAndSides) {
  const Folder folder;
  const std::string obj = folder.path("glass.obj");
  write(folder.path("glass.mtl"), "newmtl glass\nd 0.5\n");
  write(obj, "mtllib glass.mtl\nv 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nusemtl glass\nf 1 2 3\n");
  const Json info = info_json(obj);
  EXPECT_EQ(info["mesh"]["colors"], true);
  EXPECT_EQ(info["materials"][1]["alpha_mode"], "blend");
  EXPECT_EQ(info["materials"][1]["alpha_cutoff"], 0.5);
  EXPECT_EQ(info["materials"][1]["double_sided"], true);
  const std::string text = sinew({"info", obj}).out;
  EXPECT_THAT(text, HasSubstr("colors      one a vertex\n"));
  EXPECT_THAT(text, HasSubstr(", blend, double-sided  \"glass\""));
}

TEST_F(Info, ClipsMayStartAfterZero) {
  const Json clip = info_json(shared("models/cesium/CesiumMan.glb"))["clips"][0];
  EXPECT_NEAR(clip["start_seconds"].get<double>(), 0.0416667, 1e-5);
  EXPECT_NEAR(clip["end_seconds"].get<double>(), 2, 1e-5);
}

TEST_F(Info, VertexCountsAddUp) {
  for (const char* path : {"models/kaykit/Knight.glb", "models/quaternius/Trex.fbx", "models/kenney/character.glb"}) {
    const Json info = info_json(shared(path));
    const Json& mesh = info["mesh"];
    uint64_t in_parts = 0, by_influences = 0;
    for (const Json& part : mesh["parts"]) in_parts += part["vertices"].get<uint64_t>();
    for (const Json& count : mesh["vertices_by_influences"]) by_influences += count.get<uint64_t>();
    const uint64_t vertices = mesh["vertices"];
    EXPECT_GT(vertices, 0u) << path;
    EXPECT_EQ(in_parts, vertices) << path;
    EXPECT_EQ(by_influences, vertices) << path;
    EXPECT_EQ(mesh["static_vertices"].get<uint64_t>() + mesh["rigid_vertices"].get<uint64_t>() +
                  mesh["skinned_vertices"].get<uint64_t>(),
              vertices)
        << path;
    EXPECT_EQ(mesh["vertices_by_influences"].size(), mesh["max_influences"].get<size_t>() + 1) << path;
    for (size_t joint = 0; joint < info["joints"].size(); ++joint) {
      EXPECT_LT(info["joints"][joint]["parent"].get<int>(), int(joint)) << path;
    }
  }
}

TEST_F(Info, ClipsAndInfluencesMatchTheManifest) {
  struct Row {
    const char* path;
    size_t clips;
    uint32_t max_influences;  // 0: not in the manifest
  };
  for (const Row& row : {Row{"models/quaternius/Trex.fbx", 6, 7}, Row{"models/quaternius/Male_Casual.fbx", 11, 5},
                         Row{"models/kaykit/Knight.glb", 76, 0}, Row{"models/cesium/CesiumMan.glb", 1, 0},
                         Row{"models/kenney/character.glb", 4, 1}}) {
    const Json info = info_json(shared(row.path));
    EXPECT_EQ(info["clips"].size(), row.clips) << row.path;
    if (row.max_influences) {
      EXPECT_EQ(info["mesh"]["max_influences"], row.max_influences) << row.path;
    }
  }
}

TEST_F(Info, RepairsAndWarningsAreReported) {
  const std::string skeleton = shared("models/quaternius/Skeleton.fbx");  // weight sums to 2.0
  EXPECT_GT(info_json(skeleton)["import"]["normalised_vertices"], 0);
  EXPECT_THAT(sinew({"info", skeleton}).out, HasSubstr("normalized"));
  const std::string robot = shared("models/kenney/character.glb");  // its texture file is missing
  EXPECT_GE(info_json(robot)["import"]["warnings"].size(), 1u);
  EXPECT_THAT(sinew({"info", robot}).out, HasSubstr("warning"));
}

TEST_F(Info, TextListsMeshJointsClipsAndMaterials) {
  const std::string fox = shared("models/khronos/Fox.glb");
  const Outcome outcome = sinew({"info", fox});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* words : {"up +y", "1,728 vertices", "576 triangles", "joints      24", "\"Survey\"", "\"Run\"",
                            "influences", "materials   1", "images      1"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("b_Neck_04")));
  EXPECT_THAT(sinew({"info", fox, "--joints"}).out, HasSubstr("b_Neck_04"));
}

/// Writes a glTF file without a mesh: two joints and a clip of one second. Returns its path.
std::string write_clip_file(const Folder& folder) {
  const std::string path = folder.path("walk.gltf");
  write(path, R"({"asset": {"version": "2.0"},
    "nodes": [{"name": "hip", "children": [1]}, {"name": "knee"}],
    "buffers": [{"byteLength": 32, "uri": "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AACAPwAAgD8="}],
    "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
    "animations": [{"name": "walk", "samplers": [{"input": 0, "output": 1}], "channels": [
      {"sampler": 0, "target": {"node": 0, "path": "translation"}},
      {"sampler": 0, "target": {"node": 1, "path": "translation"}}]}]})");
  return path;
}

TEST(ClipFile, InfoPrintsJointsAndClips) {
  const Folder folder;
  const std::string path = write_clip_file(folder);
  for (const char* isolate : {"on", "off"}) {
    const Outcome outcome = sinew({"info", path, "--joints", "--isolate", isolate});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* words : {"mesh        none", "--animation", "joints      2", "hip", "knee", "clips       1",
                              "1.000 s, from 0.000 to 1.000,   2 joints  \"walk\""}) {
      EXPECT_THAT(outcome.out, HasSubstr(words)) << isolate;
    }
    EXPECT_THAT(outcome.out, Not(HasSubstr("influences")));
  }
  const Json info = info_json(path);
  EXPECT_EQ(info["joints"].size(), 2u);
  EXPECT_EQ(info["clips"][0]["duration_seconds"], 1);
  EXPECT_EQ(info["mesh"]["vertices"], 0);
}

TEST(ClipFile, InfoPrintsMarkers) {
  const Folder folder;
  ImportOptions allowed;
  allowed.allow_no_mesh = true;
  Character character = load_character(write_clip_file(folder), allowed).value();
  character.clips[0].markers = {{0.25f, "left foot down"}, {1, "h\"op"}};
  const std::string path = folder.path("walk.sinew");
  ASSERT_TRUE(write_character_file(path, {std::move(character), {}, {}}));
  const Outcome outcome = sinew({"info", path});
  EXPECT_THAT(outcome.out, HasSubstr("\"walk\", 2 markers: \"left foot down\" 0.250 s, "));
  const Json markers = info_json(path)["clips"][0]["markers"];
  ASSERT_EQ(markers.size(), 2u);
  EXPECT_EQ(markers[0]["name"], "left foot down");
  EXPECT_EQ(markers[1]["time_seconds"], 1);
}

TEST(ClipFile, OtherCommandsSuggestTheAnimationOption) {
  const Folder folder;
  const std::string path = write_clip_file(folder);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"bake", path, "--output", folder.path("a.sinew")},
        {"pose", path, "--output", folder.path("a.ply")},
        {"pose", path, "--output", folder.path("a.ply"), "--isolate", "off"}}) {
    const Outcome outcome = sinew(command);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.err, "sinew: cannot read '" + path +
                               "': it has no mesh; its clip can move another file's mesh (--animation)\n");
  }
  EXPECT_THAT(folder.files(), ::testing::ElementsAre("walk.gltf"));
}

/// The built-in character with two hand-made levels, the second with a palette of its own.
Model model_with_levels() {
  const auto model =
      load_model(SINEW_SOURCE_DIR "/assets/character.glb", {.levels = {.triangle_shares = {}, .small_levels = false}});
  EXPECT_TRUE(model) << model.error().message;
  return with_merged_level(**model);
}

TEST(InfoLevels, OfAFileAreListed) {
  const Folder folder;
  const Model model = model_with_levels();
  const std::string file = folder.path("levels.sinew");
  ASSERT_TRUE(write_model_file(file, model));
  const Json levels = info_json(file)["levels"];
  ASSERT_EQ(levels.size(), 3u);
  for (uint32_t level = 0; level < 3; ++level) {
    EXPECT_EQ(levels[level]["triangles"], model.mesh(level).indices.size() / 3) << level;
    EXPECT_EQ(levels[level]["vertices"], model.mesh(level).positions.size()) << level;
    EXPECT_EQ(levels[level]["joints"], model.skin(level).entries.size()) << level;
  }
  EXPECT_LT(levels[2]["joints"], levels[1]["joints"]);
  EXPECT_EQ(levels[0]["error_mm"], 0);
  EXPECT_TRUE(levels[0]["below_pixels"].is_null()) << "the finest level has no error";
  for (uint32_t level : {1u, 2u}) {  // the file is in meters; raised arms count
    const double error_mm = levels[level]["error_mm"], below_pixels = levels[level]["below_pixels"];
    EXPECT_NEAR(error_mm, double(model.levels[level - 1].error) * 1e3, 1e-3) << level;
    EXPECT_NEAR(below_pixels * error_mm / 1e3, 1.85, 0.15) << "the error is a pixel of a figure of this height";
  }
  const std::string text = sinew({"info", file}).out;
  EXPECT_THAT(text, HasSubstr("levels      3; a coarser one replaces a finer one below 90 % of its height"));
  EXPECT_THAT(text, HasSubstr("triangles vertices joints influences parts error mm below pixels\n"));
}

TEST(InfoLevels, AreMadeOnRequestOnly) {
  const Folder folder;
  const std::string obj = folder.path("plate.obj");
  std::string plate;
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 9; ++x) plate += "v " + std::to_string(x) + " " + std::to_string(y) + " 0\n";
  }
  for (int y = 0; y < 8; ++y) {
    for (int i = 9 * y + 1; i < 9 * y + 9; ++i)
      plate += "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 10) + " " +
               std::to_string(i + 9) + "\n";
  }
  write(obj, plate);
  EXPECT_TRUE(info_json(obj)["levels"].is_null());
  EXPECT_THAT(sinew({"info", obj}).out, Not(HasSubstr("below pixels")));
  const Environment cache = {{"XDG_CACHE_HOME", folder.path("cache")}};
  const Outcome made = sinew({"info", obj, "--levels", "--json", folder.path("info.json")}, cache);
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.err, "") << "progress is for terminals";
  EXPECT_THAT(made.out, HasSubstr("below pixels"));
  const Json levels = Json::parse(read(folder.path("info.json")))["levels"];
  ASSERT_GT(levels.size(), 1u);
  EXPECT_EQ(levels[0]["triangles"], 128);
  EXPECT_LT(levels.back()["triangles"], 64) << "a plate is flat";
}

TEST(InfoLevels, NeedAMesh) {
  const Folder folder;
  const std::string path = write_clip_file(folder);
  const Outcome outcome = sinew({"info", path, "--levels"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "sinew: " + path + ": has no triangles to draw\n");
}

TEST_F(Info, ClipsOfAnotherFileAreAdded) {
  const std::string man = shared("models/raylib/greenman.glb");
  const Folder folder;
  const Outcome outcome = sinew({"info", man, "--animation", man, "--json", folder.path("info.json")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(read(folder.path("info.json")))["clips"].size(), 8u);
}

}  // namespace
}  // namespace sinew::test
