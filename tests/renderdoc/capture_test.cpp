// One headless frame, captured by RenderDoc and opened again by its Python module: the labels are there, the buffers
// are named, and what the device skinned is what the CPU skinner makes of the captured palettes.
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

// Debian's own Python: the module is built for no other.
constexpr const char* kPython = "/usr/bin/python3";

bool has_renderdoc() {
  return SINEW_HAS_RENDERDOC_HEADER && run({"renderdoccmd", "version"}).exit_code == 0 &&
         run({kPython, "-c", "import renderdoc"}).exit_code == 0;
}

std::string captured_in(const Folder& folder) {
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

// What one dispatch of the skinning kernel read and wrote.
struct Skinning {
  std::vector<Matrix3x4> palettes;
  std::vector<SkinnedVertex> vertices;
};

Skinning read_skinning(const Folder& folder, const Json& dispatch) {
  return {read_values<Matrix3x4>(folder.path(dispatch.at("palettes"))),
          read_values<SkinnedVertex>(folder.path(dispatch.at("skinned")))};
}

/// A chunk of the mesh, skinned for some instances. Strides and places in matrices and vertices.
struct Job {
  uint32_t first_vertex = 0, vertex_count = 0, instance_count = 0;
  size_t palette = 0, palette_stride = 0, output = 0, mesh_vertices = 0;
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
  double farthest = 0, widest = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    const auto& [x, y, z] = vertices[i].position;
    const Vec3 normal = decode_normal(vertices[i].normal);
    farthest = std::max(farthest, double(length(Vec3{x, y, z} - positions[i])));
    widest = std::max(widest, std::atan2(double(length(cross(normal, normals[i]))), double(dot(normal, normals[i]))));
  }
  EXPECT_GT(farthest, 0) << "the same numbers twice";
  EXPECT_LE(farthest / diagonal, 1e-5);
  EXPECT_LE(widest * 180 / M_PI, 0.02);
}

struct Captured {
  const char* async_compute;
  const char* frame;
};

void PrintTo(const Captured& captured, std::ostream* out) { *out << "--async-compute " << captured.async_compute; }

// Captured once for all tests: a first frame in one submission, and a later one in two, which waits for those before.
class Capture : public ::testing::TestWithParam<Captured> {
 protected:
  static void capture(const Captured& what) {
    if (!has_device() || !has_renderdoc()) return;
    captured_ = what.async_compute;
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
                                  what.async_compute,
                                  "--renderdoc-capture",
                                  what.frame});
    said_ = captured.out + captured.err;
    const std::string path = captured_in(*folder_);
    if (path.empty()) return;
    const Outcome replayed =
        run({kPython, SINEW_SOURCE_DIR "/tests/renderdoc/read_capture.py", path, folder_->path("")});
    said_ += replayed.out + replayed.err;
    cannot_replay_ = replayed.exit_code == 77;
    if (replayed.exit_code == 0) contents_ = Json::parse(read(folder_->path("contents.json")));
  }
  static void TearDownTestSuite() { folder_.reset(); }

  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    if (captured_ != GetParam().async_compute) capture(GetParam());
    if (!folder_)
      GTEST_SKIP() << "NO RENDERDOC (librenderdoc-dev, renderdoc, python3-renderdoc): no capture was tested here";
    if (cannot_replay_) GTEST_SKIP() << "NO REPLAY ON THIS DEVICE: no capture was tested here\n" << said_;
    ASSERT_FALSE(contents_.is_null()) << "nothing was captured, or it cannot be read:\n" << said_;
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
  static inline std::string said_;
  static inline bool cannot_replay_ = false;
};

INSTANTIATE_TEST_SUITE_P(AsyncCompute, Capture, ::testing::Values(Captured{"off", "1"}, Captured{"on", "3"}),
                         [](const auto& captured) { return captured.param.async_compute; });

TEST_P(Capture, LabelsAreThereInTheOrderOfThePipeline) {
  const std::vector<std::string> labels = names_of("label");
  const auto place_of = [&](const char* start) {
    const auto found = std::find_if(labels.begin(), labels.end(), [&](const auto& l) { return l.starts_with(start); });
    return found - labels.begin();
  };
  if (std::string(GetParam().frame) == "1") {
    EXPECT_LT(place_of("sinew upload"), place_of("sinew skin 5 ")) << ::testing::PrintToString(labels);
  }
  EXPECT_LT(place_of("sinew skin 5 "), place_of("sinew draw 5 ")) << ::testing::PrintToString(labels);
  EXPECT_LT(place_of("sinew draw"), place_of("shadow map 0")) << ::testing::PrintToString(labels);
  EXPECT_LT(place_of("shadow map 0"), place_of("ground")) << ::testing::PrintToString(labels);
  EXPECT_LT(place_of("ground"), place_of("depth")) << ::testing::PrintToString(labels);
  EXPECT_LT(place_of("depth"), place_of("crowd")) << ::testing::PrintToString(labels);
  EXPECT_LT(place_of("crowd"), ptrdiff_t(labels.size())) << ::testing::PrintToString(labels);
}

TEST_P(Capture, WorkLiesUnderItsLabels) {
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

TEST_P(Capture, SkinnedBufferEqualsTheCpuSkinner) {
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
        const size_t palette = job.palette + i * job.palette_stride, palette_size = character->skin.palette_size();
        const size_t first = job.output + i * job.mesh_vertices + job.first_vertex;
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
