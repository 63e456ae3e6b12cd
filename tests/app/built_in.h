// The built-in character as the program loads it.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "must.h"
#include "scene/baking.h"
#include "scene/model.h"

namespace sinew::test {

/// Without levels of detail; loaded once in a process.
inline const app::Model& built_in() {
  static const app::Model model = std::move(app::load_model(SINEW_SOURCE_DIR "/assets/character.glb", {}).value());
  return model;
}

inline std::vector<app::Model> built_in_models() { return {built_in()}; }

/// What a crowd makes of models: levels of detail, bakes and bounds.
inline void prepare_models(std::vector<app::Model>& models) {
  for (app::Model& model : models) must(add_levels(model));
  must(bake_models(models));
  measure_bounds(models, false);
}

}  // namespace sinew::test
