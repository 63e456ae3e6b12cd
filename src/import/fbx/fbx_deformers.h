// What deforms the meshes of an FBX file: skins and blend shapes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fbx/fbx_lost.h"
#include "fbx/fbx_nodes.h"
#include "fbx/fbx_objects.h"
#include "polygon_mesh.h"

namespace sinew::internal {

/// A skin, with influences of control points.
struct FbxSkin {
  SceneSkin skin;                                       // from the geometry's space, without a geometric transform
  std::vector<std::vector<SceneInfluence>> influences;  // of each control point
  Blend blend = Blend::kLinear;
};

/// The first skin of a geometry; nothing if it has none. Throws ImportFailure if a cluster names control points that do
/// not exist.
std::optional<FbxSkin> read_fbx_skin(const FbxObjects& objects, uint32_t geometry, uint32_t control_point_count,
                                     const FbxNodes& nodes, LostFeatures& lost);

/// One number that mixes shapes: each shape is whole at its own percentage, and between them two are mixed.
struct FbxShapeChannel {
  uint32_t object = 0;  // whose property DeformPercent is animated
  double rest_percent = 0;
  struct Step {
    double percent = 100;
    uint32_t target = 0;  // an index in FbxShapes::shapes
  };
  std::vector<Step> steps;  // by percent

  /// The weight of a step's shape where the channel has `percent`. Beyond the last step weights go on growing.
  double weight(size_t step, double percent) const;
};

struct FbxShapes {
  std::vector<PointShape> shapes;  // the mesh's morph targets, in the file's order
  std::vector<FbxShapeChannel> channels;
};

/// The blend shapes of a geometry; empty if it has none. Throws ImportFailure if a shape names control points that do
/// not exist.
FbxShapes read_fbx_shapes(const FbxObjects& objects, uint32_t geometry, uint32_t control_point_count);

}  // namespace sinew::internal
