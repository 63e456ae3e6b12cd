// Dear ImGui as the program uses it: one context, a style, and draw lists as plain data for the renderer.
//
// With a window, Window::begin_interface() passes on its events before begin(). Without one, begin() alone is enough:
// labels on pictures need no window.
#pragma once

#include <cstdint>

#include "gpu/host.h"

namespace sinew::app {

/// One per process. Main thread only.
class Interface {
 public:
  /// `scale` multiplies the size of letters and controls: 1 or 2, for example.
  explicit Interface(float scale);
  ~Interface();
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  /// Begins a frame for a picture of this size. From here on labels and panels can be added.
  void begin(uint32_t width, uint32_t height);

  /// Ends the frame. Valid until the next begin().
  const Overlay& end();

  float scale() const { return scale_; }

  /// Whether the mouse is over a panel, or a control has it; whether letters go to a text field.
  bool takes_mouse() const;
  bool takes_keys() const;

 private:
  float scale_;
  Overlay overlay_;
};

}  // namespace sinew::app
