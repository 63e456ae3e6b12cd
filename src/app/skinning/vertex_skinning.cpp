#include "skinning/vertex_skinning.h"

#include <algorithm>

#include "asset/dual_quaternion.h"
#include "gpu/skinner_info.h"

namespace sinew::app {
namespace {

constexpr GroupPagesInfo kPalettePages = {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                          "sinew.vertex_palettes.", vulkan::kVertexPulling};

/// A frame without instances uploads the meshes.
Status upload_meshes(const Device& device, vulkan::Skinner& skinner) {
  if (Status begun = skinner.begin_frame({}); !begun) return begun;
  return run_once(device, "upload of meshes", [&](VkCommandBuffer cmd) { skinner.record(cmd); });
}

std::vector<PageRequest> requests_of(std::span<const crowd::PosedBatch> batches, std::span<const Model> models) {
  std::vector<PageRequest> requests;
  for (const crowd::PosedBatch& batch : batches) {
    requests.push_back({batch.mesh_count, models[batch.character].palette_stride() * sizeof(Matrix3x4)});
  }
  return requests;
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

SkinningProperties VertexSkinning::properties(const SkinningInfo& info) {
  return {.vertex_shader_skins = true, .kept = {info.frames_in_flight, 0}};
}

Result<std::unique_ptr<SkinningStrategy>> VertexSkinning::create(const Device& device, std::span<const Model> models,
                                                                 const SkinningInfo& info) {
  const Result<Blend> blend = common_blend(models);
  if (!blend) return blend.error();
  auto meshes = create_model_skinner(skinner_info(device, info.frames_in_flight, vulkan::kVertexInput), models);
  if (!meshes) return meshes.error();
  if (Status uploaded = upload_meshes(device, meshes->skinner); !uploaded) return uploaded.error();
  return std::unique_ptr<SkinningStrategy>(new VertexSkinning(device, models, info, std::move(*meshes)));
}

VertexSkinning::VertexSkinning(const Device& device, std::span<const Model> models, const SkinningInfo& info,
                               ModelSkinner meshes)
    : models_(models),
      meshes_(std::move(meshes)),
      palettes_(device, info, kPalettePages),
      pool_(&info.evaluation->pool()) {
  if (models.front().character.mesh.blend == Blend::kDualQuaternion) matrices_.emplace(info.update_groups);
}

Status VertexSkinning::update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                                    std::vector<SkinnedRange>& ranges) {
  ranges.clear();
  if (Status fits = palettes_.fit(group, requests_of(batches, models_)); !fits) return fits;
  const Pages& pages = palettes_.of(group);
  for (const PageSlice& slice : pages.slices) {
    const crowd::PosedBatch& batch = batches[slice.batch];
    const Buffer& buffer = pages.read_by_device(slice.page);
    SkinnedRange& range = ranges.emplace_back(range_of(slice, batch, models_[batch.character]));
    range.palettes = {reinterpret_cast<Matrix3x4*>(mapped_bytes(pages, slice)), range.palette_entries()};
    range.palette_buffer = buffer.get();
    range.palette_texels = buffer.texels.get();
    range.page = slice.page;
    range.first_entry = uint32_t(slice.offset / sizeof(Matrix3x4));
  }
  if (!matrices_) return {};
  for (SkinnedRange& range : ranges) range.split_palettes = range.palettes;
  matrices_->place(group, ranges);
  return {};
}

/// Splits the matrices; the vertex shader blends what it reads.
void VertexSkinning::convert_palettes(const crowd::Plan& plan, std::span<const SkinnedRange> ranges) {
  if (!matrices_) return;
  for (const SkinnedRange& range : ranges) {
    if (range.not_updated) continue;
    const size_t size = models_[plan.batches[range.batch].character].character.skin.palette_size();
    pool_->for_each(range.mesh_count, [&](uint32_t mesh) {
      const size_t first = size_t(mesh) * range.palette_stride;
      const auto matrices = range.palettes.subspan(first, range.palette_stride);
      const auto split = range.split_palettes.subspan(first, range.palette_stride);
      internal::pack_palette(matrices.first(size), split);
      std::copy(matrices.begin() + ptrdiff_t(size), matrices.end(), split.begin() + ptrdiff_t(size));  // morph weights
    });
  }
}

vulkan::MeshBuffer VertexSkinning::static_mesh(uint32_t mesh) const {
  return meshes_.skinner.mesh_buffer(meshes_.meshes[mesh]);
}

}  // namespace sinew::app
