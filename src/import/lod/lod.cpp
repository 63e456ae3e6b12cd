#include "sinew/import/lod.h"

#include <cmath>
#include <new>
#include <string>
#include <utility>

#include "lod/surface_distance.h"
#include "lod/textured_levels.h"
#include "sinew/asset/mesh.h"

namespace sinew {

using namespace internal;
namespace {

constexpr uint32_t kMaxEntries = 65536;

Error refuse(std::string why) { return {ErrorCode::kInvalidArgument, "levels of detail: " + std::move(why)}; }

Status check(const Mesh& mesh, std::span<const Vec3> positions, const LodOptions& options) {
  if (Status status = validate(options); !status) return status;
  if (!positions.empty() && positions.size() != mesh.positions.size()) {
    return refuse(std::to_string(positions.size()) + " positions for " + std::to_string(mesh.positions.size()) +
                  " vertices");
  }
  for (const Vec3 p : positions) {
    if (!is_finite(p)) return refuse("a position is not finite");
  }
  return validate(mesh, kMaxEntries);
}

}  // namespace

Result<std::vector<ModelLevel>> make_levels(const Mesh& mesh, std::span<const Vec3> positions,
                                            const LodOptions& options) try {
  if (Status status = check(mesh, positions, options); !status) return status.error();
  std::vector<ModelLevel> levels;
  if (mesh.indices.empty()) return levels;
  if (positions.empty()) positions = mesh.positions;
  const double diagonal = double(length(size_of(bounding_box(positions))));
  if (!std::isfinite(diagonal)) return refuse("positions lie farther apart than floats hold");
  const double max_distance = double(options.max_error) * diagonal;
  for (TexturedLevel& level :
       make_textured_levels(mesh, {positions}, options.triangle_shares, max_distance, LevelVertices::kOfFinest)) {
    const double error = largest_distance({positions, mesh.indices}, {positions, level.indices});
    levels.push_back({std::move(level.mesh), float(error)});
  }
  return levels;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

}  // namespace sinew
