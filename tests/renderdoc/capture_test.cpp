// One frame without a window, captured by RenderDoc and replayed by its Python module: labels, buffer names, and the
// skinned vertices, compared with the CPU skinner on the captured palettes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <ostream>

#include "app/child.h"
#include "asset/larger_error.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skin.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr const char* kModel = SINEW_SOURCE_DIR "/assets/character.glb";

// The system's Python: Debian builds the renderdoc module for this one only.
constexpr const char* kPython = "/usr/bin/python3";

bool has_renderdoc() {
  return SINEW_HAS_RENDERDOC_HEADER && run({"renderdoccmd", "version"}).exit_code == 0 &&
         run({kPython, "-c", "import renderdoc"}).exit_code == 0;
}

/// The path of the capture file; empty if there is none.
std::string find_capture(const Folder& folder) {
  for (const std::string& name : folder.files()) {
    if (name.ends_with(".rdc")) return folder.path(name);
  }
  return "";
}

template <class Value>
std::vector<Value> read_values(const std::string& path) {
  const std::string bytes = read(path);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(static_cast<void*>(values.data()), bytes.data(), values.size() * sizeof(Value));
  return values;
}

/// The input and the output of one dispatch of the skinning kernel.
struct Skinning {
  std::vector<Matrix3x4> palettes;
  std::vector<SkinnedVertex> vertices;
};

Skinning read_skinning(const Folder& folder, const Json& dispatch) {
  return {read_values<Matrix3x4>(folder.path(dispatch.at("palettes").get<std::string>())),
          read_values<SkinnedVertex>(folder.path(dispatch.at("skinned").get<std::string>()))};
}

/// One chunk of the mesh, skinned for consecutive instances.
struct Job {
  uint32_t first_vertex = 0, vertex_count = 0, instance_count = 0;
  size_t first_matrix = 0, palette_stride = 0;        // in the palettes; from one instance to the next
  size_t first_output_vertex = 0, mesh_vertices = 0;  // in the output; from one instance to the next
};

Job read_job(const Json& json) {
  return {json.at("first_vertex"),
          json.at("chunk_vertices"),
          json.at("instance_count"),
          size_t(json.at("first_row")) / 3,
          size_t(json.at("palette_stride")) / 3,
          size_t(json.at("first_word")) / 4,
          json.at("mesh_vertices")};
}

/// Returns the largest distance between positions. `max_degrees` is for normals.
double expect_equal(std::span<const SkinnedVertex> vertices, std::span<const Vec3> positions,
                    std::span<const Vec3> normals, double diagonal, double max_degrees) {
  double max_distance = 0, max_radians = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    const auto& [x, y, z] = vertices[i].position;
    const Vec3 normal = decode_normal(vertices[i].normal);
    max_distance = sinew::internal::larger_error(max_distance, double(length(Vec3{x, y, z} - positions[i])));
    max_radians = sinew::internal::larger_error(
        max_radians, std::atan2(double(length(cross(normal, normals[i]))), double(dot(normal, normals[i]))));
  }
  EXPECT_LE(max_distance / diagonal, 1e-5);
  EXPECT_LE(max_radians * 180 / std::numbers::pi, max_degrees);
  return max_distance;
}

/// A captured run.
struct CaptureOptions {
  const char* name;
  const char* program = SINEW_PROGRAM;
  std::vector<std::string> arguments;
  Environment environment = {};
  uint32_t vertices = 5 * 5935;           // that are skinned
  bool triggered = false;                 // RenderDoc captures the first frame; else the program captures one
  std::vector<std::string> labels;        // in order, each after those around it, separated by " > "
  std::string title = {}, comments = {};  // comments: a line of them
  std::vector<std::string> features = {};
};

void PrintTo(const CaptureOptions& options, std::ostream* out) { *out << options.name; }

