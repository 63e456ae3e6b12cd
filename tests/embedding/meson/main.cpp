// Built by Meson. The palettes are the host's.
#include <vulkan/vulkan.h>

#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  const auto skin = [](Host& host) {
    return skin_tube(host, copied_vertices(vkGetInstanceProcAddr), make_tube(), write_by_hand);
  };
  return with_host(make_instance(vkCreateInstance), skin);
}
