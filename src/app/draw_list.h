// Every draw of a frame, written once: the crowd's layout does not change from frame to frame.
#pragma once

#include <span>
#include <vector>

#include "model_buffers.h"
#include "scene.h"
#include "skinning.h"

namespace sinew::app {

/// The commands of one material in one range.
struct DrawGroup {
  uint32_t range = 0, batch = 0;
  uint32_t model = 0, material = 0;  // the latter in ModelBuffers::materials[model]
  uint32_t first_command = 0, command_count = 0;
};

struct DrawList {
  Buffer instances;                                  // shared::InstanceAttributes, in the scene's order
  Buffer commands;                                   // VkDrawIndexedIndirectCommand
  std::vector<VkDrawIndexedIndirectCommand> direct;  // the same, for devices that cannot draw them indirectly
  std::vector<DrawGroup> groups;                     // by range
};

/// One command a character and material; one a range and material where the vertex shader skins. Waits for the device.
Result<DrawList> create_draw_list(const Device& device, const Scene& scene, const ModelBuffers& buffers,
                                  std::span<const SkinnedRange> ranges, SkinningMode mode);

}  // namespace sinew::app
