#include "lod/small_levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "sinew/asset/cpu_skin.h"
#include "surface.h"

namespace sinew::internal {
namespace {

constexpr int kAreaSteps = 4;
constexpr double kAreaTolerance = 0.01;
constexpr float kAgreement = 0.7f;  // of normals: the length of their mean

uint16_t unorm(float value) { return uint16_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535)); }

/// Sums over the points around one vertex.
struct AroundVertex {
  Vec3 color, normal;
  float weight = 0;
  std::map<uint8_t, float> alphas;  // the weight of each

  void add(const VisiblePoint& point, Vec3 point_normal, float share) {
    color = color + point.color * share, normal = normal + point_normal * share;
    weight += share;
    alphas[point.alpha] += share;
  }
  /// Of alphas below 255 that which most of what is seen has, and its share. A mean would be one that is seen nowhere.
  uint16_t alpha() const {
    std::pair<uint8_t, float> most{255, weight};
    for (const auto& [alpha, of_it] : alphas) {
      if (alpha < 255 && of_it > 0 && (most.first == 255 || of_it > most.second)) most = {alpha, of_it};
    }
    return weight > 0 ? uint16_t(most.first << 8 | std::lround(255 * std::min(most.second / weight, 1.0f))) : 65535;
  }
};

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

SmallMesh shaped(const FinestMesh& finest, const JointMotion& motion, std::span<const uint32_t> replaced_by,
                 LimbShape shape, double max_distance) {
  std::vector<LimbPoint> points;
  for (const VisiblePoint& point : finest.visible.points) {
    const Vec3 shares{1 - point.share_b - point.share_c, point.share_b, point.share_c};
    const uint32_t nearest = shares.x >= shares.y && shares.x >= shares.z ? 0 : shares.y >= shares.z ? 1 : 2;
    const std::vector<JointWeight> weights = finest.weights_of(finest.corner(point.triangle, nearest));
    points.push_back({finest.position(point), merged_weights(weights, replaced_by, 1).front().joint});
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

namespace {

std::vector<AroundVertex> sums_around(const FinestMesh& finest, const SmallMesh& small) {
  std::vector<AroundVertex> around(small.positions.size());
  SurfaceDistance surface({small.positions, small.indices});
  for (const VisiblePoint& point : finest.visible.points) {
    const Vec3 at = finest.position(point), normal = finest.normal(point);
    const uint32_t triangle = surface.nearest_triangle(at);
    const auto vertex = [&](uint32_t corner) { return small.indices[size_t{triangle} * 3 + corner]; };
    const auto position = [&](uint32_t corner) { return small.positions[vertex(corner)]; };
    const Vec2 shares = nearest_shares(at, position(0), position(1), position(2));
    const float weights[3] = {1 - shares.x - shares.y, shares.x, shares.y};
    for (uint32_t corner = 0; corner < 3; ++corner) {
      around[vertex(corner)].add(point, normal, std::max(weights[corner], 0.0f));
    }
  }
  return around;
}

/// Where nothing is seen around a vertex, the nearest point that is seen stands for it.
void fill_hidden(const FinestMesh& finest, const SmallMesh& small, std::vector<AroundVertex>& around) {
  for (size_t v = 0; v < around.size(); ++v) {
    if (around[v].weight > 0 || finest.visible.points.empty()) continue;
    const auto distance = [&](const VisiblePoint& p) { return length(finest.position(p) - small.positions[v]); };
    const VisiblePoint& nearest =
        *std::min_element(finest.visible.points.begin(), finest.visible.points.end(),
                          [&](const VisiblePoint& a, const VisiblePoint& b) { return distance(a) < distance(b); });
    around[v].add(nearest, finest.normal(nearest), 1);
  }
}

/// The mean normal of what is seen around a vertex. Where that faces all ways, as around a thin limb, the mean says
/// nothing: the level's own surface does.
Vec3 normal_of(const AroundVertex& around, Vec3 own) {
  const bool agree = length(around.normal) > kAgreement * around.weight;
  return agree ? normalize(around.normal, own) : own;
}

VertexColor color_of(const AroundVertex& around) {
  const auto channel = [&](float sum) { return unorm(around.weight > 0 ? sum / around.weight : 1); };
  return {channel(around.color.x), channel(around.color.y), channel(around.color.z), around.alpha()};
}

}  // namespace

Mesh to_mesh(const FinestMesh& finest, const JointMotion& motion, const SmallMesh& small,
             std::span<const uint32_t> joints, uint32_t material) {
  std::vector<AroundVertex> around = sums_around(finest, small);
  fill_hidden(finest, small, around);
  const std::vector<Vec3> own_normals = compute_normals(small.positions, small.indices);
  Mesh mesh;
  mesh.positions = small.positions, mesh.indices = small.indices;
  mesh.first_influence = {0};
  for (size_t v = 0; v < small.positions.size(); ++v) {
    mesh.normals.push_back(normal_of(around[v], own_normals[v]));
    mesh.uvs.push_back({});
    mesh.colors.push_back(color_of(around[v]));
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
