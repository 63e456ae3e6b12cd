// Meshes of COLLADA files: triangles, polygons, strips and fans over inputs that share one list of indices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "collada/collada_source.h"
#include "polygon_mesh.h"
#include "sinew/import/import.h"
#include "surface.h"

namespace sinew::internal {

/// What an instance binds to the symbol of a material.
struct ColladaBinding {
  int32_t material = -1;  // in the scene
  bool has_normal_map = false;
  std::vector<std::optional<uint64_t>> uv_sets;        // by Texture::uv_set; nothing: the first that the mesh has
  bool operator<(const ColladaBinding& other) const {  // libc++ 16 has no <=> of vectors
    return std::tie(material, has_normal_map, uv_sets) < std::tie(other.material, other.has_normal_map, other.uv_sets);
  }
};

using ColladaBindings = std::map<std::string, ColladaBinding, std::less<>>;  // by symbol

/// What meshes are read with.
struct ColladaMeshContext {
  const ColladaDocument& document;
  ColladaSources& sources;
  ReadTangents tangents;
  uint64_t corners_left;  // what all meshes, skins and shapes may have: it limits time and memory
  ImportReport& report;

  /// Throws ImportFailure if fewer are left.
  void take_corners(uint64_t count);
};

/// The positions of a <mesh>: those that its <vertices> name.
std::vector<Vec3> points_of(pugi::xml_node mesh, ColladaMeshContext& context);

/// Reads a <mesh> with positions `points`. Throws ImportFailure if polygons name positions that do not exist.
std::vector<PolygonPart> read_collada_mesh(pugi::xml_node mesh, const std::vector<Vec3>& points,
                                           const ColladaBindings& bindings, ColladaMeshContext& context);

}  // namespace sinew::internal
