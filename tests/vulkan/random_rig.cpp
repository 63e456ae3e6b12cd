#include "vulkan/random_rig.h"

#include <algorithm>
#include <cmath>

namespace sinew::test {
namespace {

constexpr uint32_t kUnits = 65535;

/// Divides kUnits into `parts` weights, none of them 0, the heaviest first.
std::vector<uint32_t> split_units(Random& random, uint32_t parts) {
  std::vector<uint32_t> units(parts, 1);
  uint32_t left = kUnits - parts;
  for (uint32_t i = 0; i + 1 < parts; ++i) {
    const uint32_t share = random.below(left / 2 + 1);
    units[i] += share;
    left -= share;
  }
  units.back() += left;
  std::sort(units.rbegin(), units.rend());
  return units;
}

/// Uses a random sequence of its own, so that tangents do not change the other values.
void add_tangents(Mesh& mesh, uint32_t seed) {
  Random random(seed + 77777);
  for (const Vec3 normal : mesh.normals) {
    const Vec3 t = normalize(cross(normal, random.direction()), normalize(cross(normal, {0.6f, 0, 0.8f})));
    mesh.tangents.push_back({t.x, t.y, t.z, random.below(2) == 0 ? 1.0f : -1.0f});
  }
}

/// Some targets move a run of neighbors, some vertices all over the mesh; every third one moves no normals.
void add_targets(Mesh& mesh, uint32_t count, uint32_t seed) {
  Random random(seed + 99991);
  for (uint32_t t = 0; t < count; ++t) {
    MorphTarget& target = mesh.targets.emplace_back();
    target.name = "target " + std::to_string(t);
    const uint32_t first = 1 + random.below(mesh.vertex_count() - 2), step = t % 2 == 0 ? 1 : 1 + random.below(40);
    for (uint32_t v = first; v + 1 < mesh.vertex_count() && target.vertices.size() < 150; v += step) {
      target.vertices.push_back(v);
      target.positions.push_back(random.direction() * random.between(0.01f, 0.5f));
      if (t % 3 == 2) continue;
      target.normals.push_back(random.direction() * random.between(0, t % 3 == 0 ? 0.02f : 0.6f));
      target.tangents.push_back(random.direction() * random.between(0, 0.3f));
    }
  }
}

Vec3 random_scale(Random& random, RigScaling scaling) {
  if (scaling == RigScaling::kNone) return {1, 1, 1};
  const Vec3 scale{random.between(0.7f, 1.5f), random.between(0.7f, 1.5f), random.between(0.7f, 1.5f)};
  if (scaling == RigScaling::kRigid) return {scale.x, scale.x, scale.x};
  return scaling == RigScaling::kMirrored ? Vec3{-scale.x, scale.y, scale.z} : scale;
}

}  // namespace

Vec3 Random::direction() {
  const float z = between(-1, 1), angle = between(0, 6.2831853f), r = std::sqrt(1 - z * z);
  return normalize(Vec3{r * std::cos(angle), r * std::sin(angle), z});
}

Mesh make_mesh(const RigShape& shape) {
  Random random(shape.seed);
  Mesh mesh;
  mesh.first_influence.push_back(0);
  for (uint32_t v = 0; v < shape.vertices; ++v) {
    mesh.positions.push_back({random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
    mesh.normals.push_back(random.direction());
    mesh.uvs.push_back({});
    const uint32_t count = shape.min_influences + v % (shape.max_influences - shape.min_influences + 1);
    for (const uint32_t units : split_units(random, count)) {
      mesh.influences.push_back({uint16_t(random.below(shape.joints)), float(units) / kUnits});
    }
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  add_tangents(mesh, shape.seed);
  // The last vertex uses the last joint, so that a palette that is too small is noticed.
  mesh.influences.back().entry = uint16_t(shape.joints - 1);
  mesh.indices = {0, 1 % shape.vertices, 2 % shape.vertices};
  mesh.parts.push_back({"part", PartKind::kSkinned, 0, 0, shape.vertices, 0, 3});
  add_targets(mesh, shape.targets, shape.seed);
  return mesh;
}

std::vector<float> make_weights(uint32_t targets, uint32_t seed) {
  Random random(seed + 4242);
  std::vector<float> weights(targets);
  for (float& weight : weights) {
    if (random.below(3) == 0) weight = random.between(-0.3f, 1.2f);
  }
  return weights;
}

std::vector<Matrix3x4> make_palette(uint32_t joints, uint32_t seed, RigScaling scaling) {
  Random random(seed);
  std::vector<Matrix3x4> palette;
  for (uint32_t j = 0; j < joints; ++j) {
    const Vec3 axis = random.direction();
    const float half_angle = random.between(-0.3f, 0.3f);
    Transform transform;
    transform.translation = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    transform.rotation = {axis.x * std::sin(half_angle), axis.y * std::sin(half_angle), axis.z * std::sin(half_angle),
                          std::cos(half_angle)};
    transform.scale = random_scale(random, scaling);
    palette.push_back(matrix_cast<float>(to_matrix(transform)));
  }
  return palette;
}

}  // namespace sinew::test
