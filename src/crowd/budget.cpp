#include "budget.h"

#include <algorithm>
#include <limits>

#include "sinew/asset/skin.h"

namespace sinew::crowd::internal {
namespace {

constexpr float kMaxErrorPixels = 64;  // at this limit an instance that fills the picture has about the coarsest level
constexpr uint32_t kMaxPoses = 4096, kMinPoses = 256;  // built-in model: joints up to 1.7 and 26 degrees off

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

// Sums and products of what a host says may be larger than any number: the result is then the largest number.
uint64_t sum(uint64_t a, uint64_t b) { return a > kMost - b ? kMost : a + b; }
uint64_t product(uint64_t a, uint64_t b) { return b > 0 && a > kMost / b ? kMost : a * b; }

/// Bytes of a pose: a palette, and the morph weights behind it.
uint64_t pose_bytes(const ModelInfo& info, const Level& level) {
  const Character& character = *info.character;
  const uint64_t stride = level.palette_size > 0
                              ? palette_stride(level.palette_size, level.target_count)
                              : palette_stride(character.skin.palette_size(), character.mesh.target_count());
  return stride * sizeof(Matrix3x4);
}

}  // namespace

uint64_t needed_bytes(std::span<const ModelInfo> models, const Plan& plan, const MemoryBudget& budget) {
  uint64_t meshes = 0, palettes = 0, vertices = 0;
  for (const ModelInfo& model : models) {
    for (const Level& level : model.levels) meshes = sum(meshes, level.static_bytes);
  }
  for (const PosedBatch& batch : plan.batches) {
    const ModelInfo& model = models[batch.model];
    const Level& level = model.levels[batch.level];
    const uint64_t count = batch.mesh_count;
    const uint64_t mesh = batch.is_worn() ? level.wearable_vertices[batch.wearable] : level.vertex_count;
    if (!batch.is_worn()) palettes = sum(palettes, product(count, pose_bytes(model, level)));
    vertices = sum(vertices, product(count, product(mesh, budget.vertex_bytes)));
  }
  const uint64_t pages = sum(product(palettes, budget.kept_palettes), product(vertices, budget.kept_vertices));
  return sum(meshes, sum(pages, pages / 2));
}

std::optional<QualityLimits> reduced(const QualityLimits& limits, bool has_levels) {
  QualityLimits next = limits;
  if (has_levels && limits.error_pixels < kMaxErrorPixels) {
    next.error_pixels = std::min(limits.error_pixels * 2, kMaxErrorPixels);
  } else if (limits.unique_poses == 0) {
    next.unique_poses = kMaxPoses;
  } else if (limits.unique_poses > kMinPoses) {
    next.unique_poses = std::max(limits.unique_poses / 2, kMinPoses);
  } else {
    return {};
  }
  return next;
}

}  // namespace sinew::crowd::internal
