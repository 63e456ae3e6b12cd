// Materials, images and vertex colors of Assimp's scene.
#pragma once

#include <assimp/scene.h>

#include <vector>

#include "image.h"
#include "scene.h"

namespace sinew::internal {

/// Appends materials and images to `scene`. Returns the channels of texture coordinates that the textures of each
/// material use, at most two: they become uv sets 0 and 1.
///
/// Of what files say about transparency, this is trusted: an opacity between 0 and 1 blends; an image that the file
/// also names as opacity, or flags as such, masks. An opacity of 0 is taken for 1: FBX exporters often write it for
/// opaque materials. All materials are double-sided, because these formats, or their exporters, wind triangles either
/// way and do not say which sides are meant.
std::vector<std::vector<unsigned>> read_materials(const aiScene& source, ImageReader& images, ImportReport& report,
                                                  Scene& scene);

/// The first set of vertex colors, which these formats have in sRGB; empty if the mesh has none. Colors that are all
/// black hold other data, or none: they are left out with a warning. Likewise alpha that is 0 everywhere is taken
/// for 1.
std::vector<VertexColor> read_colors(const aiMesh& source, ImportReport& report);

}  // namespace sinew::internal
