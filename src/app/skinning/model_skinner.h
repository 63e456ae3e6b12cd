// The library's skinner with the meshes of all models.
#pragma once

#include <span>
#include <vector>

#include "scene/model.h"
#include "sinew/vulkan/skinner.h"

namespace sinew::app {

struct ModelSkinner {
  vulkan::Skinner skinner;
  std::vector<vulkan::MeshId> meshes;  // of each level of each model in turn: see crowd::PosedBatch::mesh

  /// Device memory for meshes, palettes, skinned vertices and job lists, in bytes.
  uint64_t device_bytes() const;
};

/// Whether some models have normal maps, and all of these tangents.
bool have_tangents(std::span<const Model> models);

/// The box of VertexFormat::kPacked: around all poses of a model whose bounds are measured; else empty.
Box box_of_positions(const Model& model);

/// Whether the crowd evaluator can write CompactMatrix for a model: it is baked, and no joint scales.
bool can_be_compact(const Model& model);

/// Adds all meshes; the first record() uploads them. VertexFormat::kPacked needs the bounds of all models, and compact
/// palettes that all can_be_compact().
Result<ModelSkinner> create_model_skinner(const vulkan::SkinnerInfo& info, std::span<const Model> models,
                                          bool compact_palettes = false);

}  // namespace sinew::app
