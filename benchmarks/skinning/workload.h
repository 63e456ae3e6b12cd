// The workload: the program's crowd of one model (src/app/scene), at a fixed time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

struct Workload {
  const app::Model& model;          // borrowed
  uint32_t palette_stride = 0;      // in matrices
  float palette_scale = 1;          // of all matrices, where they scale equally
  std::vector<Matrix3x4> palettes;  // one palette per instance
  std::vector<float> weights;       // of morph targets: per instance one per target
  Mesh dual_quaternion_mesh;        // the character's, blended otherwise
  Box box;                          // of the skinned vertices in model space, with a margin
  std::vector<Playback> playbacks;  // one per instance

  const Character& character() const { return model.character; }
  uint32_t instance_count() const { return uint32_t(palettes.size() / palette_stride); }
  std::span<const Matrix3x4> palette(uint32_t instance) const {
    return std::span(palettes).subspan(size_t{instance} * palette_stride, character().skin.palette_size());
  }
  std::span<const float> weights_of(uint32_t instance) const {
    const size_t count = character().mesh.target_count();
    return std::span(weights).subspan(instance * count, count);
  }
  const Mesh& mesh(Blend blend) const { return blend == Blend::kLinear ? character().mesh : dual_quaternion_mesh; }
};

/// Loads the model `path` (empty: the built-in character) as the program does, and its tangents.
Result<app::Model> load_with_tangents(const std::string& path);

/// Evaluates `instances` palettes, at least one, with the exact evaluator. The playbacks are those of the program's
/// scene. `model` must outlive the workload.
Result<Workload> make_workload(const app::Model& model, uint32_t instances);

}  // namespace sinew::bench
