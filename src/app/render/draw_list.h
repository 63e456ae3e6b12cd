// What the device reads of the draws of a frame: attributes of instances, and commands.
#pragma once

#include <cstdint>
#include <vector>

#include "render/draw_options.h"
#include "scene/scene.h"
#include "sinew/asset/parallel.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// Where an instance was drawn in the frame before.
struct PreviousAttributes {
  VkDeviceAddress vertices = 0;  // in the order of the mesh; 0: it was not drawn then
  Vec3 moved;                    // by which it has moved since; world space
  uint32_t padding = 0;
};

/// Consecutive posed meshes of a batch, whose instances one thread writes.
struct DrawPiece {
  uint32_t batch = 0;
  uint32_t first = 0, count = 0;  // in Plan::posed_meshes
};

/// What the device reads of the draws of one frame. Each frame slot has its own.
struct DrawList {
  Buffer instances;              // shared::InstanceAttributes, in the order of Skinning::instances()
  Buffer previous;               // with DrawSource::previous: PreviousAttributes, likewise
  Buffer commands;               // VkDrawIndexedIndirectCommand: Skinning::commands()
  uint32_t instance_count = 0;   // all instances drawn, once for each mesh
  uint32_t character_count = 0;  // all instances drawn
  uint32_t command_count = 0;
  // Of the last list; they keep their memory.
  std::vector<DrawPiece> pieces;
  std::vector<uint32_t> first_elements;                // see Skinning::write_first_elements()
  std::vector<vulkan::VertexSlice> previous_vertices;  // with DrawSource::previous
};

/// What is to be drawn.
struct DrawSource {
  const Scene& scene;
  const Skinning& skinning;
  ParallelFor parallel_for;
  bool previous = false;  // where instances were drawn in the frame before is needed
  Coloring coloring = Coloring::kLit;
};

/// Writes the attributes of all instances that are drawn, and the commands. The device must have finished the last
/// draws of `list`. Allocates where a buffer must grow.
Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list);

}  // namespace sinew::app
