// Draws the viewer: makes the renderer, and makes again what the state of the viewer changes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gpu/host.h"
#include "render/draw_options.h"
#include "render/renderer.h"
#include "viewer/viewer.h"
#include "window/interface.h"

namespace sinew::app {

/// The magnified figure in a corner, where a level of detail is shown at its own size: the middle of the picture, where
/// the selected character is, in the upper left corner of what the panels leave free, magnified by a whole number. None
/// where the level is enlarged, or the figure is too tall to be magnified twice.
std::optional<Inset> inset_of(const Viewer& viewer, VkExtent2D picture);

class ViewDrawing {
 public:
  static constexpr uint32_t kPasses = 2;  // a shadow map, and color

  struct Info {
    uint32_t width = 1280, height = 720, samples = 4;
  };
  /// `graphics`, `interface` and `viewer` must outlive it.
  static Result<std::unique_ptr<ViewDrawing>> create(GraphicsContext& graphics, Interface& interface, Viewer& viewer,
                                                     const Info& info);

  /// Brings renderer, masks, morph weights, vertex colors and lines up to date with the viewer, and measures the
  /// difference between the evaluators. Call it before each frame. May bake clips and make the renderer again, which
  /// takes up to some seconds.
  Status fit();

  /// After an error of fit(): sets the viewer to the level of detail and the evaluator that were drawn last.
  void return_to_drawn();

  /// The overlay of the next frame, and the frame itself, which shows lines and overlay as they are now.
  const Overlay& draw_overlay();
  FrameRequest request(const Overlay& overlay) const {
    return {.camera = viewer_.camera, .lines = &lines_, .overlay = &overlay, .inset = inset_of(viewer_, size())};
  }

  /// Draws the viewer as it is now with its labels, and with its panels if they are not hidden. Reads the picture back:
  /// RGBA, rows from the top.
  Result<std::vector<uint8_t>> picture();

  /// Draws a picture, writes it as PNG and prints its name and size.
  Status write_picture(const std::string& path);

  View view() const { return view_of(viewer_.camera, renderer_->target().width, renderer_->target().height); }
  VkExtent2D size() const { return {renderer_->target().width, renderer_->target().height}; }
  Renderer& renderer() { return *renderer_; }

 private:
  ViewDrawing(GraphicsContext& graphics, Interface& interface, Viewer& viewer, const Info& info)
      : graphics_(graphics), interface_(interface), viewer_(viewer), info_(info) {}
  bool bakes_all() const;
  Status bake();
  Status make_renderer();
  Status set_coloring();
  Status update_poses();
  Status measure_difference();

  GraphicsContext& graphics_;
  Interface& interface_;
  Viewer& viewer_;
  Info info_;
  std::unique_ptr<Evaluation> evaluation_;
  std::unique_ptr<Renderer> renderer_;  // null after an error
  Shown drawn_;                         // what the renderer draws
  Lines lines_;
};

}  // namespace sinew::app
