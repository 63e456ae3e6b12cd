// What an interface says of its controls: the file that SINEW_CONTROLS names.
#pragma once

#include <map>
#include <sstream>
#include <string>

#include "child.h"

namespace sinew::test {

/// A rectangle of the screen, in pixels.
struct Area {
  int left = 0, top = 0, right = 0, bottom = 0;
};

/// Where each control is.
inline std::map<std::string, Area> controls_in(const std::string& path) {
  std::map<std::string, Area> all;
  std::istringstream lines(read(path));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Area area;
    std::string name;
    if (words >> area.left >> area.top >> area.right >> area.bottom && std::getline(words >> std::ws, name))
      all[name] = area;
  }
  return all;
}

/// One file for all tests of this process.
inline std::string controls_file() {
  static const Folder folder;
  return folder.path("controls");
}

}  // namespace sinew::test
