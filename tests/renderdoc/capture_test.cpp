// One frame without a window, captured by RenderDoc and replayed by its Python module: labels, buffer names, and the
// skinned vertices, compared with the CPU skinner on the captured palettes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/child.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/import/import.h"

namespace sinew::test {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr uint32_t kCharacters = 5;
constexpr const char* kModel = SINEW_SOURCE_DIR "/assets/character.glb";

// The system's Python: Debian builds the renderdoc module for this one only.
constexpr const char* kPython = "/usr/bin/python3";

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

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
  return {read_values<Matrix3x4>(folder.path(dispatch.at("palettes"))),
          read_values<SkinnedVertex>(folder.path(dispatch.at("skinned")))};
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

double diagonal_of(const std::vector<Vec3>& positions) {
  Vec3 low = positions[0], high = positions[0];
  for (const Vec3& p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return length(high - low);
}

void expect_equal(std::span<const SkinnedVertex> vertices, std::span<const Vec3> positions,
                  std::span<const Vec3> normals, double diagonal) {
  double max_distance = 0, max_radians = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    const auto& [x, y, z] = vertices[i].position;
    const Vec3 normal = decode_normal(vertices[i].normal);
    max_distance = std::max(max_distance, double(length(Vec3{x, y, z} - positions[i])));
    max_radians =
        std::max(max_radians, std::atan2(double(length(cross(normal, normals[i]))), double(dot(normal, normals[i]))));
  }
  EXPECT_GT(max_distance, 0) << "identical values: the device output was compared with itself";
  EXPECT_LE(max_distance / diagonal, 1e-5);
  EXPECT_LE(max_radians * 180 / M_PI, 0.02);
}

/// The arguments of a captured run.
struct CaptureOptions {
  const char* async_compute;  // --async-compute
  const char* frame;          // --renderdoc-capture
};

void PrintTo(const CaptureOptions& options, std::ostream* out) { *out << "--async-compute " << options.async_compute; }

/// Each parameter is captured once for all tests: the first frame in one submission, and the third frame in two, whose
/// waits name earlier submissions.
class Capture : public ::testing::TestWithParam<CaptureOptions> {
 protected:
  static void capture(const CaptureOptions& options) {
    if (!has_device() || !has_renderdoc()) return;
    captured_ = options.async_compute;
    folder_ = std::make_unique<Folder>();
    contents_ = {};
    const Outcome captured = run({"renderdoccmd",
                                  "capture",
                                  "-w",
                                  "-c",
                                  folder_->path("frame"),
                                  SINEW_PROGRAM,
                                  "crowd",
                                  kModel,
                                  "--characters",
                                  std::to_string(kCharacters),
                                  "--frames",
                                  "3",
                                  "--warmup",
                                  "0",
                                  "--size",
                                  "160x90",
                                  "--cull",
                                  "off",
                                  "--passes",
                                  "3",
                                  "--update-rate",
                                  "off",
                                  "--lod",
                                  "off",
                                  "--async-compute",
                                  options.async_compute,
                                  "--renderdoc-capture",
                                  options.frame});
    output_ = captured.out + captured.err;
    const std::string path = find_capture(*folder_);
    if (path.empty()) return;
    const Outcome replayed =
        run({kPython, SINEW_SOURCE_DIR "/tests/renderdoc/read_capture.py", path, folder_->path("")});
    output_ += replayed.out + replayed.err;
    cannot_replay_ = replayed.exit_code == 77;
    if (replayed.exit_code == 0) contents_ = Json::parse(read(folder_->path("contents.json")));
  }
  static void TearDownTestSuite() { folder_.reset(); }

  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    // Both want to be the first library that the program loads.
    if (kAddressSanitizer)
      GTEST_SKIP() << "ADDRESS SANITIZER: RenderDoc cannot enter the program; no capture was tested";
    if (captured_ != GetParam().async_compute) capture(GetParam());
    if (!folder_)
      GTEST_SKIP() << "NO RENDERDOC (librenderdoc-dev, renderdoc, python3-renderdoc): no capture was tested here";
    if (cannot_replay_) GTEST_SKIP() << "NO REPLAY ON THIS DEVICE: no capture was tested here\n" << output_;
    ASSERT_FALSE(contents_.is_null()) << "nothing was captured, or it cannot be read:\n" << output_;
  }

