#include "lod/small_levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "lod/level_surface.h"
#include "sinew/asset/cpu_skin.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr int kAreaSteps = 4;
constexpr double kAreaTolerance = 0.01;
constexpr float kMaskContrast = 0.25f;  // between a mask and another: about that of two colors of clothes

}  // namespace

FinestMesh::FinestMesh(const Character& of, const SamplePoses& in_poses)
    : character(of), poses(in_poses), normals(of.mesh.vertex_count()) {
  std::vector<Vec3> again(normals.size());
  skin_on_cpu(character.mesh, poses.palette(character.skin, SamplePoses::kRest), again, normals, {},
              poses.weights(SamplePoses::kRest));
  visible = look_at(character, positions());
}

std::vector<JointWeight> FinestMesh::weights_of(uint32_t vertex) const {
  return joint_weights(character.mesh, character.skin, character.skeleton.joint_count(), vertex);
}

SmallMesh to_small(const FinestMesh& finest, std::span<const uint32_t> indices) {
  SmallMesh mesh;
  std::vector<uint32_t> new_index(finest.positions().size(), UINT32_MAX);
  for (const uint32_t index : indices) {
    uint32_t& own = new_index[index];
    if (own == UINT32_MAX) {
      own = uint32_t(mesh.positions.size());
      mesh.positions.push_back(finest.positions()[index]);
      mesh.weights.push_back(finest.weights_of(index));
    }
    mesh.indices.push_back(own);
  }
  return mesh;
}

namespace {

/// The color as a screen shows it, and the masks: people differ in the colors that these get.
Look look_of(const VisiblePoint& point) {
  Look look{std::sqrt(point.color.x), std::sqrt(point.color.y), std::sqrt(point.color.z)};
  if (const size_t mask = mask_of(point); mask < kLevelMasks) look[3 + mask] = kMaskContrast;
  return look;
}

}  // namespace

SmallMesh shaped(const FinestMesh& finest, const JointMotion& motion, std::span<const uint32_t> replaced_by,
                 LimbShape shape, double max_distance) {
  std::vector<LimbPoint> points;
  for (const VisiblePoint& point : finest.visible.points) {
    const Vec3 shares{1 - point.share_b - point.share_c, point.share_b, point.share_c};
    const uint32_t nearest = shares.x >= shares.y && shares.x >= shares.z ? 0 : shares.y >= shares.z ? 1 : 2;
    const std::vector<JointWeight> weights = finest.weights_of(finest.corner(point.triangle, nearest));
    points.push_back({finest.position(point), merged_weights(weights, replaced_by, 1).front().joint, look_of(point)});
  }
  const LimbMesh limbs = make_limbs(points, motion.origins(), shape, max_distance);
  SmallMesh mesh{limbs.positions, {}, limbs.indices};
  for (const uint32_t joint : limbs.joints) mesh.weights.push_back({{joint, 1}});
  return mesh;
}

void fit_area(const FinestMesh& finest, SmallMesh& mesh) {
  const double wanted = finest.visible.area;
  const std::vector<Vec3> normals = compute_normals(mesh.positions, mesh.indices), start = mesh.positions;
  const auto area_at = [&](double distance) {
    for (size_t v = 0; v < start.size(); ++v) mesh.positions[v] = start[v] + normals[v] * float(distance);
    return covered_area({mesh.positions, mesh.indices});
  };
  double before = 0, area_before = area_at(0);
  if (!(wanted > 0) || !(area_before > 0)) return;
  double distance = std::sqrt(area_before) * (std::sqrt(wanted / area_before) - 1) / 4;
  const double limit = std::sqrt(wanted) / 4;
  for (int step = 0; step < kAreaSteps && distance != before; ++step) {
    const double area = area_at(distance);
    if (std::abs(area / wanted - 1) < kAreaTolerance || area == area_before) return;
    const double next = distance + (wanted - area) * (distance - before) / (area - area_before);
    before = distance, area_before = area;
    distance = std::clamp(next, -limit, limit);
  }
  area_at(distance);
}

Mesh to_mesh(const FinestMesh& finest, const JointMotion& motion, const SmallMesh& small,
             std::span<const uint32_t> joints, uint32_t material) {
  LevelSurface surface = surface_of(finest, small);
  Mesh mesh;
  mesh.positions = small.positions, mesh.indices = small.indices;
  mesh.first_influence = {0};
  mesh.normals = std::move(surface.normals), mesh.colors = std::move(surface.colors);
  mesh.uvs = std::move(surface.uvs), mesh.second_uvs = std::move(surface.second_uvs);
  for (size_t v = 0; v < small.positions.size(); ++v) {
    for (const JointWeight weight : small.weights[v])
      mesh.influences.push_back({motion.entry_of(joints, weight.joint), weight.weight});
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  const bool skinned = std::any_of(small.weights.begin(), small.weights.end(), [](auto& w) { return w.size() > 1; });
  mesh.parts.push_back({"all", skinned ? PartKind::kSkinned : PartKind::kRigid, material, 0, mesh.vertex_count(), 0,
                        uint32_t(mesh.indices.size())});
  if (joints.size() == 1 && joints[0] == motion.joint_count()) mesh.parts[0].kind = PartKind::kStatic;
  meshopt_optimizeVertexCache(mesh.indices.data(), mesh.indices.data(), mesh.indices.size(), mesh.vertex_count());
  if (!order_by_influences(mesh)) throw std::bad_alloc();
  return mesh;
}

}  // namespace sinew::internal
