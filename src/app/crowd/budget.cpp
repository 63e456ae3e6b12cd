#include "crowd/budget.h"

#include <algorithm>
#include <cmath>

#include "sinew/asset/skinned_vertex.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kMaxErrorPixels = 64;  // at this limit an instance that fills the picture has about the coarsest level
constexpr uint32_t kMaxPoses = 4096, kMinPoses = 256;  // built-in character: joints up to 1.7 and 26 degrees off

uint64_t mesh_bytes(const Level& level) {
  const Mesh& mesh = level.mesh;
  return mesh.vertex_count() * (sizeof(Vec3) + sizeof(Vec3) + sizeof(Vec2)) +
         mesh.influences.size() * sizeof(Influence) + level.indices.size() * sizeof(uint32_t);
}

double mebibytes(uint64_t bytes) { return double(bytes) / (1 << 20); }

}  // namespace

uint64_t needed_bytes(std::span<const Model> models, const VisibleSet& visible_set, const BudgetInfo& info) {
  uint64_t meshes = 0, palettes = 0, vertices = 0;
  for (const Model& model : models) {
    for (const Level& level : model.levels) meshes += mesh_bytes(level);
  }
  for (const PosedBatch& batch : visible_set.batches) {
    const Model& model = models[batch.model];
    palettes += batch.mesh_count * palette_stride(model.character.skin.palette_size()) * sizeof(Matrix3x4);
    vertices += uint64_t(batch.mesh_count) * model.levels[batch.level].mesh.vertex_count() * sizeof(SkinnedVertex);
  }
  const uint64_t pages = palettes * info.kept_palettes + vertices * info.kept_vertices;
  return meshes + pages + pages / 2;
}

std::optional<QualityLimits> reduced(const QualityLimits& limits, bool has_levels) {
  QualityLimits next = limits;
  if (has_levels && limits.error_pixels < kMaxErrorPixels) {
    next.error_pixels *= 2;
  } else if (limits.unique_poses == 0) {
    next.unique_poses = kMaxPoses;
  } else if (limits.unique_poses > kMinPoses) {
    next.unique_poses = std::max(limits.unique_poses / 2, kMinPoses);
  } else {
    return {};
  }
  return next;
}

Budget::Budget(std::span<const Model> models, const BudgetInfo& info) : models_(models), info_(info) {
  for (const Model& model : models) has_levels_ |= model.levels.size() > 1;
}

Status Budget::fit(VisibilityPass& visibility_pass, const View& view, double seconds) {
  visibility_pass.compute(view, seconds);
  if (info_.bytes == 0) return {};
  for (;;) {
    const uint64_t needed = needed_bytes(models_, visibility_pass.last(), info_);
    if (needed <= info_.bytes) {
      max_needed_ = std::max(max_needed_, needed);
      return {};
    }
    const auto limits = reduced(visibility_pass.limits(), has_levels_ && visibility_pass.chooses_levels());
    if (!limits) return refusal(needed, visibility_pass.last().counters.visible);
    visibility_pass.set_limits(*limits);
    visibility_pass.recompute();
  }
}

Error Budget::refusal(uint64_t needed, uint32_t visible) const {
  const double needed_mebibytes = std::ceil(mebibytes(needed) * 100) / 100;
  return {ErrorCode::kOutOfMemory,
          text("--memory-budget %.4g: %g MiB are needed for the %u in sight, after coarser levels of detail and shared "
               "poses; raise it to that, or draw fewer --characters",
               mebibytes(info_.bytes), needed_mebibytes, visible)};
}

}  // namespace sinew::app
