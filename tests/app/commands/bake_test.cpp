// What `sinew bake` writes: the model that the library makes of the same file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "child.h"
#include "import/gltf_file.h"
#include "made_files.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

/// Runs `sinew bake` on `model`. Returns the path of its output.
std::string baked(const Folder& folder, const std::vector<std::string>& options = {},
                  const std::string& model = kCharacter) {
  const std::string path = folder.path("baked.sinew");
  std::vector<std::string> command{"bake", model, "--output", path};
  command.insert(command.end(), options.begin(), options.end());
  const Outcome outcome = sinew(command);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return path;
}

/// A model that the program and the library make of one file. `list`: what `--with` reads, as `options` has it.
struct Twin {
  const char* name;
  std::string file;
  const char* arguments = "";
  ModelOptions (*options)() = [] { return ModelOptions(); };
  const char* list = nullptr;
  ImportOptions import = {};
};

std::ostream& operator<<(std::ostream& out, const Twin& twin) { return out << twin.name; }

constexpr const char* kList = R"({
  "sockets": [{"name": "hand", "joint": "hand_r", "joint_from_socket": [0, -1, 0, 0.1, 1, 0, 0, 0, 0, 0, 1, 0.2]},
              {"name": "head", "joint": "head"}],
  "masks": [{"name": "arm", "joints": ["upper_arm_r"]}, {"name": "rest", "joints": ["upper_arm_r"], "inverted": true}],
  "wearables": [{"name": "guard", "choice": "hat", "from": "guard.md5mesh", "joint": "head",
                 "joint_from_wearable": [0.01, 0, 0, 0, 0, 0.01, 0, 0.3, 0, 0, 0.01, 0]}]})";

ModelOptions listed() {
  const auto guard = must(load_character(SINEW_SOURCE_DIR "/assets/guard.md5mesh"));
  ModelOptions options;
  options.sockets = {{"hand", "hand_r", {{{0, -1, 0, 0.1f}, {1, 0, 0, 0}, {0, 0, 1, 0.2f}}}}, {"head", "head"}};
  options.masks = {{"arm", {"upper_arm_r"}}, {"rest", {"upper_arm_r"}, true}};
  options.wearables = {{.name = "guard",
                        .choice = "hat",
                        .from = std::make_shared<Character>(guard),
                        .joint = "head",
                        .joint_from_wearable = {{{0.01f, 0, 0, 0}, {0, 0.01f, 0, 0.3f}, {0, 0, 0.01f, 0}}}}};
  return options;
}

ModelOptions of_every_option() {
  ModelOptions options{.convert_space = false, .size = 3, .bake = {5e-4f, 0.2f, 20, 60}};
  options.levels = {{0.6f, 0.2f}, 0.1f, false};
  options.wearables = {{"antenna", "", {"antenna"}}};
  return options;
}

const Twin kTwins[] = {
    {"Gltf", SINEW_SHARED_DIR "/models/kenney/character.glb"},
    {"FbxInCentimeters", SINEW_SHARED_DIR "/models/quaternius/Male_Casual.fbx"},
    {"SocketsMasksAndWearables", kCharacter, "", listed, kList},
    {"EveryOption",
     SINEW_SHARED_DIR "/models/kenney/character.glb",
     "--space file --size 3 --error 0.5 --reach 0.2 --min-rate 20 --max-rate 60 --level-shares 0.6,0.2 "
     "--level-error 0.1 --small-levels off --max-influences 2 --tangents --normal-map-tangents --images off",
     of_every_option,
     R"({"wearables": [{"name": "antenna", "parts": ["antenna"]}]})",
     {{}, 2, true, true, false}},
};

class BakedModel : public ::testing::TestWithParam<Twin> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(GetParam().file)) GTEST_SKIP() << "NO MODEL " << GetParam().file;
  }

  /// The path of what `sinew bake` writes.
  std::string bake() const {
    std::istringstream words(GetParam().arguments);
    std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};
    if (GetParam().list) {
      write(folder_.path("list.json"), GetParam().list);
      for (const char* name : {"guard.md5mesh", "guard.png"})
        std::filesystem::copy_file(SINEW_SOURCE_DIR "/assets/" + std::string(name), folder_.path(name));
      arguments.insert(arguments.end(), {"--with", folder_.path("list.json")});
    }
    return baked(folder_, arguments, GetParam().file);
  }

  std::string bytes_of(const Model& model) const {
    EXPECT_TRUE(write_model_file(folder_.path("model.sinew"), model));
    return read(folder_.path("model.sinew"));
  }

  Folder folder_;
};

/// The file has every member of a model: its bytes are those of the model that load_model() makes of the source, and of
/// the model that it loads. Bakes report their progress, and levels of detail are measured in parallel loops: neither
/// is called for what is loaded.
TEST_P(BakedModel, IsThatOfLoadModelAndIsLoadedAtOnce) {
  uint32_t calls = 0;
  ModelOptions options = GetParam().options();
  options.progress = {&calls, [](void* counted, double) { ++*static_cast<uint32_t*>(counted); }};
  options.parallel_for = {&calls, [](void* counted, uint32_t count, ParallelFor::Task task, void* data) {
                            ++*static_cast<uint32_t*>(counted);
                            for (uint32_t i = 0; i < count; ++i) task(data, i);
                          }};
  const auto made = must(load_model(GetParam().file, options, GetParam().import));
  EXPECT_GT(std::exchange(calls, 0u), 0u);
  const std::string path = bake();
  EXPECT_TRUE(read(path) == bytes_of(*made)) << "made by the library";
  const auto loaded = must(load_model(path, options));
  EXPECT_TRUE(read(path) == bytes_of(*loaded)) << "loaded";
  EXPECT_EQ(calls, 0u);
}

