#include "render/draw_options.h"

#include <array>

namespace sinew::app {

bool times_depth(const DrawOptions& options, bool cpu_device) { return draws_depth_first(options) && !cpu_device; }

std::vector<const char*> timed_passes(const DrawOptions& options, bool cpu_device) {
  constexpr std::array kMaps = {"shadow map 0", "shadow map 1", "shadow map 2", "shadow map 3"};
  std::vector<const char*> names(kMaps.begin(), kMaps.begin() + shadow_map_count(options));
  const bool apart = times_depth(options, cpu_device);
  if (apart) names.push_back("depth");
  names.push_back(draws_depth_first(options) && !apart ? "depth and color" : "color");
  return names;
}

}  // namespace sinew::app
