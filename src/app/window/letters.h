// The letters that the overlay can write: those of Latin, and what names need besides.
#pragma once

#include <imgui.h>

#include <string_view>
#include <vector>

#include "gpu/host.h"

namespace sinew::app {

class Letters {
 public:
  /// `scale` is that of the interface.
  explicit Letters(float scale);

  /// Adds the letters of a text, which is UTF-8. Returns whether one of them is new. A text whose
  /// letters would be more than kMaxLetters is left out, so that the image of all fits into any device.
  bool add(std::string_view text);

  /// All letters, in ascending order.
  std::vector<char32_t> all() const;

  /// Draws all letters into the atlas of Dear ImGui's context, outside of its frames: with fonts of the system, or
  /// where there is none with the built-in one. `version` of the image is `version`.
  OverlayFont draw(uint32_t version) const;

  static constexpr size_t kMaxLetters = 4096;

 private:
  float scale_;
  ImFontGlyphRangesBuilder letters_;
};

}  // namespace sinew::app
