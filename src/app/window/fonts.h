// Fonts of the system, where the program was built with fontconfig.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace sinew::app {

/// A file may hold several fonts.
struct SystemFont {
  std::string path;
  int index = 0;
};

/// Outline fonts that have these letters between them, as far as there are any: first the one that the system takes for
/// letters of one width, then one for each script that the fonts before it do not have. Empty: there is none. Reads
/// what fontconfig keeps of all fonts: some milliseconds, the first time on a machine some seconds.
std::vector<SystemFont> find_fonts(std::span<const char32_t> letters);

}  // namespace sinew::app
