#include "skinning/page_backend.h"

#include "sinew/asset/skin.h"
#include "sinew/asset/skinned_vertex.h"

namespace sinew::app {
namespace {

constexpr uint32_t kFloats = sizeof(Matrix3x4) / sizeof(float);  // weights in the room of a matrix

/// The sizes of a range of one instance.
InstanceRange sizes_of(const BackendMesh& mesh) {
  InstanceRange range;
  range.vertex_count = mesh.mesh->vertex_count();
  range.vertex_bytes = sizeof(SkinnedVertex);
  range.palette_size = mesh.palette_size;
  range.target_count = mesh.mesh->target_count();
  range.palette_stride = uint32_t(palette_stride(mesh.palette_size, range.target_count));
  range.instance_count = 1;
  return range;
}

}  // namespace

void set_palettes(std::span<Matrix3x4> palettes, InstanceRange& range) {
  range.palettes = palettes;
  if (range.target_count == 0) return;
  range.weights = weights_behind(palettes, range.palette_size);
  range.weight_stride = range.palette_stride * kFloats;
}

PageBackend::PageBackend(const Device& device, const PagesInfo& info)
    : device_(&device), info_(info), groups_(info.update_groups) {
  for (Group& group : groups_) group.pages.resize(info.frames_in_flight);
}

Result<VkDeviceSize> PageBackend::add_mesh(const BackendMesh& mesh) {
  if (mesh.number >= meshes_.size()) meshes_.resize(size_t{mesh.number} + 1);
  meshes_[mesh.number] = mesh;
  return VkDeviceSize{0};
}

/// Pages are taken one after another, not by frame slot: a group that is not updated in each frame would otherwise meet
/// its previous pages.
Status PageBackend::prepare(uint32_t group, std::span<const BackendBatch> batches, const ParallelFor&) {
  Group& own = groups_[group];
  own.current = (own.current + 1) % uint32_t(own.pages.size());
  own.ranges.clear(), own.mapped.clear();
  std::vector<PageRequest> requests;
  for (const BackendBatch& batch : batches)
    requests.push_back({batch.instance_count, instance_bytes(sizes_of(meshes_[batch.mesh]))});
  Pages& pages = own.pages[own.current];
  const std::string name = info_.name + std::to_string(group * own.pages.size() + own.current);
  const Status fits = fit_pages(*device_, requests, info_.usage, name, pages);
  own.fitted = bool(fits);
  if (!fits) return fits;
  for (const PageSlice& slice : pages.slices) {
    InstanceRange& range = own.ranges.emplace_back(sizes_of(meshes_[batches[slice.batch].mesh]));
    range.batch = slice.batch, range.first_instance = slice.first_instance;
    range.instance_count = slice.instance_count;
    own.mapped.push_back(static_cast<std::byte*>(pages.buffers[slice.page].mapped) + slice.offset);
    place(pages.read_by_device(slice.page).get(), slice.offset, own.mapped.back(), range);
  }
  finish(group, own.ranges);
  return {};
}

void PageBackend::record(VkCommandBuffer cmd, const vulkan::RecordInfo&) {
  copies_ = {};
  for (Group& group : groups_) {
    if (group.fitted) record_copies(cmd, group.pages[group.current], copies_);
    group.fitted = false;
  }
  if (copies_.count > 0) copies_barrier(cmd, info_.readers);
}

/// A buffer with a copy is not in device memory, and as large as its copy.
uint64_t PageBackend::device_bytes() const {
  uint64_t bytes = 0;
  for (const Group& group : groups_) {
    for (const Pages& pages : group.pages) {
      for (const Buffer& buffer : pages.buffers) bytes += buffer.size_bytes;
    }
  }
  return bytes;
}

VkBufferView PageBackend::texels_of(VkBuffer page) const {
  for (const Group& group : groups_) {
    const Pages& pages = group.pages[group.current];
    for (size_t i = 0; i < pages.buffers.size(); ++i) {
      const Buffer& read = pages.read_by_device(i);
      if (read.handle && read.get() == page) return read.texels.get();
    }
  }
  return VK_NULL_HANDLE;
}

}  // namespace sinew::app
