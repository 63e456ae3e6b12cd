// The loader is linked: Vulkan's functions have prototypes.
#include <vulkan/vulkan.h>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  const VkInstance instance = make_instance(vkCreateInstance);
  const sinew::Character tube = make_tube();
  int code = 0;
  {
    Host host(instance);
    code = skin_tube(host, copied_vertices(vkGetInstanceProcAddr), tube, evaluated(tube));
  }
  vkDestroyInstance(instance, nullptr);
  return code;
}
