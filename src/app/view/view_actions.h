// What keys and panels do to the viewer. Each action leaves a message for the user where it fails.
#pragma once

#include <optional>
#include <string>

#include "view/viewer.h"

namespace sinew::app {

/// A number that is typed digit by digit, such as that of a clip.
class NumberEntry {
 public:
  /// Adds a digit. The number is complete at once where a further digit would reach `count`.
  void type(uint32_t digit, uint32_t count);

  /// The number, once it is complete: after kWaitSeconds without a digit, or after finish().
  std::optional<uint32_t> take();
  void wait(double seconds) { waited_ += seconds; }
  void finish() { complete_ = true; }

  bool empty() const { return digits_.empty(); }
  const std::string& digits() const { return digits_; }

  static constexpr double kWaitSeconds = 0.7;

 private:
  std::string digits_;
  double waited_ = 0;
  bool complete_ = false;
};

/// The state of the viewer's window that is not about the characters.
struct ViewControls {
  bool crowd_evaluator = false;
  float difference_meters = 0;     // between the evaluators; of the last frame
  bool can_draw_wireframe = true;  // the device

  bool hidden = false;  // the panels

  NumberEntry number;
  bool number_is_layer = false;  // the number that is typed is the clip of a new layer

  // Requests to the window, which resets them.
  std::optional<CameraPreset> preset;
  bool frame = false;  // the selected character
  bool save_picture = false;
  bool capture = false;  // a frame, with RenderDoc

  std::string message;
};

void choose_clip(Viewer& viewer, ViewControls& controls, uint32_t clip);
void choose_next_clip(Viewer& viewer, ViewControls& controls, int direction);

/// Adds a layer of `clip` for the selected joint and all below it, or without one for the upper body.
void add_layer(Viewer& viewer, ViewControls& controls, uint32_t clip);

void set_root_motion(Viewer& viewer, ViewControls& controls, RootMotion mode);

/// The first joint whose name has the word spine, chest, torso or upper body; else kNoJoint.
int32_t upper_body_joint(const Skeleton& skeleton);

}  // namespace sinew::app
