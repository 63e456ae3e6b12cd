// Draws the characters of the viewer: makes the renderer, and makes again what the state of the viewer changes.
#pragma once

#include <memory>
#include <optional>

#include "gpu/host.h"
#include "render/renderer.h"
#include "view/viewer.h"

namespace sinew::app {

class ViewDrawing {
 public:
  struct Info {
    uint32_t width = 1280, height = 720, samples = 4;
    bool crowd_evaluator = false;
  };
  /// `graphics` and `viewer` must outlive it.
  static Result<std::unique_ptr<ViewDrawing>> create(GraphicsContext& graphics, Viewer& viewer, const Info& info);

  /// Brings renderer, masks, vertex colors and lines up to date with the viewer. Call it before each frame. May bake
  /// clips and make the renderer again, which takes up to some seconds.
  Status fit();

  /// With the crowd evaluator: baked clips, evaluated as in a crowd. Takes effect in fit().
  void use_crowd_evaluator(bool use) { info_.crowd_evaluator = use; }
  bool uses_crowd_evaluator() const { return info_.crowd_evaluator; }

  /// The largest distance of a vertex of the selected character from its place by the exact evaluator, in model units.
  /// Of the last fit(); 0 with the exact evaluator.
  float difference() const { return difference_; }

  bool can_draw_wireframe() const { return graphics_.device.info.wireframe; }

  Renderer& renderer() { return *renderer_; }
  const Lines& lines() const { return lines_; }

 private:
  /// What the renderer was made for.
  struct Made {
    uint32_t level = 0;
    bool crowd_evaluator = false;
    size_t clip_count = 0;  // of all models, derived clips included
    bool operator==(const Made&) const = default;
  };
  /// What the colors were made for.
  struct Colors {
    DataColors meaning = DataColors::kMaterials;
    bool wireframe = false;
    uint32_t selected = 0;
    int32_t joint = kNoJoint;
    bool operator==(const Colors&) const = default;
  };

  ViewDrawing(GraphicsContext& graphics, Viewer& viewer, const Info& info)
      : graphics_(graphics), viewer_(viewer), info_(info) {}
  Made wanted() const;
  Colors wanted_colors() const;
  Status make_renderer();
  Status bake();
  Status update_masks();
  Status set_coloring();
  Status measure_difference();

  GraphicsContext& graphics_;
  Viewer& viewer_;
  Info info_;
  std::unique_ptr<Evaluation> evaluation_;
  std::unique_ptr<Renderer> renderer_;
  std::optional<Made> made_;
  std::optional<Colors> colors_;
  Lines lines_;
  float difference_ = 0;
};

}  // namespace sinew::app
