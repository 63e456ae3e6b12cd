// Without sinew::animation: the palettes are the host's. The library's scopes go to a profiler of the host.
#include <vulkan/vulkan.h>

#include <cstdio>

#include "common/host.h"
#include "common/skin_tube.h"
#include "count_scopes.h"

int main() {
  const VkInstance instance = make_instance(vkCreateInstance);
  const sinew::Character tube = make_tube();
  int code = 0;
  {
    Host host(instance);
    code = skin_tube(host, copied_vertices(vkGetInstanceProcAddr), tube, write_by_hand);
  }
  vkDestroyInstance(instance, nullptr);
  const int opened = CountedScope::opened, closed = CountedScope::closed;
  std::printf("%d scopes opened, %d closed\n", opened, closed);
  if (opened < 4 * 3 || opened != closed) return 1;  // four frames: begin_frame, prepare, record
  return code;
}
