// The renderer of a crowd as options ask for it, and how a window changes them while it draws.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "crowd/options.h"
#include "render/renderer.h"

namespace sinew::app {

/// What a crowd is drawn with, whatever the options are.
struct CrowdInputs {
  const Device& device;
  std::span<const Model> models;
  Evaluation& evaluation;
};

/// A CPU device draws the measured frames with one sample, and the last one again with four for the screenshot.
bool draws_again(const CrowdOptions& options, const Device& device);

/// The scene that the options name, in their light.
Scene make_scene(const CrowdOptions& options, std::span<const Model> models);

/// A renderer of one skinning mode. `inputs` and `scene` must outlive it.
Result<std::unique_ptr<Renderer>> create_renderer(const CrowdInputs& inputs, const Scene& scene,
                                                  const CrowdOptions& options, SkinningMode mode);

/// Whether a change from `a` to `b` makes nothing again.
bool draws_alike(const CrowdOptions& a, const CrowdOptions& b);

/// Changes options between two frames.
class CrowdDrawing {
 public:
  /// All must outlive it. `renderer` draws `scene`; both were made for `options`.
  CrowdDrawing(const CrowdInputs& inputs, CrowdOptions& options, Scene& scene, std::unique_ptr<Renderer>& renderer)
      : inputs_(inputs), options_(options), scene_(scene), renderer_(renderer) {}

  /// Makes again what `wanted` changes: scene and renderer, or pipelines alone. Draws `trial` with a new renderer.
  /// Waits for the device; may take seconds. Empty: the options are `wanted` now. A text: why they cannot be used; the
  /// options are as before. An error: those from before cannot be used any more either.
  Result<std::string> change(const CrowdOptions& wanted, const FrameRequest& trial);

 private:
  Status apply(const CrowdOptions& wanted, const FrameRequest& trial);
  Status make(const CrowdOptions& wanted, const FrameRequest& trial);

  CrowdInputs inputs_;
  CrowdOptions& options_;
  Scene& scene_;
  std::unique_ptr<Renderer>& renderer_;
};

}  // namespace sinew::app
