#include "skinning/cpu_skinning.h"

#include "sinew/asset/cpu_skin.h"
#include "system/clock.h"

namespace sinew::app {
namespace {

GroupPagesInfo vertex_pages(bool pulled) {
  constexpr const char* kName = "sinew.cpu_vertices.";
  if (pulled) return {VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, kName, vulkan::kVertexPulling};
  return {VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, kName, vulkan::kVertexInput};
}

std::vector<PageRequest> requests_of(std::span<const crowd::PosedBatch> batches, std::span<const Model> models) {
  std::vector<PageRequest> requests;
  for (const crowd::PosedBatch& batch : batches) {
    const Mesh& mesh = models[batch.character].levels[batch.level].mesh;
    requests.push_back({batch.mesh_count, mesh.vertex_count() * sizeof(SkinnedVertex)});
  }
  return requests;
}

}  // namespace

/// One set of palettes is enough: they are used up before the next frame.
SkinningProperties CpuSkinning::properties(const SkinningInfo& info) { return {.kept = {1, info.frames_in_flight}}; }

Result<std::unique_ptr<SkinningStrategy>> CpuSkinning::create(const Device& device, std::span<const Model> models,
                                                              const SkinningInfo& info) {
  return std::unique_ptr<SkinningStrategy>(new CpuSkinning(device, models, info));
}

CpuSkinning::CpuSkinning(const Device& device, std::span<const Model> models, const SkinningInfo& info)
    : models_(models), vertices_(device, info, vertex_pages(info.pulls_vertices)), palettes_(info.update_groups) {}

Status CpuSkinning::update_group(uint32_t group, std::span<const crowd::PosedBatch> batches,
                                 std::vector<SkinnedRange>& ranges) {
  ranges.clear();
  if (Status fits = vertices_.fit(group, requests_of(batches, models_)); !fits) return fits;
  const Pages& pages = vertices_.of(group);
  for (const PageSlice& slice : pages.slices) {
    const crowd::PosedBatch& batch = batches[slice.batch];
    SkinnedRange& range = ranges.emplace_back(range_of(slice, batch, models_[batch.character]));
    range.page = slice.page;
    range.vertices = pages.read_by_device(slice.page).get();
    range.vertices_offset = slice.offset;
    range.mapped_vertices = {reinterpret_cast<SkinnedVertex*>(mapped_bytes(pages, slice)),
                             size_t(range.mesh_count) * range.vertex_count};
  }
  palettes_.place(group, ranges);
  return {};
}

std::optional<double> CpuSkinning::skin(const crowd::Plan& plan, std::span<const SkinnedRange> ranges) {
  const Stopwatch skinning;
  for (const SkinnedRange& range : ranges) {
    if (!range.not_updated) skin_range(range, plan.batches[range.batch]);
  }
  return skinning.elapsed_ms();
}

void CpuSkinning::skin_range(const SkinnedRange& range, const crowd::PosedBatch& batch) {
  const Model& model = models_[batch.character];
  const uint32_t palette_size = model.character.skin.palette_size();
  positions_.resize(range.vertex_count), normals_.resize(range.vertex_count);
  for (uint32_t i = 0; i < range.mesh_count; ++i) {
    const auto slice = range.palettes.subspan(size_t(i) * range.palette_stride, range.palette_stride);
    const auto weights = weights_behind(slice, palette_size).first(model.character.mesh.target_count());
    skin_on_cpu(model.levels[batch.level].mesh, slice.first(palette_size), positions_, normals_, {}, weights);
    SkinnedVertex* out = &range.mapped_vertices[size_t(i) * range.vertex_count];
    for (uint32_t v = 0; v < range.vertex_count; ++v)
      out[v] = {{positions_[v].x, positions_[v].y, positions_[v].z}, encode_normal(normals_[v])};
  }
}

}  // namespace sinew::app
