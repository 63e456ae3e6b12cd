// Built by Meson. The palettes are the host's.
#include <vulkan/vulkan.h>

#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  const VkInstance instance = make_instance(vkCreateInstance);
  int code = 0;
  {
    Host host(instance);
    code = skin_tube(host, copied_vertices(vkGetInstanceProcAddr), make_tube(), write_by_hand);
  }
  vkDestroyInstance(instance, nullptr);
  return code;
}
