// Meshes of FBX files: polygons over control points, and layers of normals, texture coordinates, colors and materials.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fbx/fbx_objects.h"
#include "polygon_mesh.h"
#include "sinew/asset/import_report.h"

namespace sinew::internal {

struct FbxMesh {
  std::vector<PolygonPart> parts;  // their material is that of the layer: an index in the model's materials, or -1
  uint32_t control_point_count = 0;
};

struct FbxMeshOptions {
  bool tangents = false;
  std::vector<std::vector<std::string>> uv_sets;  // by the index of the material: the names of at most two sets that
                                                  // its images use; an empty name: the first set of the mesh
};

/// Reads a geometry of kind "Mesh". Throws ImportFailure if polygons name control points that do not exist, or if it
/// has more corners than `corners_left`, from which those of this geometry are subtracted.
FbxMesh read_fbx_mesh(const FbxDocument& document, const FbxObject& geometry, const FbxMeshOptions& options,
                      uint64_t& corners_left, ImportReport& report);

}  // namespace sinew::internal
