// Test fixtures: a device, and crowds that are compared with the CPU skinner vertex by vertex.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "message.h"
#include "vulkan/random_rig.h"
#include "vulkan/test_device.h"
#include "vulkan/watched_loader.h"

#include "sinew/experimental/kernel.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::test {

/// The built-in kernel, as SPIR-V.
std::span<const uint32_t> kernel_words();

inline constexpr Box kBox = {{-4, -4, -4}, {4, 4, 4}};  // around make_mesh() under any palette of make_palette()
inline constexpr uint32_t kPoison = 0xdeadbeef;         // fills output before it is skinned

/// What a test sets of a skinner.
struct TestSkinnerInfo : vulkan::SkinnerInfo {
  vulkan::experimental::KernelTuning tuning;
  vulkan::experimental::MessageCallback message;
};
inline Result<vulkan::Skinner> create_skinner(const TestSkinnerInfo& info) {
  return vulkan::experimental::create_skinner(info, info.tuning, info.message);
}

void expect_refused(const auto& outcome, ErrorCode code, const std::string& message) {
  ASSERT_FALSE(outcome) << message;
  EXPECT_EQ(outcome.error().code, code);
  EXPECT_EQ(outcome.error().message, message);
}

/// The errors of such a skinner are appended to `messages`.
TestSkinnerInfo with_messages(TestSkinnerInfo info, std::vector<std::string>& messages);

/// The frame of a host with `slots` frame slots in turn, whatever the skinner has.
inline vulkan::SkinnerFrame in_flight(uint64_t number, uint32_t slots) {
  return {.number = number, .slot = uint32_t(number % slots), .last_completed = number > slots ? number - slots : 0};
}

/// Skips the test without a device. Any validation message fails the test.
class SkinnerTest : public ::testing::Test {
 protected:
  void SetUp() override { make_device({}); }
  void TearDown() override;
  void make_device(const TestDeviceOptions& options);

  /// The handles and features of the device. Output pages can be filled, for poison(). Without debug checks, in every
  /// build: many tests write no palettes.
  TestSkinnerInfo skinner_info() const;
  /// The same for a skinner that watch_ sees.
  TestSkinnerInfo watched_info() const;
  vulkan::Skinner make_skinner(const TestSkinnerInfo& info) const;
  /// Records in a submission of its own, and waits for it.
  void record(vulkan::Skinner& skinner) const {
    device_->submit_and_wait([&](VkCommandBuffer cmd) { skinner.record(cmd); });
  }

  std::unique_ptr<TestDevice> device_;
  std::unique_ptr<WatchedLoader> watch_;  // of the device
};

/// The skinned vertices of one instance, as 32-bit words.
struct SkinnedWords {
  std::span<const uint32_t> words;
  uint32_t vertex_bytes = 0;  // tangent included
  bool tangents = false;

  const uint32_t* vertex(uint32_t v) const { return &words[size_t{v} * vertex_bytes / sizeof(uint32_t)]; }
  /// Bytes of a vertex without its tangent: a VertexFormat.
  uint32_t format() const { return vertex_bytes - (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
};

/// Compares all vertices of one instance with the CPU skinner. `where` is for failure messages. `weights` as for
/// skin_on_cpu(); with them, normals and tangents may be off by what packed differences round.
void expect_skinned(const Mesh& mesh, std::span<const Matrix3x4> palette, const SkinnedWords& words,
                    const std::string& where, std::span<const float> weights = {});

inline VkDeviceSize size_of(const vulkan::InstanceRange& range) {
  return VkDeviceSize{range.instance_count} * range.vertex_count * range.vertex_bytes;
}

/// The ranges do not overlap, and all words of their pages between them are still poison. `words_of(page, bytes)`.
void expect_poison_between(std::span<const vulkan::InstanceRange> ranges, const auto& words_of) {
  std::map<VkBuffer, std::vector<std::pair<VkDeviceSize, VkDeviceSize>>> parts;  // of each page
  for (const vulkan::InstanceRange& range : ranges)
    parts[range.vertices].push_back({range.vertices_offset, range.vertices_offset + size_of(range)});
  for (auto& [page, of_page] : parts) {
    std::ranges::sort(of_page);
    const auto words = words_of(page, of_page.back().second);
    VkDeviceSize end = 0;
    for (const auto& [first, after] : of_page) {
      EXPECT_GE(first, end) << "ranges overlap";
      for (; end < first; end += 4) ASSERT_EQ(words[end / 4], kPoison) << "at byte " << end;
      end = after;
    }
  }
}

/// Begins the frame and prepares one group of it.
Status prepare(vulkan::Skinner& skinner, const vulkan::SkinnerFrame& frame,
               std::span<const vulkan::SkinnerBatch> batches, std::span<const vulkan::Page> pages = {},
               uint32_t group = 0);

/// Batches in one update group of a skinner. Palettes and morph weights are computed from batch, instance and frame
/// number.
class TestCrowd {
 public:
  TestCrowd(TestDevice& device, vulkan::Skinner& skinner, uint32_t group = 0)
      : device_(device), skinner_(skinner), group_(group) {}

  bool tangents = false;  // the skinner writes tangents: SkinnerInfo::tangents

  /// Adds a mesh to the skinner. Returns its index, for Count::mesh.
  uint32_t add(const RigShape& shape, RigScaling scaling = RigScaling::kNone, const char* name = "rig");
  uint32_t add(Mesh mesh, uint32_t joints, RigScaling scaling = RigScaling::kNone, const char* name = "rig");
  /// Adds a prepared mesh, which `mesh` was prepared from.
  uint32_t add_prepared(vulkan::PreparedMesh prepared, Mesh mesh, uint32_t joints);
  vulkan::MeshId id(uint32_t mesh) const { return meshes_[mesh].id; }

  /// A batch of `instances` instances.
  struct Count {
    uint32_t mesh = 0, instances = 0;
  };
  /// Begins the frame, prepares the group and writes its palettes, which depend on `frame.number`.
  void prepare(const vulkan::SkinnerFrame& frame, std::span<const Count> counts);
  /// Prepares, poisons, records, submits, waits, and compares all vertices.
  void run_frame(const vulkan::SkinnerFrame& frame, std::span<const Count> counts);

  /// All vertices of all ranges are those of the frame, and all bytes between the ranges are still poison.
  void expect_frame(uint64_t frame_number) const;

 private:
  struct Entry {
    Mesh mesh;
    uint32_t joints = 0;
    RigScaling scaling = RigScaling::kNone;
    vulkan::MeshId id;
  };
  void write_palettes(uint64_t frame_number) const;
  /// Fills all pages that have ranges with kPoison.
  void poison() const;
  const Entry& entry_of(const vulkan::InstanceRange& range) const { return meshes_[counts_[range.batch].mesh]; }
  std::vector<Matrix3x4> palette(const vulkan::InstanceRange& range, uint32_t instance, uint64_t frame_number) const;
  void expect_instances(std::span<const uint32_t> words, const vulkan::InstanceRange& range,
                        uint64_t frame_number) const;
  std::vector<float> weights(const vulkan::InstanceRange& range, uint32_t instance, uint64_t frame_number) const;

  TestDevice& device_;
  vulkan::Skinner& skinner_;
  uint32_t group_ = 0;
  std::vector<Entry> meshes_;
  std::vector<Count> counts_;
};

using Counts = std::vector<TestCrowd::Count>;

/// The labels of a frame that uploads meshes. Where the skinner copied palettes, their label follows that of uploads.
std::vector<std::string> with_copies(const vulkan::Skinner& skinner, std::vector<std::string> labels);

}  // namespace sinew::test
