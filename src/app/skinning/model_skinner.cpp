#include "skinning/model_skinner.h"

#include <algorithm>

#include "sinew/animation/pose.h"

namespace sinew::app {

namespace {

vulkan::PaletteKind palette_kind(const Model& model, bool compact) {
  if (compact) return {vulkan::PaletteFormat::kCompact, model.bake->baked.scale};
  const Character& character = model.character;
  const auto scaling = palette_scaling(character.skeleton, character.skin, character.clips);
  return {scaling == PaletteScaling::kAny ? vulkan::PaletteFormat::kMatrices : vulkan::PaletteFormat::kRigid};
}

/// With tangents that nothing reads: the skinner writes them for all meshes or for none.
Mesh with_tangents(Mesh mesh) {
  mesh.tangents.assign(mesh.positions.size(), {1, 0, 0, 1});
  return mesh;
}

}  // namespace

bool have_tangents(std::span<const Model> models) {
  bool some = false;
  for (const Model& model : models) {
    if (!has_normal_map(model)) continue;
    if (model.character.mesh.tangents.empty()) return false;
    some = true;
  }
  return some;
}

Box box_of_positions(const Model& model) { return model.bounds ? model.bounds->layered : Box(); }

bool can_be_compact(const Model& model) { return model.bake && !model.bake->baked.scales(); }

Result<ModelSkinner> create_model_skinner(const vulkan::SkinnerInfo& info, std::span<const Model> models,
                                          bool compact_palettes) {
  auto skinner = vulkan::create_skinner(info);
  if (!skinner) return skinner.error();
  ModelSkinner created{std::move(*skinner), {}};
  for (const Model& model : models) {
    const uint32_t palette_size = model.character.skin.palette_size();
    const vulkan::PaletteKind kind = palette_kind(model, compact_palettes);
    for (const Level& level : model.levels) {
      const Box box = box_of_positions(model);
      const bool lacks_tangents = info.tangents && level.mesh.tangents.empty();
      auto id = created.skinner.add_mesh(lacks_tangents ? with_tangents(level.mesh) : level.mesh, palette_size,
                                         model.name.c_str(), box, kind);
      if (!id) return id.error();
      created.meshes.push_back(*id);
    }
  }
  return created;
}

/// Palettes that have a device-local copy are not in device memory, and no larger than it: the copy counts. Compact
/// palettes count wherever they are.
uint64_t ModelSkinner::device_bytes() const {
  const vulkan::MemoryUsage usage = skinner.memory_usage();
  return usage.mesh_bytes + std::max(usage.palette_bytes, usage.palette_copy_bytes) + usage.expanded_bytes +
         usage.skinned_bytes + usage.job_bytes;
}

}  // namespace sinew::app
