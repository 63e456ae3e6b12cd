#include "budget.h"

#include <algorithm>

#include "sinew/asset/skin.h"

namespace sinew::crowd::internal {
namespace {

constexpr float kMaxErrorPixels = 64;  // at this limit an instance that fills the picture has about the coarsest level
constexpr uint32_t kMaxPoses = 4096, kMinPoses = 256;  // built-in character: joints up to 1.7 and 26 degrees off

/// Bytes of a pose: a palette, and the morph weights behind it.
uint64_t pose_bytes(const CharacterInfo& info, const Level& level) {
  const Character& character = *info.character;
  const uint64_t stride = level.palette_size > 0
                              ? palette_stride(level.palette_size, level.target_count)
                              : palette_stride(character.skin.palette_size(), character.mesh.target_count());
  return stride * sizeof(Matrix3x4);
}

}  // namespace

uint64_t needed_bytes(std::span<const CharacterInfo> characters, const Plan& plan, const MemoryBudget& budget) {
  uint64_t meshes = 0, palettes = 0, vertices = 0;
  for (const CharacterInfo& character : characters) {
    for (const Level& level : character.levels) meshes += level.static_bytes;
  }
  for (const PosedBatch& batch : plan.batches) {
    const CharacterInfo& character = characters[batch.character];
    const Level& level = character.levels[batch.level];
    if (batch.is_worn()) {
      vertices += uint64_t{batch.mesh_count} * level.wearable_vertices[batch.wearable] * budget.vertex_bytes;
      continue;
    }
    palettes += batch.mesh_count * pose_bytes(character, level);
    vertices += uint64_t{batch.mesh_count} * level.vertex_count * budget.vertex_bytes;
  }
  const uint64_t pages = palettes * budget.kept_palettes + vertices * budget.kept_vertices;
  return meshes + pages + pages / 2;
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
