// The poses of a frame, evaluated in one parallel loop over pieces of all ranges. With a loop for each range, of which
// a frame has a hundred, threads would mostly wait for each other.
#pragma once

#include <cstdint>
#include <vector>

#include "draw_list.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/result.h"

namespace sinew::vulkan::internal {

struct CrowdImpl;

/// Keeps its memory.
class PoseLoop {
 public:
  /// Writes palettes, morph weights and sockets of all ranges in CrowdImpl::updated.
  Status run(CrowdImpl& crowd);

 private:
  /// What one thread evaluates at once: poses of one range.
  struct Piece {
    const PlacedRange* placed = nullptr;
    uint32_t first = 0, count = 0;                // in the range
    uint32_t first_target = 0, target_count = 0;  // in targets_
    Status status;
  };

  void add_pieces(const CrowdImpl& crowd, const PlacedRange& placed, uint32_t poses_per_piece);
  void add_targets(const CrowdImpl& crowd, Piece& piece);
  Status evaluate(CrowdImpl& crowd, const Piece& piece, bool stream) const;

  std::vector<PlacedRange> bodies_;  // the ranges with palettes
  std::vector<Piece> pieces_;
  std::vector<ChainTarget> targets_;  // of all pieces; they count instances of their piece
};

}  // namespace sinew::vulkan::internal
