#include "tangents.h"

#include <algorithm>
#include <span>

#include "surface.h"

namespace sinew::internal {
namespace {

/// Where the normal map is read.
std::vector<Vec2> normal_uvs(const Mesh& mesh, const MeshPart& part, const Texture& texture) {
  const std::vector<Vec2>& set = texture.image >= 0 && texture.uv_set == 1 ? mesh.second_uvs : mesh.uvs;
  std::vector<Vec2> uvs(set.begin() + part.first_vertex, set.begin() + part.first_vertex + part.vertex_count);
  if (texture.image < 0) return uvs;
  for (Vec2& uv : uvs) uv = transformed(texture, uv);
  return uvs;
}

}  // namespace

Wanted wanted_of(const ImportOptions& options) {
  const auto others = options.normal_map_tangents ? ReadTangents::kForNormalMaps : ReadTangents::kNever;
  return {options.tangents ? ReadTangents::kAlways : others, options.images};
}

bool has_tangents(const ImportOptions& options, const std::vector<MeshPart>& parts,
                  const std::vector<Material>& materials) {
  if (!options.normal_map_tangents) return options.tangents;
  return options.tangents || std::any_of(parts.begin(), parts.end(), [&](const MeshPart& part) {
           return materials[part.material].normal_texture.image >= 0;
         });
}

std::vector<Vec4> tangents_of_part(const Mesh& mesh, const MeshPart& part, const Material& material) {
  const std::vector<Vec2> uvs = normal_uvs(mesh, part, material.normal_texture);
  std::vector<uint32_t> indices(mesh.indices.begin() + part.first_index,
                                mesh.indices.begin() + part.first_index + part.index_count);
  for (uint32_t& index : indices) index -= part.first_vertex;
  return compute_tangents({std::span(mesh.positions).subspan(part.first_vertex, part.vertex_count),
                           std::span(mesh.normals).subspan(part.first_vertex, part.vertex_count), uvs, indices});
}

}  // namespace sinew::internal
