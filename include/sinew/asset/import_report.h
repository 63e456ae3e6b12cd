// What import found in a file and did to it; a `.sinew` keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// One for each import. Nothing here is needed to use the character.
struct ImportReport {
  uint32_t joints = 0, palette_entries = 0, clips = 0, meshes = 0, materials = 0, images = 0;
  uint32_t vertices = 0, triangles = 0, max_influences = 0;
  uint32_t static_vertices = 0, rigid_vertices = 0, skinned_vertices = 0;
  uint32_t normalized_vertices = 0;  // weights did not add to 1
  uint32_t limited_vertices = 0;     // lost influences to max_influences
  double largest_lost_weight = 0;    // of one vertex, as a share of its sum
  uint32_t unmoved_vertices = 0;     // of a skinned mesh, but without a weight: they follow the mesh's node
  uint32_t normalized_rotation_keys = 0;
  uint32_t computed_inverse_binds = 0;  // joints whose skin has none (glTF: the identity) or none that is finite
  uint32_t computed_normals = 0;        // vertices of meshes that have none
  uint32_t file_tangents = 0;           // vertices of meshes that have tangents, whether or not they were asked for
  uint32_t computed_tangents = 0;       // vertices that have none in the file, where they were asked for
  std::vector<std::string> warnings;    // what was dropped or could not be found, one line each
};

}  // namespace sinew
