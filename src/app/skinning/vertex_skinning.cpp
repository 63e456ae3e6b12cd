#include "skinning/vertex_skinning.h"

#include <algorithm>
#include <utility>

#include "asset/dual_quaternion.h"
#include "gpu/skinner_info.h"

namespace sinew::app {
namespace {

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

Result<VkDeviceSize> VertexSkinning::add_mesh(const BackendMesh& mesh) {
  if (const auto added = PageBackend::add_mesh(mesh); !added) return added;
  const auto id = meshes_.add_mesh(*mesh.mesh, mesh.palette_size, mesh.name, mesh.box);
  if (!id) return id.error();
  ids_.push_back(*id);
  return static_mesh(uint32_t(ids_.size()) - 1).size_bytes;
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
void VertexSkinning::skin(std::span<const PlacedRange> updated) {
  if (!matrices_) return;
  for (const PlacedRange& placed : updated) {
    const InstanceRange& range = *placed.range;
    auto* const split = reinterpret_cast<Matrix3x4*>(mapped(placed));
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
