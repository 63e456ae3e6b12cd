// Dear ImGui as the program uses it: one context, a style, and draw lists as plain data for the renderer.
//
// With a window, Window::begin_interface() passes on its events before begin(). Without one, begin() alone is enough:
// labels on pictures need no window.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "gpu/host.h"

namespace sinew::app {

class Letters;

/// One per process. Main thread only.
class Interface {
 public:
  /// `scale` multiplies the size of letters and controls: 1 or 2, for example.
  explicit Interface(float scale);
  ~Interface();
  Interface(const Interface&) = delete;
  Interface& operator=(const Interface&) = delete;

  /// Makes sure that the letters of a text can be written, where the system has a font for them: call it before
  /// begin(). Letters of Latin can be written without. The first of another script may take some milliseconds in
  /// begin().
  void add_letters(std::string_view text);

  /// Begins a frame for a picture of this size. From here on labels and panels can be added.
  void begin(uint32_t width, uint32_t height);

  /// Ends the frame. Valid until the next begin().
  const Overlay& end();

  float scale() const { return scale_; }

  /// Whether the mouse is over a panel, or a control has it; whether keys go to a text field or to an open list.
  bool takes_mouse() const;
  bool takes_keys() const;

 private:
  float scale_;
  std::unique_ptr<Letters> letters_;
  bool has_new_letters_ = true;
  Overlay overlay_;
};

}  // namespace sinew::app
