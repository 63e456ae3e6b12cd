// What deforms the meshes of COLLADA files: skins and morph controllers, one on top of another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collada/collada_mesh.h"
#include "lost_features.h"
#include "polygon_mesh.h"

namespace sinew::internal {

/// A mesh, and what deforms it.
struct ColladaDeformers {
  pugi::xml_node mesh;                 // empty: there is none in this document
  pugi::xml_node skin;                 // empty: none
  std::vector<pugi::xml_node> morphs;  // <morph> elements, from the instance to the mesh
};

/// What an instance's address names: a geometry, or a controller of one. Throws ImportFailure for controllers that
/// refer to each other.
ColladaDeformers deformers_of(const ColladaDocument& document, const char* address, LostFeatures& lost);

struct ColladaSkin {
  std::vector<std::string> joints;
  bool are_ids = false;
  std::vector<Matrix3x4d> joint_from_mesh;              // with the bind shape
  std::vector<std::vector<SceneInfluence>> influences;  // of each point; joint joints.size() is the bind shape, which
                                                        // does not move
  Matrix3x4d bind_shape;
  bool has_bind_shape_joint = false;  // whether an influence names it
};

/// Nothing for a skin without joints or influences: the mesh is rigid. Influences that name what does not exist are
/// lost.
std::optional<ColladaSkin> read_collada_skin(pugi::xml_node skin, size_t point_count, const ColladaNodes& nodes,
                                             ColladaSources& sources, LostFeatures& lost);

/// The shapes of a <morph>, with their weights at rest. Of shapes with another number of points only the place is
/// kept: they move nothing.
std::vector<PointShape> read_collada_shapes(pugi::xml_node morph, const std::vector<Vec3>& points,
                                            ColladaMeshContext& context, LostFeatures& lost);

}  // namespace sinew::internal
