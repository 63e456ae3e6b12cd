#include "crowd/budget.h"

#include <algorithm>
#include <cmath>

#include "system/text.h"

namespace sinew::app {
namespace {

constexpr float kMostErrorPixels = 64;  // a person who fills the picture is then at about the coarsest level
constexpr uint32_t kMostPoses = 4096, kFewestPoses = 256;  // the built-in character's turn up to 1.7 and 26 degrees

uint64_t mesh_bytes(const Level& level) {
  const Mesh& mesh = level.mesh;
  return mesh.vertex_count() * (sizeof(Vec3) + sizeof(Vec3) + sizeof(Vec2)) +
         mesh.influences.size() * sizeof(Influence) + level.indices.size() * sizeof(uint32_t);
}

double mebibytes(uint64_t bytes) { return double(bytes) / (1 << 20); }

}  // namespace

uint64_t needed_bytes(std::span<const Model> models, const Cast& cast, const BudgetInfo& info) {
  uint64_t meshes = 0, palettes = 0, vertices = 0;
  for (const Model& model : models) {
    for (const Level& level : model.levels) meshes += mesh_bytes(level);
  }
  for (const CastBatch& batch : cast.batches) {
    const Model& model = models[batch.model];
    const uint64_t lines = (model.character.skin.palette_size() + 3) / 4;
    palettes += batch.copy_count * lines * sizeof(PaletteLine);
    vertices += uint64_t(batch.copy_count) * model.levels[batch.level].mesh.vertex_count() * sizeof(SkinnedVertex);
  }
  const uint64_t pages = palettes * info.palette_copies + vertices * info.vertex_copies;
  return meshes + pages + pages / 2;
}

std::optional<Economy> tighter(const Economy& economy, bool has_levels) {
  Economy next = economy;
  if (has_levels && economy.error_pixels < kMostErrorPixels)
    next.error_pixels *= 2;
  else if (economy.unique_poses == 0)
    next.unique_poses = kMostPoses;
  else if (economy.unique_poses > kFewestPoses)
    next.unique_poses = std::max(economy.unique_poses / 2, kFewestPoses);
  else
    return {};
  return next;
}

Budget::Budget(std::span<const Model> models, const BudgetInfo& info) : models_(models), info_(info) {
  for (const Model& model : models) has_levels_ |= model.levels.size() > 1;
}

Status Budget::fit(Casting& casting, const View& view, double seconds) {
  casting.cast(view, seconds);
  if (info_.bytes == 0) return {};
  for (;;) {
    const uint64_t needed = needed_bytes(models_, casting.last(), info_);
    if (needed <= info_.bytes) {
      most_needed_ = std::max(most_needed_, needed);
      return {};
    }
    const auto economy = tighter(casting.economy(), has_levels_ && casting.chooses_levels());
    if (!economy) return refusal(needed, casting.last().counters.visible);
    casting.set_economy(*economy);
    casting.again();
  }
}

Error Budget::refusal(uint64_t needed, uint32_t visible) const {
  const double least = std::ceil(mebibytes(needed) * 100) / 100;
  return {ErrorCode::kOutOfMemory,
          text("--memory-budget %.4g: %g MiB are needed for the %u in sight, after coarser levels of detail and shared "
               "poses; raise it to that, or draw fewer --characters",
               mebibytes(info_.bytes), least, visible)};
}

}  // namespace sinew::app
