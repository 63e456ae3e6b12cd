#include "render/draw_options.h"

#include <array>

namespace sinew::app {

std::vector<const char*> timed_passes(const DrawOptions& options, bool cpu_device) {
  constexpr std::array kMaps = {"shadow map 0", "shadow map 1", "shadow map 2", "shadow map 3"};
  std::vector<const char*> names(kMaps.begin(), kMaps.begin() + shadow_map_count(options));
  if (!draws_depth_first(options)) {
    names.push_back("color");
  } else if (cpu_device) {
    names.push_back("depth and color");
  } else {
    names.push_back("depth"), names.push_back("color");
  }
  return names;
}

}  // namespace sinew::app
