#include "skinning/model_skinner.h"

#include <algorithm>

#include "sinew/animation/pose.h"

namespace sinew::app {

namespace {

vulkan::PaletteFormat palette_format(const Character& character) {
  const auto scaling = palette_scaling(character.skeleton, character.skin, character.clips);
  return scaling == PaletteScaling::kAny ? vulkan::PaletteFormat::kMatrices : vulkan::PaletteFormat::kRigid;
}

}  // namespace

Box box_of_positions(const Model& model) { return model.bounds ? model.bounds->layered : Box(); }

Result<ModelSkinner> create_model_skinner(vulkan::SkinnerInfo info, std::span<const Model> models) {
  info.morph_targets = std::any_of(models.begin(), models.end(),
                                   [](const Model& model) { return !model.character.mesh.targets.empty(); });
  info.dual_quaternions = std::any_of(models.begin(), models.end(), [](const Model& model) {
    return model.character.mesh.blend == Blend::kDualQuaternion;
  });
  info.rigid_palettes = true;
  auto skinner = vulkan::create_skinner(info);
  if (!skinner) return skinner.error();
  ModelSkinner created{std::move(*skinner), {}};
  for (const Model& model : models) {
    const uint32_t palette_size = model.character.skin.palette_size();
    const vulkan::PaletteFormat format = palette_format(model.character);
    for (const Level& level : model.levels) {
      const Box box = box_of_positions(model);
      auto id = created.skinner.add_mesh(level.mesh, palette_size, model.name.c_str(), box, {format});
      if (!id) return id.error();
      created.meshes.push_back(*id);
    }
  }
  return created;
}

/// Palettes that have a device-local copy are not in device memory, and as large as their copy: they count once.
uint64_t ModelSkinner::device_bytes() const {
  const vulkan::MemoryUsage usage = skinner.memory_usage();
  return usage.mesh_bytes + usage.palette_bytes + usage.skinned_bytes + usage.job_bytes;
}

}  // namespace sinew::app
