// Baking the models of a run: how far it is, while it takes long, and what came of it.
#pragma once

#include <span>

#include "scene/bake_report.h"
#include "scene/model.h"

namespace sinew::app {

/// Gives every model its bake. On a terminal a line says what is being baked once that takes longer than a second.
/// Refuses, with the model's name, what cannot be baked; a clip whose error stays above the bound becomes a warning.
Result<BakeReport> bake_models(std::span<Model> models);

/// Measures the bounds of every model, by its bake; where the exact evaluator is used, by one made for this alone. A
/// model that has none afterwards is never out of sight.
void measure_bounds(std::span<Model> models);

}  // namespace sinew::app
