// The draws of a frame: from a plan and the ranges of the skinner.
#pragma once

#include <span>
#include <vector>

#include "crowd_models.h"
#include "sinew/crowd/plan.h"
#include "sinew/experimental/crowd_parts.h"

namespace sinew::vulkan::internal {

using experimental::PlacedRange;

/// All ranges of the backend, those of groups that are not updated in this frame too.
void append_ranges(const crowd::Plan& plan, const experimental::SkinningBackend& backend,
                   std::vector<PlacedRange>& placed);

class DrawList {
 public:
  /// Makes the draws of a frame: bodies, then what they wear. Keeps its memory.
  void build(const CrowdImpl& crowd, const crowd::Plan& plan, const ParallelFor& parallel_for);
  void clear() { draws_.clear(), commands_.clear(); }

  std::span<const Draw> draws() const { return draws_; }
  std::span<const crowd::DrawCommand> commands() const { return commands_; }

 private:
  /// Ranges, and the posed meshes that their `first_mesh` counts in.
  struct Source {
    std::span<const PlacedRange> ranges;
    std::span<const crowd::PosedMesh> posed_meshes;
  };
  using PosedMeshes = std::span<const crowd::PosedMesh>;

  void add(AlphaMode mode, const Source& source, uint32_t& command_count);
  void append(const InstanceRange& range, const CrowdLevel& level, const MaterialPiece& piece, PosedMeshes meshes);
  void write_commands(const ParallelFor& parallel_for);

  std::vector<Draw> draws_;
  std::vector<PosedMeshes> posed_meshes_;  // of each draw, while it is built
  std::vector<crowd::DrawCommand> commands_;
  const CrowdImpl* crowd_ = nullptr;
};

}  // namespace sinew::vulkan::internal
