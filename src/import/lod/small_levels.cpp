#include "lod/small_levels.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "lod/surface_distance.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/mesh.h"
#include "surface.h"

namespace sinew::internal {
namespace {

// What the vertices of a small level look like: normals, colors and masks of the surface that they stand for.

/// As Mesh has them, one of each for each vertex. Masks: make_levels() of sinew/import/lod.h.
struct LevelSurface {
  std::vector<Vec3> normals;
  std::vector<VertexColor> colors;
  std::vector<Vec2> uvs, second_uvs;  // no second ones without masks
};

constexpr size_t kChannels = 3 + kLevelMasks;  // of what is in no mask red, green and blue; luminance in each mask
constexpr float kAgreement = 0.7f;             // of normals: the length of their mean

using Channels = std::array<float, kChannels>;

/// Source of the weights: ITU-R BT.709.
float luminance_of(Vec3 linear) { return dot(linear, {0.2126f, 0.7152f, 0.0722f}); }

Channels channels_of(const VisiblePoint& point) {
  Channels channels{};
  if (const size_t mask = mask_of(point); mask < kLevelMasks)
    channels[3 + mask] = luminance_of(point.color);
  else
    channels = {point.color.x, point.color.y, point.color.z};
  return channels;
}

/// The mean color of each mask, with a luminance of 1.
using Hues = std::array<Vec3, kLevelMasks>;

Hues hues_of(const VisibleSurface& surface) {
  Hues hues{};
  for (const VisiblePoint& point : surface.points) {
    if (const size_t mask = mask_of(point); mask < kLevelMasks) hues[mask] = hues[mask] + point.color;
  }
  for (Vec3& hue : hues) hue = hue * (1 / std::max(luminance_of(hue), 1e-6f));
  return hues;
}

/// Where on the small mesh the points that are seen are.
std::vector<PointOnMesh> points_on(const SmallMesh& small, const FinestMesh& finest) {
  std::vector<PointOnMesh> points;
  SurfaceDistance surface({small.positions, small.indices});
  for (const VisiblePoint& seen : finest.visible.points) {
    const Vec3 at = finest.position(seen);
    const size_t first = size_t{surface.nearest_triangle(at)} * 3;
    PointOnMesh& point = points.emplace_back();
    std::copy_n(small.indices.begin() + ptrdiff_t(first), 3, point.vertices.begin());
    const auto corner = [&](size_t i) { return small.positions[point.vertices[i]]; };
    const Vec2 shares = nearest_shares(at, corner(0), corner(1), corner(2));
    point.shares = {std::max(1 - shares.x - shares.y, 0.0f), shares.x, shares.y};
  }
  return points;
}

/// Means over the points around one vertex.
struct AroundVertex {
  Channels channels{};
  Vec3 normal;  // shorter where they face many ways
  float weight = 0;

  void add(const Channels& of_point, Vec3 point_normal, float share) {
    if (!(share > 0)) return;
    weight += share;
    const float part = share / weight;
    for (size_t c = 0; c < kChannels; ++c) channels[c] += (of_point[c] - channels[c]) * part;
    normal = normal + (point_normal - normal) * part;
  }
};

/// Where nothing is seen around a vertex, the nearest point that is seen stands for it.
void fill_hidden(const FinestMesh& finest, const SmallMesh& small, std::vector<AroundVertex>& around) {
  const std::vector<VisiblePoint>& seen = finest.visible.points;
  for (size_t v = 0; v < around.size(); ++v) {
    if (around[v].weight > 0 || seen.empty()) continue;
    const auto distance = [&](const VisiblePoint& p) { return length(finest.position(p) - small.positions[v]); };
    const auto nearest =
        std::min_element(seen.begin(), seen.end(), [&](auto& a, auto& b) { return distance(a) < distance(b); });
    around[v].add(channels_of(*nearest), finest.normal(*nearest), 1);
  }
}

std::vector<AroundVertex> means_around(const FinestMesh& finest, const SmallMesh& small,
                                       std::span<const PointOnMesh> points) {
  std::vector<AroundVertex> around(small.positions.size());
  for (size_t i = 0; i < points.size(); ++i) {
    const VisiblePoint& seen = finest.visible.points[i];
    for (size_t corner = 0; corner < 3; ++corner)
      around[points[i].vertices[corner]].add(channels_of(seen), finest.normal(seen), points[i].shares[corner]);
  }
  fill_hidden(finest, small, around);
  return around;
}

/// Replaces the means by what looks most like the points when triangles are drawn.
void fit_channels(const FinestMesh& finest, std::span<const PointOnMesh> points, std::vector<AroundVertex>& around) {
  std::vector<float> values(points.size()), start(around.size());
  for (size_t c = 0; c < kChannels; ++c) {
    for (size_t i = 0; i < points.size(); ++i) values[i] = channels_of(finest.visible.points[i])[c];
    for (size_t v = 0; v < around.size(); ++v) start[v] = around[v].channels[c];
    const std::vector<float> fitted = fit_vertices(points, values, start);
    for (size_t v = 0; v < around.size(); ++v) around[v].channels[c] = std::clamp(fitted[v], 0.0f, 1.0f);
  }
}

/// Where the mean says nothing, as around a thin limb, the level's own surface does.
Vec3 normal_of(const AroundVertex& around, Vec3 own) {
  return length(around.normal) > kAgreement ? normalize(around.normal, own) : own;
}

VertexColor color_of(const Channels& channels, const Hues& hues) {
  Vec3 color{channels[0], channels[1], channels[2]};
  for (size_t mask = 0; mask < kLevelMasks; ++mask) color = color + hues[mask] * channels[3 + mask];
  const auto unorm = [](float value) { return uint16_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 65535)); };
  return {unorm(color.x), unorm(color.y), unorm(color.z), 65535};
}

bool has_masks(const VisibleSurface& surface) {
  return std::ranges::any_of(surface.points, [](auto& point) { return mask_of(point) < kLevelMasks; });
}

/// From what is seen of the finest mesh nearest to each triangle of the small one.
LevelSurface surface_of(const FinestMesh& finest, const SmallMesh& small) {
  const std::vector<PointOnMesh> points = points_on(small, finest);
  std::vector<AroundVertex> around = means_around(finest, small, points);
  fit_channels(finest, points, around);
  const std::vector<Vec3> own_normals = compute_normals(small.positions, small.indices);
  const Hues hues = hues_of(finest.visible);
  const bool masks = has_masks(finest.visible);
  LevelSurface surface;
  for (size_t v = 0; v < around.size(); ++v) {
    const Channels& channels = around[v].channels;
    surface.normals.push_back(normal_of(around[v], own_normals[v]));
    surface.colors.push_back(color_of(channels, hues));
    surface.uvs.push_back({channels[3], channels[4]});
    if (masks) surface.second_uvs.push_back({channels[5], channels[6]});
  }
  return surface;
}

constexpr int kAreaSteps = 4;
constexpr double kAreaTolerance = 0.01;
constexpr float kMaskContrast = 0.25f;  // between a mask and another: about that of two colors of clothes

/// The color as a screen shows it, and the masks: people differ in the colors that these get.
Look look_of(const VisiblePoint& point) {
  Look look{std::sqrt(point.color.x), std::sqrt(point.color.y), std::sqrt(point.color.z)};
  if (const size_t mask = mask_of(point); mask < kLevelMasks) look[3 + mask] = kMaskContrast;
  return look;
}

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
  mesh.blend = finest.character.mesh.blend;
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
