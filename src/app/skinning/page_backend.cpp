#include "skinning/page_backend.h"

#include <algorithm>
#include <utility>

#include "asset/dual_quaternion.h"
#include "gpu/host.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/skin.h"

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

PagesInfo vertex_pages(uint32_t frames_in_flight, uint32_t update_groups, bool pulled) {
  const VkBufferUsageFlags usage = pulled ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT : VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;
  return {usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, "sinew.cpu_vertices.",
          pulled ? vulkan::kVertexPulling : vulkan::kVertexInput, frames_in_flight, update_groups};
}

PagesInfo palette_pages(uint32_t frames_in_flight, uint32_t update_groups) {
  return {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, "sinew.vertex_palettes.",
          vulkan::kVertexPulling, frames_in_flight, update_groups};
}

/// The specialization constant of the vertex shaders is one for all models.
Result<Blend> common_blend(std::span<const Model> models) {
  const Blend blend = models.front().character.mesh.blend;
  for (const Model& model : models) {
    if (model.character.mesh.blend == blend) continue;
    return Error{ErrorCode::kUnsupported,
                 "'" + models.front().name + "' and '" + model.name +
                     "' are blended differently, which the vertex shader cannot do: choose with --blend"};
  }
  return blend;
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

Result<MeshId> PageBackend::add_mesh(const BackendMesh& mesh) {
  meshes_.push_back(mesh);
  return MeshId{uint32_t(meshes_.size())};
}

/// Pages are taken one after another, not by frame slot: a group that is not updated in each frame would otherwise meet
/// its previous pages.
Status PageBackend::prepare(uint32_t group, std::span<const vulkan::SkinnerBatch> batches, const ParallelFor&) {
  Group& own = groups_[group];
  own.current = (own.current + 1) % uint32_t(own.pages.size());
  own.ranges.clear(), own.placed.clear();
  std::vector<PageRequest> requests;
  for (const vulkan::SkinnerBatch& batch : batches)
    requests.push_back({batch.instance_count, instance_bytes(sizes_of(meshes_[batch.mesh.value - 1]))});
  Pages& pages = own.pages[own.current];
  const std::string name = info_.name + std::to_string(group * own.pages.size() + own.current);
  const Status fits = fit_pages(*device_, requests, info_.usage, name, pages);
  own.fitted = bool(fits);
  if (!fits) return fits;
  for (const PageSlice& slice : pages.slices) {
    const BackendMesh& mesh = meshes_[batches[slice.batch].mesh.value - 1];
    InstanceRange& range = own.ranges.emplace_back(sizes_of(mesh));
    range.batch = slice.batch, range.first_instance = slice.first_instance;
    range.instance_count = slice.instance_count;
    own.placed.push_back({mesh.mesh, static_cast<std::byte*>(pages.buffers[slice.page].mapped) + slice.offset});
    place(pages.read_by_device(slice.page).get(), slice.offset, own.placed.back().mapped, range);
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

CpuSkinning::CpuSkinning(const Device& device, uint32_t frames_in_flight, uint32_t update_groups, bool pulled)
    : PageBackend(device, vertex_pages(frames_in_flight, update_groups, pulled)), palettes_(update_groups) {}

void CpuSkinning::skin(uint32_t group) {
  const std::span<const InstanceRange> all = ranges(group);
  for (size_t i = 0; i < all.size(); ++i)
    skin_range(all[i], mesh(group, i), reinterpret_cast<SkinnedVertex*>(mapped(group, i)));
}

void CpuSkinning::skin_range(const InstanceRange& range, const Mesh& mesh, SkinnedVertex* out) {
  positions_.resize(range.vertex_count), normals_.resize(range.vertex_count);
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const auto palette = range.palettes.subspan(size_t(i) * range.palette_stride, range.palette_size);
    const auto weights = range.weights.empty()
                             ? std::span<float>()
                             : range.weights.subspan(size_t(i) * range.weight_stride, range.target_count);
    skin_on_cpu(mesh, palette, positions_, normals_, {}, weights);
    for (uint32_t v = 0; v < range.vertex_count; ++v)
      *out++ = {{positions_[v].x, positions_[v].y, positions_[v].z}, encode_normal(normals_[v])};
  }
}

Result<std::unique_ptr<VertexSkinning>> VertexSkinning::create(const Device& device, std::span<const Model> models,
                                                               uint32_t frames_in_flight, uint32_t update_groups,
                                                               ThreadPool& pool) {
  const Result<Blend> blend = common_blend(models);
  if (!blend) return blend.error();
  auto meshes = vulkan::create_skinner(skinner_info(device, frames_in_flight, vulkan::kVertexInput));
  if (!meshes) return meshes.error();
  std::unique_ptr<VertexSkinning> skinning(
      new VertexSkinning(device, std::move(*meshes), frames_in_flight, update_groups, pool));
  if (*blend == Blend::kDualQuaternion) skinning->matrices_.emplace(update_groups);
  return skinning;
}

VertexSkinning::VertexSkinning(const Device& device, vulkan::Skinner meshes, uint32_t frames_in_flight,
                               uint32_t update_groups, ThreadPool& pool)
    : PageBackend(device, palette_pages(frames_in_flight, update_groups)),
      device_(device),
      meshes_(std::move(meshes)),
      pool_(pool) {}

Result<MeshId> VertexSkinning::add_mesh(const BackendMesh& mesh) {
  const auto id = meshes_.add_mesh(*mesh.mesh, mesh.palette_size, mesh.name, mesh.box);
  if (!id) return id.error();
  ids_.push_back(*id);
  return PageBackend::add_mesh(mesh);
}

/// A frame without instances uploads the meshes.
Status VertexSkinning::upload_meshes() {
  if (Status begun = meshes_.begin_frame({}); !begun) return begun;
  return run_once(device_, "upload of meshes", [&](VkCommandBuffer cmd) { meshes_.record(cmd); });
}

void VertexSkinning::place(VkBuffer page, VkDeviceSize offset, std::byte* mapped, InstanceRange& range) {
  const size_t entries = size_t(range.instance_count) * range.palette_stride;
  set_palettes({reinterpret_cast<Matrix3x4*>(mapped), entries}, range);
  range.palette_buffer = page, range.palette_offset = offset;
}

void VertexSkinning::finish(uint32_t group, std::span<InstanceRange> ranges) {
  if (matrices_) matrices_->place(group, ranges);
}

/// Splits the matrices; the vertex shader blends what it reads.
void VertexSkinning::skin(uint32_t group) {
  if (!matrices_) return;
  const std::span<const InstanceRange> all = ranges(group);
  for (size_t r = 0; r < all.size(); ++r) {
    const InstanceRange& range = all[r];
    auto* const split = reinterpret_cast<Matrix3x4*>(mapped(group, r));
    pool_.for_each(range.instance_count, [&](uint32_t i) {
      const size_t first = size_t(i) * range.palette_stride;
      const auto from = range.palettes.subspan(first, range.palette_stride);
      const std::span to(split + first, range.palette_stride);
      internal::pack_palette(from.first(range.palette_size), to);
      std::copy(from.begin() + ptrdiff_t(range.palette_size), from.end(),
                to.begin() + ptrdiff_t(range.palette_size));  // morph weights
    });
  }
}

uint64_t VertexSkinning::device_bytes() const {
  return PageBackend::device_bytes() + app::device_bytes(meshes_.memory_usage());
}

}  // namespace sinew::app
