// The draws of a frame: from a plan and the ranges of the skinner.
#pragma once

#include <span>
#include <vector>

#include "crowd_models.h"
#include "sinew/crowd/plan.h"
#include "sinew/experimental/crowd_parts.h"

namespace sinew::vulkan::internal {

/// A range of the skinned meshes of a frame, and where its posed meshes are in the plan.
struct PlacedRange {
  uint32_t group = 0;       // in crowd::Plan::groups
  uint32_t batch = 0;       // in crowd::Plan::batches
  uint32_t first_mesh = 0;  // in crowd::Plan::posed_meshes
  const InstanceRange* range = nullptr;
};

/// All ranges of the backend, those of groups that are not updated in this frame too, in the order of posed meshes.
void append_ranges(const crowd::Plan& plan, const experimental::SkinningBackend& backend,
                   std::vector<PlacedRange>& placed);

/// Of the first instance of a range, counted from the start of the buffer: offsets are multiples of a vertex.
inline uint32_t first_vertex_of(const InstanceRange& range) {
  return range.vertex_bytes == 0 ? 0 : uint32_t(range.vertices_offset / range.vertex_bytes);
}

class DrawList {
 public:
  /// Makes the draws of a frame. Keeps its memory.
  void build(const CrowdImpl& crowd, const crowd::Plan& plan, const ParallelFor& parallel_for);
  void clear() { draws_.clear(), commands_.clear(); }

  std::span<const Draw> draws() const { return draws_; }
  std::span<const crowd::DrawCommand> commands() const { return commands_; }

 private:
  using PosedMeshes = std::span<const crowd::PosedMesh>;

  void add(AlphaMode mode, const crowd::Plan& plan, uint32_t& command_count);
  void append(const InstanceRange& range, const crowd::PosedBatch& batch, const MaterialPiece& piece,
              PosedMeshes meshes);
  void write_commands(const ParallelFor& parallel_for);

  std::vector<Draw> draws_;
  std::vector<PosedMeshes> posed_meshes_;  // of each draw, while it is built
  std::vector<crowd::DrawCommand> commands_;
  const CrowdImpl* crowd_ = nullptr;
};

}  // namespace sinew::vulkan::internal
