// Mapped pages for strategies that do not use those of the library: one kind of data of each update group.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gpu/pages.h"
#include "skinning/skinning_strategy.h"

namespace sinew::app {

/// What the pages hold.
struct GroupPagesInfo {
  VkBufferUsageFlags usage = 0;
  const char* name = "";  // of the buffers, for debuggers
  vulkan::Consumers readers;
};

/// Pages of each update group, kept until the group is updated again. A frame in flight may still draw the group's
/// previous pages, so there are as many as frames in flight, used in turn.
class GroupPages {
 public:
  /// `device` must outlive the pages.
  GroupPages(const Device& device, const SkinningInfo& skinning, const GroupPagesInfo& info);

  /// Takes the group's next pages and lays the requests out in them: see fit_pages().
  Status fit(uint32_t group, std::span<const PageRequest> requests);

  /// The pages that the last fit() of the group took.
  const Pages& of(uint32_t group) const { return groups_[group].pages[groups_[group].current]; }

  /// Records the copies of pages that were fitted since the last call: see Pages::copies.
  void record(VkCommandBuffer cmd);
  PageCopies copies() const { return copies_; }  // of the last record()

  uint64_t device_bytes() const;

 private:
  struct Group {
    std::vector<Pages> pages;
    uint32_t current = 0;
    bool fitted = false;  // since the last record()
  };
  const Device* device_;
  GroupPagesInfo info_;
  std::vector<Group> groups_;
  PageCopies copies_;
};

/// The range of a slice: which posed meshes it has, and the sizes of their palettes and vertices.
SkinnedRange range_of(const PageSlice& slice, const crowd::PosedBatch& batch, const Model& model);

/// The first byte of a slice.
std::byte* mapped_bytes(const Pages& pages, const PageSlice& slice);

}  // namespace sinew::app
