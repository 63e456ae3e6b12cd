// The host declares the pointers that it needs, and fills them from a loader that it opens.
#define VK_NO_PROTOTYPES
#include <dlfcn.h>
#include <vulkan/vulkan_core.h>

#include "common/functions.h"

#define DECLARE(name) static PFN_vk##name vk##name = nullptr;
HOST_FUNCTIONS(DECLARE)

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

int main() {
  void* const loader = ::dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loader == nullptr) return std::printf("SKIPPED: libvulkan.so.1 cannot be opened\n"), kSkipped;
  const auto get = PFN_vkGetInstanceProcAddr(::dlsym(loader, "vkGetInstanceProcAddr"));
  const VkInstance instance = make_instance(PFN_vkCreateInstance(get(nullptr, "vkCreateInstance")));
#define LOAD(name) vk##name = PFN_vk##name(get(instance, "vk" #name));
  HOST_FUNCTIONS(LOAD)
  const sinew::Character tube = make_tube();
  return with_host(instance, [&](Host& host) { return skin_tube(host, copied_vertices(get), tube, evaluated(tube)); });
}
