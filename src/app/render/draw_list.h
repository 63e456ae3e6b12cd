// Every draw of a frame, written for what is in its cast.
#pragma once

#include <span>
#include <vector>

#include "crowd/visible_set.h"
#include "render/model_buffers.h"
#include "render/skinning.h"
#include "scene/scene.h"

namespace sinew::app {

/// The commands of one material in one range.
struct DrawCalls {
  uint32_t range = 0;
  uint32_t mesh = 0, material = 0;  // the latter in ModelBuffers::materials[mesh]
  uint32_t first_command = 0, command_count = 0;
};

/// One frame's; kept for its slot, as the device reads it.
struct DrawList {
  Buffer instances;                                  // shared::InstanceAttributes of VisibleSet::sharers
  Buffer commands;                                   // VkDrawIndexedIndirectCommand
  std::vector<VkDrawIndexedIndirectCommand> direct;  // the same, for devices that cannot draw them indirectly
  std::vector<DrawCalls> groups;                     // by range
  uint32_t character_count = 0;
};

/// What is to be drawn.
struct DrawSource {
  const Scene& scene;
  const VisibleSet& visible_set;
  const ModelBuffers& buffers;
  std::span<const SkinnedRange> ranges;
  SkinningMode mode;
};

/// One command a copy and material, drawn for all who share it; one a range and material where the vertex shader skins.
/// Nothing for what is held and not seen.
/// The device must have drawn what the list held before.
Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list);

}  // namespace sinew::app