INSTANTIATE_TEST_SUITE_P(Files, BakedModel, ::testing::ValuesIn(kTwins),
                         [](const auto& twin) { return std::string(twin.param.name); });

/// As load_model() has them: the other commands always make them.
TEST(Bake, TangentsOfNormalMapsAreMadeIfAskedFor) {
  GltfFile gltf = two_joints();
  primitive(gltf)["attributes"]["TEXCOORD_0"] = gltf.add_floats({0, 0, 1, 0, 0, 1}, "VEC2");
  primitive(gltf)["material"] = 0;
  gltf.json["images"] = {{{"bufferView", gltf.add_view("P6 1 1 255\nabc")}, {"mimeType", "image/png"}}};
  gltf.json["textures"] = {{{"source", 0}}};
  gltf.json["materials"] = {{{"normalTexture", {{"index", 0}}}}};
  const TemporaryFolder source;
  const std::string path = gltf.write(source);
  const Folder folder;
  for (const bool asked : {false, true}) {
    const auto options = asked ? std::vector<std::string>{"--normal-map-tangents"} : std::vector<std::string>();
    const auto file = must(load_character_file(baked(folder, options, path)));
    EXPECT_EQ(file.character.mesh.tangents.size(), asked ? 3u : 0u);
    const auto model = must(load_model(path, {}, {{}, 0, false, asked}));
    EXPECT_EQ(model->character.mesh.tangents.size(), file.character.mesh.tangents.size());
  }
}

/// Each is one line that names the file and the item.
TEST(Bake, FaultsOfAListAreNamed) {
  const Folder folder;
  const std::string list = folder.path("list.json");
  const auto refusal = [&](const std::string& name) {
    const Outcome outcome = sinew({"bake", kCharacter, "--with", name, "--output", folder.path("a.sinew")});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  const std::pair<const char*, const char*> faults[] = {
      {"{", "it is not JSON"},
      {"[]", "it is not an object"},
      {R"({"socket": []})", "there is no field 'socket'; did you mean sockets?"},
      {R"({"masks": {}})", "'masks' is not a list"},
      {R"({"sockets": [{"name": "a", "joint": "head"}, 3]})", "sockets[1]: it is not an object"},
      {R"({"sockets": [{"name": "a"}]})", "sockets[0]: it has no 'joint'"},
      {R"({"sockets": [{"name": 1, "joint": "head"}]})", "sockets[0]: 'name' is not a text"},
      {R"({"sockets": [{"name": "a", "joint": "head", "joint_from_socket": [1, 2]}]})",
       "sockets[0]: 'joint_from_socket' is not a list of 12 numbers"},
      {R"({"masks": [{"name": "a", "joints": "head"}]})", "masks[0]: 'joints' is not a list of texts"},
      {R"({"masks": [{"name": "a", "joints": [], "inverted": 1}]})", "masks[0]: 'inverted' is not true or false"},
      {R"({"wearables": [{"name": "a", "from": "absent.glb"}]})", "absent.glb"},
      {R"({"wearables": [{"name": "a"}]})", "wearable 'a': it names neither parts nor another character"},
      {R"({"sockets": [{"name": "a", "joint": "antenna"}]})", "socket 'a': the character has no joint 'antenna'"}};
  for (const auto& [text, message] : faults) {
    write(list, text);
    EXPECT_THAT(refusal(list), HasSubstr(message)) << text;
  }
  EXPECT_THAT(refusal(folder.path("absent.json")), HasSubstr("absent.json': no such file"));
}

TEST(Bake, ABakeOfTheFileIsKeptUnlessItsOptionsAreGiven) {
  const Folder folder;
  const auto max_error = [&](const std::vector<std::string>& options) {
    make_character_file("small", folder.path("small.sinew"));
    std::filesystem::rename(baked(folder, {"--error", "5"}, folder.path("small.sinew")), folder.path("loose.sinew"));
    return load_character_file(baked(folder, options, folder.path("loose.sinew")))->baked->options.max_error;
  };
  EXPECT_FLOAT_EQ(max_error({}), 5e-3f);
  EXPECT_FLOAT_EQ(max_error({"--error", "0.1"}), 1e-4f);
}

TEST(Bake, ClipsAreAddedToAndFromSinewFiles) {
  const Folder folder;
  const std::string path = baked(folder, {"--plain"});
  for (const auto& [model, animation] : {std::pair(path, kCharacter), std::pair(kCharacter, path)}) {
    const std::string both = folder.path("both.sinew");
    const Outcome outcome = sinew({"bake", model, "--animation", animation, "--output", both, "--plain"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto file = must(load_character_file(both));
    EXPECT_FALSE(file.baked);
    const auto& clips = file.character.clips;
    ASSERT_EQ(clips.size(), 12u);
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(clips[i].name, clips[i + 6].name);
      EXPECT_EQ(clips[i].end_seconds, clips[i + 6].end_seconds);
      ASSERT_EQ(clips[i].tracks.size(), clips[i + 6].tracks.size());
      EXPECT_EQ(clips[i].tracks[5].rotation.times_seconds, clips[i + 6].tracks[5].rotation.times_seconds);
    }
  }
}

}  // namespace
}  // namespace sinew::test