  static std::vector<std::string> names_of(const char* kind) {
    std::vector<std::string> names;
    for (const Json& action : contents_["actions"]) {
      if (action["kind"] == kind) names.push_back(action["name"]);
    }
    return names;
  }

  static inline std::string captured_;
  static inline std::unique_ptr<Folder> folder_;
  static inline Json contents_;
  static inline std::string output_;
  static inline bool cannot_replay_ = false;
};

INSTANTIATE_TEST_SUITE_P(AsyncCompute, Capture,
                         ::testing::Values(CaptureOptions{"off", "1"}, CaptureOptions{"on", "3"}),
                         [](const auto& tested) { return tested.param.async_compute; });

TEST_P(Capture, LabelsAreInTheOrderOfThePipeline) {
  const std::vector<std::string> labels = names_of("label");
  const auto index_of = [&](const char* start) {
    const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.starts_with(start); });
    return found - labels.begin();
  };
  if (std::string(GetParam().frame) == "1") {
    EXPECT_LT(index_of("sinew upload"), index_of("sinew skin 5 ")) << ::testing::PrintToString(labels);
  }
  EXPECT_LT(index_of("sinew skin 5 "), index_of("sinew draw 5 ")) << ::testing::PrintToString(labels);
  EXPECT_LT(index_of("sinew draw"), index_of("shadow map 0")) << ::testing::PrintToString(labels);
  EXPECT_LT(index_of("shadow map 0"), index_of("ground")) << ::testing::PrintToString(labels);
  EXPECT_LT(index_of("ground"), index_of("depth")) << ::testing::PrintToString(labels);
  EXPECT_LT(index_of("depth"), index_of("crowd")) << ::testing::PrintToString(labels);
  EXPECT_LT(index_of("crowd"), ptrdiff_t(labels.size())) << ::testing::PrintToString(labels);
}

TEST_P(Capture, DispatchesAndDrawsAreInsideTheirLabels) {
  bool dispatched = false, drawn = false;
  for (const Json& action : contents_["actions"]) {
    const std::string labels = action["labels"].dump();
    if (action["kind"] == "dispatch") {
      EXPECT_THAT(labels, HasSubstr("sinew skin"));
      dispatched = true;
    }
    if (action["kind"] == "draw") {
      EXPECT_THAT(labels, HasSubstr("sinew draw"));
      drawn = true;
    }
  }
  EXPECT_TRUE(dispatched);
  EXPECT_TRUE(drawn);
}

TEST_P(Capture, BuffersAreNamed) {
  const auto names = contents_["resources"].get<std::vector<std::string>>();
  for (const char* name : {"sinew.palette[", "sinew.vertices[", "sinew.mesh[", "sinew.shadow_maps"})
    EXPECT_THAT(names, Contains(::testing::StartsWith(name)));
}

TEST_P(Capture, SkinnedVerticesEqualTheCpuSkinner) {
  const Result<Character> character = load_character(kModel);
  ASSERT_TRUE(character);
  Mesh mesh = character->mesh;
  EXPECT_TRUE(order_by_influences(mesh));  // as the program does
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  uint32_t compared = 0;
  for (const Json& dispatch : contents_["skinning"]) {
    const Skinning skinning = read_skinning(*folder_, dispatch);
    for (const Json& json : dispatch.at("jobs")) {
      const Job job = read_job(json);
      ASSERT_EQ(job.mesh_vertices, mesh.vertex_count());
      for (uint32_t i = 0; i < job.instance_count; ++i, compared += job.vertex_count) {
        const size_t palette = job.first_matrix + i * job.palette_stride, palette_size = character->skin.palette_size();
        const size_t first = job.first_output_vertex + i * job.mesh_vertices + job.first_vertex;
        ASSERT_LE(palette + palette_size, skinning.palettes.size());
        ASSERT_LE(first + job.vertex_count, skinning.vertices.size());
        skin_on_cpu(mesh, std::span(skinning.palettes).subspan(palette, palette_size), positions, normals);
        expect_equal(std::span(skinning.vertices).subspan(first, job.vertex_count),
                     std::span(positions).subspan(job.first_vertex, job.vertex_count),
                     std::span(normals).subspan(job.first_vertex, job.vertex_count), diagonal_of(positions));
      }
    }
  }
  EXPECT_EQ(compared, kCharacters * mesh.vertex_count());
}

}  // namespace
}  // namespace sinew::test
