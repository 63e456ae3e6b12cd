// A device, and crowds whose every vertex is compared with the CPU skinner.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vulkan/random_rig.h"
#include "vulkan/test_device.h"

#include "sinew/vulkan/skinner.h"

namespace sinew::test {

inline constexpr uint32_t kPoison = 0xdeadbeef;

/// Skips loudly without a device; any validation message fails the test.
class SkinnerTest : public ::testing::Test {
 protected:
  void SetUp() override { make_device({}); }
  void TearDown() override;
  void make_device(const TestDeviceOptions& options);

  /// Everything the device offers; output may be filled with poison.
  vulkan::SkinnerInfo skinner_info() const;
  vulkan::Skinner make_skinner(const vulkan::SkinnerInfo& info) const;

  std::unique_ptr<TestDevice> device_;
};

/// The vertices of one instance, as words.
struct SkinnedWords {
  std::span<const uint32_t> words;
  uint32_t vertex_bytes = 0;
  bool tangents = false;

  const uint32_t* vertex(uint32_t v) const { return &words[size_t{v} * vertex_bytes / sizeof(uint32_t)]; }
  uint32_t format() const { return vertex_bytes - (tangents ? uint32_t(sizeof(uint32_t)) : 0); }
};

/// They are those of the CPU skinner.
void expect_skinned(const Mesh& mesh, std::span<const Matrix3x4> palette, const SkinnedWords& words,
                    const std::string& where);

/// Meshes of one skinner in one update group, and what each instance of each frame does: palettes follow from batch,
/// instance and frame.
class TestCrowd {
 public:
  TestCrowd(TestDevice& device, vulkan::Skinner& skinner, uint32_t group = 0)
      : device_(device), skinner_(skinner), group_(group) {}

  bool tangents = false;  // SkinnerInfo::tangents

  /// Returns the index that batches() takes.
  uint32_t add(const RigShape& shape, Scaling scaling = Scaling::kUniform, const char* name = "rig");
  uint32_t add(Mesh mesh, uint32_t joints, Scaling scaling = Scaling::kUniform, const char* name = "rig");
  vulkan::MeshId id(uint32_t mesh) const { return meshes_[mesh].id; }
  const Mesh& mesh(uint32_t mesh) const { return meshes_[mesh].mesh; }

  struct Count {
    uint32_t mesh = 0, instances = 0;
  };
  std::vector<vulkan::Batch> batches(std::span<const Count> counts) const;

  /// Prepares frame and palettes. `frame.number` chooses the palettes.
  void prepare(const vulkan::Frame& frame, std::span<const Count> counts, std::span<const vulkan::Page> pages = {});
  void write_palettes(uint64_t frame_number) const;
  /// Every byte of the pages that ranges lie in.
  void poison() const;
  /// prepare, poison, record, submit, wait, compare.
  void run_frame(const vulkan::Frame& frame, std::span<const Count> counts);

  /// All vertices of all ranges are those of the frame, and nothing was written beside them.
  void expect_frame(uint64_t frame_number) const;
  /// The previous vertices of instances below `known[batch]` are those of `previous_frame`, of others of `this_frame`.
  void expect_previous(uint64_t previous_frame, uint64_t this_frame, std::span<const uint32_t> known) const;
  /// Vertices as copied out by the test itself.
  void expect_instances(std::span<const uint32_t> words, const vulkan::InstanceRange& range,
                        uint64_t frame_number) const;

 private:
  struct Entry {
    Mesh mesh;
    uint32_t joints = 0;
    Scaling scaling = Scaling::kUniform;
    vulkan::MeshId id;
  };
  const Entry& entry_of(const vulkan::InstanceRange& range) const { return meshes_[counts_[range.batch].mesh]; }
  std::vector<Matrix3x4> palette(const vulkan::InstanceRange& range, uint32_t instance, uint64_t frame_number) const;
  void expect_untouched_beside_ranges() const;

  TestDevice& device_;
  vulkan::Skinner& skinner_;
  uint32_t group_ = 0;
  std::vector<Entry> meshes_;
  std::vector<Count> counts_;
};

}  // namespace sinew::test
