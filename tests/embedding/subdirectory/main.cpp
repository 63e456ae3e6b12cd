// Without sinew::animation: the palettes are the host's. The library's scopes go to a profiler of the host.
#include <vulkan/vulkan.h>

#include <cstdio>

#include "common/host.h"
#include "common/skin_tube.h"
#include "count_scopes.h"

int main() {
  const auto skin = [](Host& host) {
    return skin_tube(host, copied_vertices(vkGetInstanceProcAddr), make_tube(), write_by_hand);
  };
  const int code = with_host(make_instance(vkCreateInstance), skin);
  const int opened = CountedScope::opened, closed = CountedScope::closed;
  std::printf("%d scopes opened, %d closed\n", opened, closed);
  if (opened < 4 * 3 || opened != closed) return 1;  // four frames: begin_frame, prepare, record
  return code;
}
