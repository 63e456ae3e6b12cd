#include "previous_poses.h"

#include <algorithm>
#include <span>

#include "asset/for_each.h"

namespace sinew::crowd::internal {

using sinew::internal::for_each;
using sinew::internal::Pieces;
namespace {

constexpr uint32_t kMaxPieces = 16, kMinPerPiece = 8192;

}  // namespace

void PreviousPoses::begin(uint64_t frame, uint32_t instance_count, const Plan& previous,
                          const ParallelFor& parallel_for) {
  previous_ = &previous, frame_ = frame;
  drawn_.resize(instance_count);
  const Pieces pieces(uint32_t(previous.posed_meshes.size()), kMaxPieces, kMinPerPiece);
  for_each(parallel_for, pieces.count(), [&](uint32_t piece) {
    for (uint32_t b = 0; b < previous.batches.size(); ++b) {
      const PosedBatch& batch = previous.batches[b];
      const uint32_t end = std::min(batch.first_mesh + batch.mesh_count, pieces.end(piece));
      for (uint32_t m = std::max(batch.first_mesh, pieces.begin(piece)); m < end; ++m) {
        const PosedMesh& mesh = previous.posed_meshes[m];
        for (const uint32_t instance :
             std::span(previous.instances).subspan(mesh.first_instance, mesh.instance_count)) {
          if (instance < instance_count) drawn_[instance] = {m, b, frame};
        }
      }
    }
  });
}

}  // namespace sinew::crowd::internal
