// Materials, images and vertex colors of Assimp's scene.
#pragma once

#include <assimp/scene.h>

#include <vector>

#include "image.h"
#include "scene.h"
#include "source_material.h"

namespace sinew::internal {

/// Appends materials and images to `scene`: one for each of Assimp's. Sets of texture coordinates are named by the
/// numbers of Assimp's channels.
std::vector<ConvertedMaterial> read_materials(const aiScene& source, ImageReader& images, ImportReport& report,
                                              Scene& scene);

/// The first set of vertex colors, which these formats have in sRGB; empty if the mesh has none. Colors that are all
/// black hold other data, or none: they are left out with a warning. Likewise alpha that is 0 everywhere is taken
/// for 1.
std::vector<VertexColor> read_colors(const aiMesh& source, ImportReport& report);

}  // namespace sinew::internal
