// The loader is linked: Vulkan's functions have prototypes.
#include <vulkan/vulkan.h>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  const sinew::Character tube = make_tube();
  const auto skin = [&](Host& host) {
    return skin_tube(host, copied_vertices(vkGetInstanceProcAddr), tube, evaluated(tube));
  };
  return with_host(make_instance(vkCreateInstance), skin);
}
