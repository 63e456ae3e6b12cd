// The animations of a COLLADA file as clips.
#pragma once

#include <cstdint>
#include <vector>

#include "collada/collada_animations.h"
#include "scene.h"

namespace sinew::internal {

/// A node of the scene whose mesh has the shapes of a <morph>.
struct ColladaMorphedNode {
  uint32_t node = 0;
  pugi::xml_node morph;
  uint32_t first_target = 0;                           // of the <morph>'s first shape at the node
  const std::vector<double>* displacements = nullptr;  // the largest of each shape, in the mesh's space
  double scale = 1;                                    // of that space in model space
};

/// The transform of a node at rest.
Matrix3x4d rest_of(const ColladaElement& element);

/// Adds the clips to `scene`, whose nodes are `nodes`. Tracks stay within 2.5e-6 of the diagonal of the file's curves.
/// Throws ImportFailure if the clips need too much work for a file of `size_bytes`, or too many keys.
void append_collada_clips(const ColladaNodes& nodes, const ColladaAnimations& animations,
                          const std::vector<ColladaMorphedNode>& morphed, uint64_t size_bytes, Scene& scene);

}  // namespace sinew::internal
