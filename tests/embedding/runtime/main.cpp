// Nothing but the runtime, with volk.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "common/host.h"
#include "common/skin_crowd.h"

int main() {
  must(volkInitialize(), "volkInitialize");
  const VkInstance instance = make_instance(vkCreateInstance);
  volkLoadInstance(instance);
  return with_host(instance, [](Host& host) {
    volkLoadDevice(host.device);
    return skin_crowd(host, copied_vertices(vkGetInstanceProcAddr));
  });
}
