#include "morph_targets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "surface.h"

namespace sinew::internal {
namespace {

constexpr float kMinDifference = 1e-6f;  // of unit normals: less is rounding

Vec3 element(std::span<const Vec3> values, size_t index) { return values.empty() ? Vec3{} : values[index]; }

bool moves_nothing(Vec3 v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/// The normals of the triangles at `positions` moved by `differences`, minus `normals`.
std::vector<Vec3> differences_of_normals(std::vector<Vec3> positions, std::span<const Vec3> differences,
                                         std::span<const uint32_t> indices, std::span<const Vec3> normals) {
  for (size_t v = 0; v < positions.size(); ++v) positions[v] = positions[v] + differences[v];
  std::vector<Vec3> turned = compute_normals(positions, indices);
  for (size_t v = 0; v < turned.size(); ++v) {
    turned[v] = turned[v] - normals[v];
    if (is_within(turned[v], kMinDifference)) turned[v] = {};
  }
  return turned;
}

/// The target's differences of positions, one per vertex of the mesh.
std::vector<Vec3> dense_positions(const MorphTarget& target, size_t vertices) {
  std::vector<Vec3> positions(vertices);
  for (size_t i = 0; i < target.vertices.size(); ++i) positions[target.vertices[i]] = target.positions[i];
  return positions;
}

/// Appends the differences of a part, whose vertices begin at `first_vertex`.
void append_part(const MorphTarget& part, uint32_t first_vertex, MorphTarget& target) {
  const size_t count = target.vertices.size() + part.vertices.size();
  append_padded(part.normals, count, target.normals);
  append_padded(part.tangents, count, target.tangents);
  target.positions.insert(target.positions.end(), part.positions.begin(), part.positions.end());
  for (const uint32_t vertex : part.vertices) target.vertices.push_back(first_vertex + vertex);
}

}  // namespace

MorphTarget sparse_target(std::string name, const DenseTarget& differences, uint32_t& repaired) {
  MorphTarget target;
  target.name = std::move(name);
  const auto usable = [&](Vec3 value) {
    if (is_within(value, kMaxCoordinate)) return value;
    ++repaired;
    return Vec3{};
  };
  const size_t count =
      std::max({differences.positions.size(), differences.normals.size(), differences.tangents.size()});
  for (size_t v = 0; v < count; ++v) {
    const Vec3 position = usable(element(differences.positions, v)), normal = usable(element(differences.normals, v)),
               tangent = usable(element(differences.tangents, v));
    if (moves_nothing(position) && moves_nothing(normal) && moves_nothing(tangent)) continue;
    target.vertices.push_back(uint32_t(v));
    target.positions.push_back(position);
    if (!differences.normals.empty()) target.normals.push_back(normal);
    if (!differences.tangents.empty()) target.tangents.push_back(tangent);
  }
  return target;
}

std::vector<Vec3> turned_normals(const SceneMesh& mesh, std::span<const Vec3> differences) {
  // Files may have three vertices per triangle, and split vertices at the seams of textures.
  std::map<std::array<uint32_t, 9>, uint32_t> known;  // by bits, which NaN has too
  std::vector<uint32_t> shared;                       // of each vertex
  std::vector<Vec3> positions, moved;
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.positions[v], n = mesh.normals[v], d = differences[v];
    const std::array<float, 9> all = {p.x, p.y, p.z, n.x, n.y, n.z, d.x, d.y, d.z};
    const auto [found, is_new] =
        known.try_emplace(std::bit_cast<std::array<uint32_t, 9>>(all), uint32_t(positions.size()));
    if (is_new) positions.push_back(p), moved.push_back(d);
    shared.push_back(found->second);
  }
  std::vector<uint32_t> indices;
  for (const uint32_t index : mesh.indices) indices.push_back(shared[index]);
  const std::vector<Vec3> turned =
      differences_of_normals(positions, moved, indices, compute_normals(positions, indices));
  std::vector<Vec3> result;
  for (const uint32_t vertex : shared) result.push_back(turned[vertex]);
  return result;
}

std::vector<uint32_t> difference_classes(std::span<const MorphTarget> targets, size_t vertices) {
  std::vector<std::string> moved(targets.empty() ? 0 : vertices);
  const auto append = [](const auto& value, std::string& bytes) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (uint32_t t = 0; t < targets.size(); ++t) {
    const MorphTarget& target = targets[t];
    for (size_t i = 0; i < target.vertices.size(); ++i) {
      std::string& bytes = moved[target.vertices[i]];
      append(t, bytes), append(target.positions[i], bytes);
      if (!target.normals.empty()) append(target.normals[i], bytes);
      if (!target.tangents.empty()) append(target.tangents[i], bytes);
    }
  }
  std::map<std::string, uint32_t> known;
  std::vector<uint32_t> classes;
  for (std::string& bytes : moved) {
    classes.push_back(known.try_emplace(std::move(bytes), uint32_t(known.size())).first->second);
  }
  return classes;
}

void TargetBuilder::append(const SceneMeshUse& use, const SceneMesh& source, uint32_t first_vertex,
                           std::span<const Vec3> normals, Mesh& mesh) {
  for (uint32_t t = 0; t < source.targets.size(); ++t) {
    const auto [known, is_new] = target_of_.try_emplace({use.node, t}, mesh.target_count());
    if (is_new) {
      MorphTarget& target = mesh.targets.emplace_back();
      target.name = source.targets[t].name;
      const float weight = t < use.rest_weights.size() ? use.rest_weights[t] : source.targets[t].rest_weight;
      target.rest_weight = std::isfinite(weight) ? weight : 0;
    }
    MorphTarget part = source.targets[t];
    if (source.normals.empty() && part.normals.empty()) {
      const std::vector<Vec3> positions = dense_positions(part, source.positions.size());
      const std::vector<Vec3> computed = differences_of_normals(source.positions, positions, source.indices, normals);
      uint32_t repaired = 0;
      part = sparse_target(part.name, {positions, computed, {}}, repaired);
    }
    append_part(part, first_vertex, mesh.targets[known->second]);
  }
}

std::optional<uint32_t> TargetBuilder::find(uint32_t node, uint32_t target) const {
  const auto found = target_of_.find({node, target});
  if (found == target_of_.end()) return {};
  return found->second;
}

}  // namespace sinew::internal