std::vector<std::string> crowd(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {"crowd",         kModel, "--characters",   "5",      "--frames",      "20",
                                        "--warmup",      "0",    "--size",         "160x90", "--cull",        "off",
                                        "--shadow-maps", "1",    "--depth-pass",   "on",     "--update-rate", "off",
                                        "--lod",         "off",  "--vertex-fetch", "input"};  // draws of single poses
                                                                                              // on any device
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Labels of the drawing inside a frame's label.
std::vector<std::string> drawing(const std::string& frame) {
  const std::string draw = frame + " > sinew draw 5 characters";
  return {draw, draw + " > shadow map 0: 5 draws", draw + " > ground and 5 soft shadows", draw + " > depth: 5 draws",
          draw + " > crowd: 5 draws"};
}

std::vector<std::string> operator+(std::vector<std::string> first, const std::vector<std::string>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

constexpr const char* kSkin = " > sinew > sinew skin 5 instances, 29675 vertices, 5 dispatches";

/// The first frame in one submission; the third in two, whose waits name earlier submissions; the first without
/// optional features; and an example, whose host knows nothing of RenderDoc.
std::vector<CaptureOptions> all_captures() {
  const std::vector<std::string> first = {"frame 1", "frame 1 > sinew", "frame 1 > sinew > sinew upload 1 mesh",
                                          std::string("frame 1") + kSkin};
  const std::string apart = "frame 3, skinning";
  const std::vector<std::string> features = {"drawIndirectFirstInstance", "fillModeNonSolid", "multiDrawIndirect",
                                             "timelineSemaphore"};
  const std::string title = "sinew crowd: 5 characters of character, compute skinning, frame ";
  return {
      {.name = "OneSubmission",
       .arguments = crowd({"--renderdoc-capture", "1"}),
       .labels = first + drawing("frame 1"),
       .title = title + "1",
       .comments = "skinning: compute, 16 bytes a vertex, 3 passes, async compute off\n",
       .features = features},
      {.name = "TwoSubmissions",
       .arguments = crowd({"--async-compute", "on", "--renderdoc-capture", "3", "--seed", "7"}),
       .labels = std::vector<std::string>{apart, apart + " > sinew", apart + kSkin, "frame 3, drawing"} +
                 drawing("frame 3, drawing"),
       .title = title + "3",
       .comments = "crowd: 5 characters of character, seed 7, scene time 0.0333333 s\n",
       .features = features},
      {.name = "NoOptionalFeatures",
       .arguments = crowd({"--renderdoc-capture", "1"}),
       .environment = {{"SINEW_FEATURES", "none"}},
       .labels = first + drawing("frame 1"),
       .title = title + "1",
       .comments = "evaluator: crowd\n",
       .features = {"timelineSemaphore"}},  // every device with Vulkan 1.2 has it
      {.name = "ExampleMinimal",
       .program = SINEW_EXAMPLE,
       .arguments = {kModel, "--headless", "picture.png", "--frames", "60", "--size", "160x90", "--characters", "1"},
       .vertices = 979,  // of the level of detail for so small a picture
       .triggered = true,
       .labels = {"frame 1", "frame 1 > sinew", "frame 1 > sinew > sinew upload 9 meshes",
                  "frame 1 > sinew > sinew skin 1 instance, 979 vertices, 5 dispatches, group 1", "frame 1 > draw"},
       .features = features},
  };
}

/// Each parameter is captured once for all tests.
class Capture : public ::testing::TestWithParam<CaptureOptions> {
 protected:
  static void capture(const CaptureOptions& options) {
    if (!has_device() || !has_renderdoc()) return;
    captured_ = options.name;
    folder_ = std::make_unique<Folder>();
    contents_ = {}, output_.clear();
    const std::string reader = SINEW_SOURCE_DIR "/tests/renderdoc/read_capture.py";
    std::vector<std::string> command = {
        kPython, reader, "--run", folder_->path(""), options.triggered ? "triggered" : "own", options.program};
    for (const std::string& word : options.arguments)
      command.push_back(word == "picture.png" ? folder_->path(word) : word);
    std::string path;
    for (int i = 0; i < 3 && path.empty(); ++i) {  // RenderDoc ends one start of about 50 at once, without a word
      const Outcome captured = run(command, options.environment);
      output_ += "exit code " + std::to_string(captured.exit_code) + "\n" + captured.out + captured.err;
      path = find_capture(*folder_);
    }
    if (path.empty()) return;
    const Outcome replayed = run({kPython, reader, path, folder_->path("")});
    output_ += replayed.out + replayed.err;
    cannot_replay_ = replayed.exit_code == 77;
    if (replayed.exit_code == 0) contents_ = Json::parse(read(folder_->path("contents.json")));
  }
  static void TearDownTestSuite() { folder_.reset(); }

  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
#ifdef __SANITIZE_ADDRESS__  // both want to be the first library that the program loads
    GTEST_SKIP() << "ADDRESS SANITIZER: RenderDoc cannot enter the program; no capture was tested";
#endif
    if (!*GetParam().program) GTEST_SKIP() << "NO EXAMPLE: its capture was not tested";
    if (captured_ != GetParam().name) capture(GetParam());
    if (!folder_)
      GTEST_SKIP() << "NO RENDERDOC (librenderdoc-dev, renderdoc, python3-renderdoc): no capture was tested here";
    if (cannot_replay_) GTEST_SKIP() << "NO REPLAY ON THIS DEVICE: no capture was tested here\n" << output_;
    ASSERT_FALSE(contents_.is_null()) << "nothing was captured, or it cannot be read:\n" << output_;
  }

  /// Labels in order, as CaptureOptions::labels.
  static std::vector<std::string> labels() {
    std::vector<std::string> found;
    for (const Json& action : contents_["actions"]) {
      if (action["kind"] != "label") continue;
      std::string path;
      for (const std::string outer : action["labels"]) path += outer + " > ";
      found.push_back(path + action["name"].get<std::string>());
    }
    return found;
  }

  static void expect_labels() { EXPECT_EQ(labels(), GetParam().labels); }

  static void expect_colors() {
    std::map<std::string, Json> colors;  // of the first word or two
    for (const Json& action : contents_["actions"]) {
      if (action["kind"] != "label") continue;
      const std::string name = action["name"];
      EXPECT_NE(action["color"], Json({0, 0, 0})) << name << " has no color";
      if (name.starts_with("sinew skin") || name.starts_with("sinew upload"))
        colors[name.substr(0, 8)] = action["color"];
      if (name.starts_with("crowd") || name.starts_with("depth")) colors[name.substr(0, 5)] = action["color"];
    }
    for (const auto& [name, color] : colors) {
      for (const auto& [other, other_color] : colors) {
        if (name != other) {
          EXPECT_NE(color, other_color) << name << ", " << other;
        }
      }
    }
  }

  static void expect_dispatches_and_draws_inside_labels() {
    bool dispatched = false, drawn = false;
    for (const Json& action : contents_["actions"]) {
      const std::string labels = action["labels"].dump();
      if (action["kind"] == "dispatch") {
        EXPECT_THAT(labels, HasSubstr("sinew skin"));
        dispatched = true;
      }
      if (action["kind"] == "draw") {
        EXPECT_THAT(labels, HasSubstr("draw"));
        drawn = true;
      }
    }
    EXPECT_TRUE(dispatched);
    EXPECT_TRUE(drawn);
  }

  /// RenderDoc keeps no names of command buffers. Instance and physical device have none: the program names what it
  /// creates with the device.
  static void expect_names() {
    std::vector<std::string> kinds;
    for (const Json& resource : contents_["resources"]) {
      const std::string name = resource["name"], kind = resource["kind"];
      const bool nameless = kind == "CommandBuffer" || name.starts_with("Instance ") || name.starts_with("Physical ");
      if (!nameless) {
        EXPECT_FALSE(resource["unnamed"]) << name;
      }
      kinds.push_back(kind);
    }
    for (const char* kind : {"Buffer", "Texture", "View", "Sampler", "Memory", "Shader", "PipelineState", "RenderPass",
                             "ShaderBinding", "Pool", "Sync", "Queue"}) {
      EXPECT_THAT(kinds, Contains(::testing::StartsWith(kind)));
    }
  }

  static void expect_library_buffers() {
    std::vector<std::string> names;
    for (const Json& resource : contents_["resources"]) names.push_back(resource["name"]);
    for (const char* name : {"sinew.palette[", "sinew.vertices[", "sinew.mesh[", "sinew.jobs["})
      EXPECT_THAT(names, Contains(::testing::StartsWith(name)));  // the number depends on the update group
  }

  static void expect_title_and_comments() {
    EXPECT_EQ(read(folder_->path("title")), GetParam().title);
    const std::string comments = contents_["comments"];
    EXPECT_THAT(comments, HasSubstr(GetParam().comments));
    if (GetParam().comments.empty()) return;
    for (const std::string& word : GetParam().arguments) EXPECT_THAT(comments, HasSubstr(word));
  }

  static void expect_no_more_than_vulkan_1_2() {
    const Json& device = contents_["device"];
    EXPECT_EQ(device["api"], "1.2");
    EXPECT_EQ(device["extensions"], Json::array());
    EXPECT_EQ(device["features"], Json(GetParam().features));
  }

  static inline std::string captured_;
  static inline std::unique_ptr<Folder> folder_;
  static inline Json contents_;
  static inline std::string output_;
  static inline bool cannot_replay_ = false;
};

INSTANTIATE_TEST_SUITE_P(Of, Capture, ::testing::ValuesIn(all_captures()),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// The level of detail with this number of vertices.
std::optional<uint32_t> level_of(const Model& model, uint32_t vertex_count) {
  for (uint32_t level = 0; level < model.level_count(); ++level) {
    if (model.mesh(level).vertex_count() == vertex_count) return level;
  }
  return {};
}

/// One test: each test of ctest captures again.
TEST_P(Capture, HasLabelsNamesTitleAndCommentsAndNeedsVulkan12Only) {
  expect_labels();
  expect_colors();
  expect_dispatches_and_draws_inside_labels();
  expect_names();
  expect_library_buffers();
  expect_title_and_comments();
  expect_no_more_than_vulkan_1_2();
}

TEST_P(Capture, SkinnedVerticesEqualTheCpuSkinner) {
  const Result<SharedModel> model = load_model(kModel, {.convert_space = GetParam().triggered});  // as the example
  ASSERT_TRUE(model);
  uint32_t compared = 0;
  double max_distance = 0;
  for (const Json& dispatch : contents_["skinning"]) {
    Skinning skinning = read_skinning(*folder_, dispatch);
    for (const Json& json : dispatch.at("jobs")) {
      const Job job = read_job(json);
      const std::optional<uint32_t> level = level_of(**model, job.mesh_vertices);
      ASSERT_TRUE(level) << job.mesh_vertices;
      const Mesh& mesh = (*model)->mesh(*level);
      std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
      for (uint32_t i = 0; i < job.instance_count; ++i, compared += job.vertex_count) {
        const size_t palette = job.first_matrix + i * job.palette_stride,
                     palette_size = (*model)->bake(*level).palette_size;
        const size_t first = job.first_output_vertex + i * job.mesh_vertices + job.first_vertex;
        ASSERT_LE(palette + palette_size, skinning.palettes.size());
        ASSERT_LE(first + job.vertex_count, skinning.vertices.size());
        const std::span matrices = std::span(skinning.palettes).subspan(palette, job.palette_stride);
        const bool has_weights = matrices.size() > palette_stride(palette_size);  // hosts may do without them
        const auto weights =
            has_weights ? weights_behind(matrices, palette_size).first(mesh.target_count()) : std::span<float>();
        skin_on_cpu(mesh, matrices.first(palette_size), positions, normals, {}, weights);
        const double diagonal = length(size_of(bounding_box(positions)));
        const double distance = expect_equal(std::span(skinning.vertices).subspan(first, job.vertex_count),
                                             std::span(positions).subspan(job.first_vertex, job.vertex_count),
                                             std::span(normals).subspan(job.first_vertex, job.vertex_count), diagonal,
                                             has_weights ? 0.8 : 0.02);
        max_distance = sinew::internal::larger_error(max_distance, distance);
      }
    }
  }
  EXPECT_EQ(compared, GetParam().vertices);
  EXPECT_GT(max_distance, 0) << "identical values: the device output was compared with itself";
}

}  // namespace
}  // namespace sinew::test
