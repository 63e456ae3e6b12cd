#include "skinning/vertex_skinning.h"

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

}  // namespace

SkinningProperties VertexSkinning::properties(const SkinningInfo& info) {
  return {.vertex_shader_skins = true, .kept = {info.frames_in_flight, 0}};
}

Result<std::unique_ptr<SkinningStrategy>> VertexSkinning::create(const Device& device, std::span<const Model> models,
                                                                 const SkinningInfo& info) {
  auto meshes = create_model_skinner(skinner_info(device, info.frames_in_flight, vulkan::kVertexInput), models);
  if (!meshes) return meshes.error();
  if (Status uploaded = upload_meshes(device, meshes->skinner); !uploaded) return uploaded.error();
  return std::unique_ptr<SkinningStrategy>(new VertexSkinning(device, models, info, std::move(*meshes)));
}

VertexSkinning::VertexSkinning(const Device& device, std::span<const Model> models, const SkinningInfo& info,
                               ModelSkinner meshes)
    : models_(models), meshes_(std::move(meshes)), palettes_(device, info, kPalettePages) {}

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
    range.palette_page = slice.page;
    range.first_entry = uint32_t(slice.offset / sizeof(Matrix3x4));
  }
  return {};
}

vulkan::MeshBuffer VertexSkinning::static_mesh(uint32_t mesh) const {
  return meshes_.skinner.mesh_buffer(meshes_.meshes[mesh]);
}

}  // namespace sinew::app
