// The letters that the overlay can write: those of Latin, and what names need besides.
#pragma once

#include <imgui.h>

#include <span>
#include <string>
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

// Fonts of the system: those that fontconfig knows, if the program was built with it; on Windows those of a list.

/// A file may hold several fonts.
struct SystemFont {
  std::string path;
  int index = 0;
};

/// Outline fonts that have these letters between them, as far as there are any: first the one that the system takes for
/// letters of one width, then one for each script that the fonts before it do not have. Empty: there is none. Takes
/// some milliseconds; with fontconfig the first time on a machine some seconds.
std::vector<SystemFont> find_fonts(std::span<const char32_t> letters);

}  // namespace sinew::app
