#include "pose_loop.h"

#include <algorithm>
#include <span>

#include "crowd_impl.h"
#include "sinew/asset/parallel.h"
#include "sinew/vulkan/evaluate.h"

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kPieces = 64;  // so that all threads have about the same amount of work, up to 32 or so
constexpr uint32_t kMinPoses = 256, kMaxPoses = 2048;  // of a piece; few leave lanes without an instance
constexpr size_t kStreamingBytes = size_t{8} << 20;    // as CrowdEvaluator::evaluate()

size_t palette_bytes(const InstanceRange& range) {
  return range.palettes.size_bytes() + range.compact_palettes.size_bytes();
}

/// Of palettes with `stride` elements for each instance; empty stays empty.
template <class T>
std::span<T> part(std::span<T> all, size_t first, size_t count, size_t stride) {
  return all.empty() ? all : all.subspan(first * stride, count * stride);
}

}  // namespace

Status PoseLoop::run(CrowdImpl& crowd) {
  uint32_t poses = 0;
  size_t bytes = 0;
  bodies_.clear(), pieces_.clear(), targets_.clear();
  for (const PlacedRange& own : crowd.updated) {
    const crowd::PosedBatch& batch = crowd.planner.last().batches[own.batch];
    if (batch.is_worn()) continue;
    const CrowdPalette& palette = crowd.models.palette_of(batch);
    if (Status fits = sinew::internal::check_range(palette.evaluator.baked(), own.range->instance_count, *own.range);
        !fits)
      return fits;
    poses += own.range->instance_count, bytes += palette_bytes(*own.range);
    bodies_.push_back(own);
  }
  const uint32_t poses_per_piece = std::clamp(poses / kPieces, kMinPoses, kMaxPoses);
  for (const PlacedRange& own : bodies_) add_pieces(crowd, own, poses_per_piece);
  for_each_index(crowd.options.parallel_for, uint32_t(pieces_.size()),
                 [&](uint32_t i) { pieces_[i].status = evaluate(crowd, pieces_[i], bytes > kStreamingBytes); });
  const auto failed = std::ranges::find_if(pieces_, [](const Piece& piece) { return !piece.status; });
  return failed == pieces_.end() ? Status() : failed->status;
}

void PoseLoop::add_pieces(const CrowdImpl& crowd, const PlacedRange& placed, uint32_t poses_per_piece) {
  const uint32_t count = placed.range->instance_count;
  for (uint32_t first = 0; first < count; first += poses_per_piece) {
    Piece& piece = pieces_.emplace_back();
    piece.placed = &placed, piece.first = first, piece.count = std::min(poses_per_piece, count - first);
    if (!crowd.targets.empty() && !crowd.planner.last().batches[placed.batch].host_posed) add_targets(crowd, piece);
  }
}

/// Adds the targets of the instances of this piece.
void PoseLoop::add_targets(const CrowdImpl& crowd, Piece& piece) {
  const auto& meshes = crowd.planner.last().posed_meshes;
  piece.first_target = uint32_t(targets_.size());
  for (uint32_t i = 0; i < piece.count; ++i) {
    for (ChainTarget target : crowd.targets_of(meshes[piece.placed->first_mesh + piece.first + i].instance)) {
      target.instance = i;
      targets_.push_back(target);
    }
  }
  piece.target_count = uint32_t(targets_.size()) - piece.first_target;
}

Status PoseLoop::evaluate(CrowdImpl& crowd, const Piece& piece, bool stream) const {
  const InstanceRange& range = *piece.placed->range;
  const uint32_t first = piece.first, count = piece.count;
  const crowd::PosedBatch& batch = crowd.planner.last().batches[piece.placed->batch];
  const auto playbacks = crowd.playbacks_of(*piece.placed).subspan(first, count);
  const size_t sockets = crowd.models[batch.model].socket_count();
  EvaluationInfo info;
  info.instances = playbacks;
  info.targets = std::span(targets_).subspan(piece.first_target, piece.target_count);
  info.palette_stride = range.palette_stride;
  info.palettes = part(range.palettes, first, count, range.palette_stride);
  info.compact_palettes = part(range.compact_palettes, first, count, range.palette_stride);
  info.sockets = crowd.attachments.of(crowd.planner.last(), piece.placed->batch)
                     .subspan((range.first_instance + first) * sockets, count * sockets);
  info.store_mode = stream ? StoreMode::kStreaming : StoreMode::kCached;
  const CrowdPalette& palette = crowd.models.palette_of(batch);
  if (Status status = palette.evaluator.evaluate(info); !status || range.target_count == 0) return status;
  return evaluate_weights(*palette.baked, playbacks, range.weight_stride,
                          range.weights.subspan(size_t{first} * range.weight_stride));
}

}  // namespace sinew::vulkan::internal
