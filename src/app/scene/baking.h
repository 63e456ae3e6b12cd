// Bakes the models of a run, with a progress line.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "scene/bake_report.h"
#include "scene/model.h"
#include "system/clock.h"
#include "system/progress.h"

namespace sinew::app {

/// Shows the progress of a file that is baked in the process that reads it, and measures how long the bake takes.
class IsolatedBake {
 public:
  /// `which` names the file, as in "baking Fox". `line` must outlive the bake; one line may serve several files.
  IsolatedBake(std::string which, ProgressLine& line) : which_(std::move(which)), line_(line) {}

  /// For IsolationOptions::progress. This object must outlive the import.
  BakeProgress progress();

  bool began() const { return watch_.has_value(); }
  /// Since the bake began; 0 if it did not.
  double elapsed_ms() const { return watch_ ? watch_->elapsed_ms() : 0; }

 private:
  std::string which_;
  ProgressLine& line_;
  std::optional<Stopwatch> watch_;
};

/// The error of a bake, with the option of `sinew crowd` that avoids it.
Error with_hint(const Error& error);

/// Bakes the palettes of levels of detail again, where the bake that was loaded is not of the clips that the model has
/// now.
Status bake_levels(Model& model, const BakeProgress& progress = {});

/// Bakes the models that no bake was loaded with. May take seconds. Fails with the model's name where a model cannot be
/// baked. A clip whose error stays above the bound becomes a warning in the report. `line`: shows the progress; null:
/// nothing does.
Result<BakeReport> bake_models(std::span<Model> models, ProgressLine* line = nullptr);

/// Measures the bounds of every model from its bake, where none were loaded with it; makes the bake where there is
/// none. `exact`: they contain exact poses too, which may leave those of baked ones a little. A model that cannot be
/// baked is never culled.
void measure_bounds(std::span<Model> models, bool exact, ProgressLine* line = nullptr);

}  // namespace sinew::app
