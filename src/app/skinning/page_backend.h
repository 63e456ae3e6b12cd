// What the ways of skinning that are not the library's have in common: mapped pages of each update group.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gpu/pages.h"
#include "sinew/experimental/crowd_parts.h"

namespace sinew::app {

using vulkan::InstanceRange;
using vulkan::experimental::BackendBatch;
using vulkan::experimental::BackendMesh;
using vulkan::experimental::PlacedRange;

/// What the pages hold.
struct PagesInfo {
  VkBufferUsageFlags usage = 0;
  const char* name = "";  // of the buffers, for debuggers
  vulkan::Consumers readers;
  uint32_t frames_in_flight = 2, update_groups = 1;
};

/// Pages of each update group, kept until the group is updated again. A frame in flight may still draw the group's
/// previous pages, so there are as many as frames in flight, used one after another.
class PageBackend : public vulkan::experimental::SkinningBackend {
 public:
  /// `device` must outlive the backend.
  PageBackend(const Device& device, const PagesInfo& info);

  Result<VkDeviceSize> add_mesh(const BackendMesh& mesh) override;
  Status begin_frame(const vulkan::Frame&) override { return {}; }
  Status prepare(uint32_t group, std::span<const BackendBatch> batches, const ParallelFor& parallel_for) override;
  std::span<const InstanceRange> ranges(uint32_t group) const override { return groups_[group].ranges; }

  /// Records the copies of pages that were written since the last call: see Pages::copies.
  void record(VkCommandBuffer cmd, const vulkan::RecordInfo&) override;
  PageCopies copies() const { return copies_; }  // of the last record()

  virtual uint64_t device_bytes() const;

  /// What the vertex shader reads of a mesh; null where it does not skin.
  virtual vulkan::MeshBuffer static_mesh(uint32_t) const { return {}; }
  /// A page of palettes as texels; null where the vertex shader does not skin.
  VkBufferView texels_of(VkBuffer page) const;

 protected:
  /// The bytes of an instance in the pages.
  virtual VkDeviceSize instance_bytes(const InstanceRange& of_one) const = 0;
  /// Sets what a range has besides sizes: its instances lie at `offset` in a page, which is written at `mapped`.
  virtual void place(VkBuffer page, VkDeviceSize offset, std::byte* mapped, InstanceRange& range) = 0;
  /// All ranges of a group are placed.
  virtual void finish(uint32_t, std::span<InstanceRange>) {}

  const BackendMesh& mesh(uint32_t number) const { return meshes_[number]; }
  /// Where the page of a range is written.
  std::byte* mapped(const PlacedRange& placed) const {
    const Group& group = groups_[placed.group];
    return group.mapped[size_t(placed.range - group.ranges.data())];
  }

 private:
  struct Group {
    std::vector<Pages> pages;
    uint32_t current = 0;
    bool fitted = false;  // since the last record()
    std::vector<InstanceRange> ranges;
    std::vector<std::byte*> mapped;  // of each range
  };
  const Device* device_;
  PagesInfo info_;
  std::vector<Group> groups_;
  std::vector<BackendMesh> meshes_;
  PageCopies copies_;
};

/// Sets the palettes of a range, and its morph weights, which lie behind each palette.
void set_palettes(std::span<Matrix3x4> palettes, InstanceRange& range);

}  // namespace sinew::app
