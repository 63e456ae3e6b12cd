// Bakes the models of a run, with a progress line.
#pragma once

#include <span>

#include "scene/bake_report.h"
#include "scene/model.h"

namespace sinew::app {

/// Sets Model::bake of every model: the bake of its file, or a new one. May take seconds: on a terminal a progress line
/// appears after one second. Fails with the model's name where a model cannot be baked. A clip whose error stays above
/// the bound becomes a warning in the report.
Result<BakeReport> bake_models(std::span<Model> models);

/// Measures the bounds of every model from its bake. With the exact evaluator a bake is made for the bounds alone. A
/// model that has no bounds afterwards is never culled.
void measure_bounds(std::span<Model> models);

}  // namespace sinew::app
