#include "skinning/group_pages.h"

namespace sinew::app {

GroupPages::GroupPages(const Device& device, const SkinningInfo& skinning, const GroupPagesInfo& info)
    : device_(&device), info_(info), groups_(skinning.update_groups) {
  for (Group& group : groups_) group.pages.resize(skinning.frames_in_flight);
}

/// In turn, not by frame slot: a group that is not updated in each frame would otherwise meet its previous pages.
Status GroupPages::fit(uint32_t group, std::span<const PageRequest> requests) {
  Group& own = groups_[group];
  own.current = (own.current + 1) % uint32_t(own.pages.size());
  const std::string name = info_.name + std::to_string(group * own.pages.size() + own.current);
  const Status fits = fit_pages(*device_, requests, info_.usage, name, own.pages[own.current]);
  own.fitted = bool(fits);
  return fits;
}

void GroupPages::record(VkCommandBuffer cmd) {
  copies_ = {};
  for (Group& group : groups_) {
    if (group.fitted) record_copies(cmd, group.pages[group.current], copies_);
    group.fitted = false;
  }
  if (copies_.count > 0) copies_barrier(cmd, info_.readers);
}

/// A buffer with a copy is not in device memory, and as large as its copy.
uint64_t GroupPages::device_bytes() const {
  uint64_t bytes = 0;
  for (const Group& group : groups_) {
    for (const Pages& pages : group.pages) {
      for (const Buffer& buffer : pages.buffers) bytes += buffer.size_bytes;
    }
  }
  return bytes;
}

SkinnedRange range_of(const PageSlice& slice, const crowd::PosedBatch& batch, const Model& model) {
  SkinnedRange range;
  range.batch = slice.batch;
  range.first_mesh = slice.first_instance;
  range.mesh_count = slice.instance_count;
  range.vertex_count = model.levels[batch.level].mesh.vertex_count();
  range.palette_stride = model.palette_stride();
  return range;
}

std::byte* mapped_bytes(const Pages& pages, const PageSlice& slice) {
  return static_cast<std::byte*>(pages.buffers[slice.page].mapped) + slice.offset;
}

}  // namespace sinew::app
