#include "sinew/asset/mesh.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "exceptions.h"
#include "mesh_checks.h"
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

/// `count` elements where each vertex has one.
Status check_count(const Mesh& mesh, size_t count, const char* name) {
  if (count == mesh.positions.size()) return {};
  return invalid("mesh: it has " + std::to_string(count) + " " + name + " for " +
                 std::to_string(mesh.positions.size()) + " vertices");
}

Status validate_tangents(const Mesh& mesh) {
  if (mesh.tangents.empty()) return {};
  if (Status status = check_count(mesh, mesh.tangents.size(), "tangents"); !status) return status;
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
  const auto check = [&](size_t count, const char* name) -> Status {
    if (count == target.vertices.size()) return {};
    return refuse("has " + std::to_string(count) + " differences of " + name + " for " +
                  std::to_string(target.vertices.size()) + " vertices");
  };
  if (Status status = check(target.positions.size(), "positions"); !status) return status;
  if (!target.normals.empty()) {
    if (Status status = check(target.normals.size(), "normals"); !status) return status;
  }
  if (!target.tangents.empty()) {
    if (Status status = check(target.tangents.size(), "tangents"); !status) return status;
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

Status check_ranges(const Mesh& mesh) {
  const size_t count = mesh.positions.size();
  if (count > UINT32_MAX) return invalid("mesh: it has " + std::to_string(count) + " vertices");
  if (mesh.first_influence.size() != count + 1) {
    return invalid("mesh: first_influence has " + std::to_string(mesh.first_influence.size()) + " elements, and " +
                   std::to_string(count) + " vertices need " + std::to_string(count + 1));
  }
  if (!std::is_sorted(mesh.first_influence.begin(), mesh.first_influence.end()) || mesh.first_influence.front() != 0 ||
      mesh.first_influence.back() != mesh.influences.size()) {
    return invalid("mesh: the influence ranges do not cover the influences");
  }
  return check_count(mesh, mesh.normals.size(), "normals");
}

Status validate_vertex(const Mesh& mesh, uint32_t v, uint32_t palette_size) {
  if (!is_finite(mesh.positions[v]) || !is_finite(mesh.normals[v])) {
    return invalid("mesh: vertex " + std::to_string(v) + " is not finite");
  }
  if (!is_within(mesh.positions[v], kMaxCoordinate)) {
    return invalid("mesh: vertex " + std::to_string(v) + " is not within 1e9 units of the origin");
  }
  return validate_influences(mesh, v, palette_size);
}

Status validate_uvs(const Mesh& mesh) {
  if (Status status = check_count(mesh, mesh.uvs.size(), "uvs"); !status) return status;
  for (size_t v = 0; v < mesh.uvs.size(); ++v) {
    const Vec2 uv = mesh.uvs[v];
    if (!is_finite(Vec3{uv.x, uv.y, 0})) return invalid("mesh: vertex " + std::to_string(v) + " is not finite");
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

Status internal::validate_skinned(const Mesh& mesh, uint32_t palette_size) SINEW_TRY {
  if (Status status = check_ranges(mesh); !status) return status;
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    if (Status status = validate_vertex(mesh, v, palette_size); !status) return status;
  }
  if (Status status = validate_tangents(mesh); !status) return status;
  for (const MorphTarget& target : mesh.targets) {
    if (Status status = validate_target(mesh, target); !status) return status;
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const Mesh& mesh, uint32_t palette_size) SINEW_TRY {
  if (Status status = validate_skinned(mesh, palette_size); !status) return status;
  if (Status status = validate_uvs(mesh); !status) return status;
  if (Status status = validate_second_uvs(mesh); !status) return status;
  if (!mesh.colors.empty()) {
    if (Status status = check_count(mesh, mesh.colors.size(), "colors"); !status) return status;
  }
  return validate_parts(mesh);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
