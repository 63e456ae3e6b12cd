// The draw list of a frame: its draw commands and instance attributes, for the instances of its plan.
#pragma once

#include <span>
#include <vector>

#include "render/draw_options.h"
#include "render/model_buffers.h"
#include "render/previous_vertices.h"
#include "scene/scene.h"
#include "sinew/asset/parallel.h"
#include "sinew/crowd/plan.h"
#include "skinning/skinning.h"

namespace sinew::app {

/// The draw commands of one material in one range.
struct DrawCalls {
  uint32_t range = 0;                             // in DrawSource::ranges
  uint32_t mesh = 0, material = 0;                // `material` in ModelBuffers::materials[mesh]
  uint32_t first_command = 0, command_count = 0;  // in DrawList::commands
};

/// Consecutive posed meshes of a range, whose draws one thread writes at once.
struct DrawPiece {
  uint32_t range = 0;                       // in DrawSource::ranges
  uint32_t first_mesh = 0, mesh_count = 0;  // in the range
  uint32_t first_command = 0;               // of a material's commands in the range
};

/// Where an instance was drawn in the frame before.
struct PreviousAttributes {
  VkDeviceAddress vertices = 0;  // as PreviousVertices::address_of() has it
  Vec3 moved;                    // by which it has moved since; world space
  uint32_t padding = 0;
};

/// The draws of one frame. Each frame slot has its own, because the device reads it.
struct DrawList {
  Buffer instances;  // shared::InstanceAttributes, in the order of crowd::Plan::instances
  Buffer previous;   // with DrawSource::previous: PreviousAttributes, likewise
  Buffer commands;   // VkDrawIndexedIndirectCommand
  std::vector<VkDrawIndexedIndirectCommand> direct;  // the same, for devices without such indirect draws
  std::vector<DrawCalls> calls;                      // by range
  uint32_t character_count = 0;                      // all instances drawn
  std::vector<DrawPiece> pieces;                     // how the last list was written
};

/// What is to be drawn.
struct DrawSource {
  const Scene& scene;
  const crowd::Plan& plan;
  const ModelBuffers& buffers;
  std::span<const SkinnedRange> ranges;  // of the whole plan
  VertexSource vertices;
  ParallelFor parallel_for;
  const PreviousVertices* previous = nullptr;  // null: not needed
  Coloring coloring = Coloring::kLit;

  /// Whether a range is one draw of each material.
  bool instanced() const { return vertices != VertexSource::kInput; }
};

/// Writes one command per range and material; with VertexSource::kInput one per posed mesh and material, for all
/// instances drawn with that mesh. What has no visible instances gets no command. The device must have finished the
/// last draws of `list`. Allocates where a buffer must grow.
Status write_draw_list(const Device& device, const DrawSource& source, DrawList& list);

}  // namespace sinew::app
