#include "sinew/asset/mesh.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "exceptions.h"
#include "plain_text.h"

namespace sinew {

using namespace internal;
namespace {

Status validate_parts(const Mesh& mesh) {
  uint64_t vertex = 0, index = 0;
  for (const MeshPart& part : mesh.parts) {
    if (part.first_vertex != vertex || part.first_index != index || part.index_count % 3 != 0) {
      return invalid("mesh: part '" + part.name + "' does not begin where the one before ends, or cuts a triangle");
    }
    vertex += part.vertex_count;
    index += part.index_count;
    if (vertex > mesh.vertex_count() || index > mesh.indices.size()) {
      return invalid("mesh: part '" + part.name + "' reaches past the mesh's end");
    }
    for (uint64_t i = part.first_index; i < index; ++i) {
      if (mesh.indices[i] < part.first_vertex || mesh.indices[i] >= vertex) {
        return invalid("mesh: part '" + part.name + "': index " + std::to_string(mesh.indices[i]) + " is not its own");
      }
    }
  }
  if (vertex != mesh.vertex_count() || index != mesh.indices.size()) {
    return invalid("mesh: its parts do not cover all vertices and indices");
  }
  return {};
}

Status validate_influences(const Mesh& mesh, uint32_t vertex, uint32_t palette_size) {
  const auto refuse = [&](const std::string& what) {
    return invalid("mesh: vertex " + std::to_string(vertex) + " " + what);
  };
  double sum = 0;
  float previous = INFINITY;
  for (const Influence influence : mesh.influences_of(vertex)) {
    if (influence.entry >= palette_size) {
      return refuse("names palette entry " + std::to_string(influence.entry) + " of " + std::to_string(palette_size));
    }
    if (!(influence.weight > 0) || influence.weight > previous) {
      return refuse("has weights that are not positive or not in descending order");
    }
    sum += influence.weight;
    previous = influence.weight;
  }
  if (!(std::abs(sum - 1) < 1e-4)) return refuse("has weights that add to " + decimal(sum));
  return {};
}

Status validate_tangents(const Mesh& mesh) {
  if (!mesh.tangents.empty() && mesh.tangents.size() != mesh.positions.size()) {
    return invalid("mesh: it has " + std::to_string(mesh.tangents.size()) + " tangents for " +
                   std::to_string(mesh.positions.size()) + " vertices");
  }
  for (size_t v = 0; v < mesh.tangents.size(); ++v) {
    const Vec4 tangent = mesh.tangents[v];
    const bool is_unit = std::abs(length(Vec3{tangent.x, tangent.y, tangent.z}) - 1) < 1e-3f;  // false for NaN
    if (!is_unit || std::abs(tangent.w) != 1) {
      return invalid("mesh: vertex " + std::to_string(v) + " has a tangent that is no unit vector with 1 or -1 for w");
    }
  }
  return {};
}

Status validate_second_uvs(const Mesh& mesh) {
  const size_t count = mesh.second_uvs.size();
  if (count > 0 && count != mesh.positions.size()) {
    return invalid("mesh: it has " + std::to_string(count) + " second uvs for " +
                   std::to_string(mesh.positions.size()) + " vertices");
  }
  for (size_t v = 0; v < count; ++v) {
    if (!is_finite(Vec3{mesh.second_uvs[v].x, mesh.second_uvs[v].y, 0}))
      return invalid("mesh: vertex " + std::to_string(v) + " has second uvs that are not finite");
  }
  return {};
}

Status validate_target(const Mesh& mesh, const MorphTarget& target) {
  const auto refuse = [&](const std::string& what) {
    return invalid("mesh: morph target '" + target.name + "' " + what);
  };
  const auto fits = [&](size_t count) { return count == 0 || count == target.vertices.size(); };
  if (target.positions.size() != target.vertices.size() || !fits(target.normals.size()) ||
      !fits(target.tangents.size())) {
    return refuse("has differences that are not as many as its vertices");
  }
  if (!std::isfinite(target.rest_weight)) return refuse("has a rest weight that is not finite");
  int64_t previous = -1;
  for (const uint32_t vertex : target.vertices) {
    if (int64_t(vertex) <= previous) return refuse("has vertices that do not ascend");
    if (vertex >= mesh.vertex_count()) return refuse("moves vertex " + std::to_string(vertex) + ", which is not there");
    previous = vertex;
  }
  const auto within = [](Vec3 difference) { return is_within(difference, kMaxCoordinate); };  // false for NaN
  for (const auto* differences : {&target.positions, &target.normals, &target.tangents}) {
    if (!std::all_of(differences->begin(), differences->end(), within)) {
      return refuse("has a difference that is not finite or above 1e9 units");
    }
  }
  return {};
}

}  // namespace

uint32_t max_influences(const Mesh& mesh) {
  uint32_t max_count = 0;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v)
    max_count = std::max(max_count, uint32_t(mesh.influences_of(v).size()));
  return max_count;
}

Status validate(const Mesh& mesh, uint32_t palette_size) SINEW_TRY {
  const size_t count = mesh.positions.size();
  if (count > UINT32_MAX || mesh.normals.size() != count || mesh.uvs.size() != count ||
      mesh.first_influence.size() != count + 1) {
    return invalid("mesh: positions, normals, uvs and influences differ in length");
  }
  if (!std::is_sorted(mesh.first_influence.begin(), mesh.first_influence.end()) || mesh.first_influence.front() != 0 ||
      mesh.first_influence.back() != mesh.influences.size()) {
    return invalid("mesh: the influence ranges do not cover the influences");
  }
  for (uint32_t v = 0; v < count; ++v) {
    const Vec2 uv = mesh.uvs[v];
    if (!is_finite(mesh.positions[v]) || !is_finite(mesh.normals[v]) || !is_finite(Vec3{uv.x, uv.y, 0})) {
      return invalid("mesh: vertex " + std::to_string(v) + " is not finite");
    }
    if (!is_within(mesh.positions[v], kMaxCoordinate)) {
      return invalid("mesh: vertex " + std::to_string(v) + " is not within 1e9 units of the origin");
    }
    if (Status status = validate_influences(mesh, v, palette_size); !status) return status;
  }
  if (Status status = validate_tangents(mesh); !status) return status;
  if (Status status = validate_second_uvs(mesh); !status) return status;
  if (!mesh.colors.empty() && mesh.colors.size() != count) {
    return invalid("mesh: it has " + std::to_string(mesh.colors.size()) + " colors for " + std::to_string(count) +
                   " vertices");
  }
  for (const MorphTarget& target : mesh.targets) {
    if (Status status = validate_target(mesh, target); !status) return status;
  }
  return validate_parts(mesh);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
