// Two skinners on two devices, in turn: each has its own table of functions.
#include <vulkan/vulkan.h>

#include "common/evaluated.h"
#include "common/host.h"
#include "common/skin_tube.h"

static int skin(Host& first) {
  Host second(first.instance);
  Host* const hosts[] = {&first, &second};
  const sinew::Character tube = make_tube();
  const sinew::vulkan::SkinnerInfo info = copied_vertices(vkGetInstanceProcAddr);
  const WritePalettes write_palettes = evaluated(tube);
  TubeSkinner<Host> skinners[] = {{first, info, tube, write_palettes}, {second, info, tube, write_palettes}};
  for (auto& skinner : skinners) {
    if (int code = skinner.add_mesh(); code != 0) return code;
  }
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    for (auto& skinner : skinners) {
      if (int code = skinner.begin(frame); code != 0) return code;
    }
    for (int i = 0; i < 2; ++i) {
      hosts[i]->run([&](VkCommandBuffer cmd) {
        skinners[i].record(cmd);
        skinners[i].copy(cmd);
      });
    }
    for (const auto& skinner : skinners) {
      if (int code = skinner.compare(frame); code != 0) return code;
    }
  }
  return 0;
}

int main() { return with_host(make_instance(vkCreateInstance), skin); }
