#include "lod/textured_levels.h"

#include <optional>
#include <string>
#include <utility>

#include "lod/edge_collapse.h"
#include "lod/level_mesh.h"
#include "lod/textured_fit.h"

namespace sinew::internal {
namespace {

constexpr double kMaxTriangleExcess = 1.2;  // times the requested triangles; above it, hard edges are smoothed
constexpr double kMaxTriangleRatio = 0.9;   // of the previous level's triangles; above it, the level is not made

}  // namespace

Status validate(const LodOptions& options) {
  const auto refuse = [](const char* why) {
    return Error{ErrorCode::kInvalidArgument, std::string("levels of detail: ") + why};
  };
  float before = 1;
  for (const float share : options.triangle_shares) {
    if (!(share > 0) || !(share < before)) return refuse("shares of triangles must lie between 0 and 1 and descend");
    before = share;
  }
  if (!(options.max_error > 0)) return refuse("the largest error must be positive");
  return {};
}

std::vector<TexturedLevel> make_textured_levels(const Mesh& mesh, const std::vector<std::span<const Vec3>>& poses,
                                                std::span<const float> triangle_shares, double max_distance,
                                                LevelVertices vertices) {
  std::vector<TexturedLevel> levels;
  std::optional<Mesh> smooth;
  std::optional<EdgeCollapse> collapse(std::in_place, mesh.indices, poses);
  const double all = double(mesh.indices.size() / 3);
  double before = all;
  for (const float share : triangle_shares) {
    const double wanted = double(size_t(double(share) * all));
    collapse->run(size_t(wanted), max_distance);
    if (!smooth && double(collapse->triangle_count()) > kMaxTriangleExcess * wanted) {  // seams of hard edges, maybe
      smooth = smoothed(mesh);
      collapse.emplace(smooth->indices, poses);
      collapse->run(size_t(wanted), max_distance);
    }
    const double left = double(collapse->triangle_count());
    if (left == 0 || left > kMaxTriangleRatio * before) break;
    before = left;
    std::vector<uint32_t> indices = collapse->indices();
    const Mesh& source = smooth ? *smooth : mesh;
    Mesh own =
        level_mesh(vertices == LevelVertices::kFitted ? fitted_to_surface(source, poses[0], indices) : source, indices);
    levels.push_back({std::move(own), std::move(indices)});
  }
  return levels;
}

}  // namespace sinew::internal
