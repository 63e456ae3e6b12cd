// volk declares Vulkan's functions as global pointers.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  must(volkInitialize(), "volkInitialize");
  const VkInstance instance = make_instance(vkCreateInstance);
  volkLoadInstance(instance);
  const sinew::Character tube = make_tube();
  int code = 0;
  {
    Host host(instance);
    volkLoadDevice(host.device);
    code = skin_tube(host, copied_vertices(vkGetInstanceProcAddr), tube, evaluated(tube));
  }
  vkDestroyInstance(instance, nullptr);
  return code;
}
