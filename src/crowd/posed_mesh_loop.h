// Loops over the bodies of a plan, on the host's threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "asset/for_each.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// Calls `work(batch, mesh)` for every body: its index in Plan::posed_meshes, and that of its batch.
template <class Work>
void for_each_body(const Plan& plan, const ParallelFor& parallel_for, Work&& work) {
  constexpr uint32_t kMinPerPiece = 8192;
  const sinew::internal::Pieces pieces(uint32_t(plan.playbacks.size()), kMinPerPiece);
  sinew::internal::for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t b = 0; b < plan.batches.size(); ++b) {
      const PosedBatch& batch = plan.batches[b];
      if (batch.is_worn()) continue;
      const uint32_t end = std::min(batch.first_mesh + batch.mesh_count, pieces.end(piece));
      for (uint32_t mesh = std::max(batch.first_mesh, pieces.begin(piece)); mesh < end; ++mesh) work(b, mesh);
    }
  });
}

}  // namespace sinew::crowd::internal
