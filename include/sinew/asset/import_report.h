// The import report: what import found in a file, and what it repaired, computed or dropped. A `.sinew` file keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// The report of one import, for people. No other call needs it. `meshes` counts mesh parts.
struct ImportReport {
  uint32_t joints = 0, palette_entries = 0, clips = 0, meshes = 0, materials = 0, images = 0;
  uint32_t vertices = 0, triangles = 0, max_influences = 0;
  // Vertices by PartKind of their part.
  uint32_t static_vertices = 0, rigid_vertices = 0, skinned_vertices = 0;
  uint32_t morph_targets = 0, repaired_differences = 0;  // differences of morph targets that were not finite: now 0
  uint32_t normalized_vertices = 0;                      // weights did not add to 1, and were divided by their sum
  uint32_t limited_vertices = 0;                         // had more than ImportOptions::max_influences influences
  double largest_lost_weight = 0;         // the largest share of weight that this limit took from a vertex
  uint32_t unmoved_vertices = 0;          // in a skinned part without a weight: they follow the node of the mesh, or in
                                          // glTF the first joint that they name
  uint32_t normalized_rotation_keys = 0;  // rotation keys that were not of unit length
  uint32_t merged_entries = 0;            // palette entries that differed from another part's by a constant transform
  uint32_t computed_inverse_binds = 0;    // inverse bind matrices: missing (glTF: the identity), zero or not finite
  uint32_t computed_normals = 0;          // vertices without a usable normal in the file
  uint32_t file_tangents = 0;             // vertices of meshes with tangents, whatever ImportOptions::tangents is
  uint32_t computed_tangents = 0;         // vertices without a usable tangent, if ImportOptions::tangents is set
  // Of clips of FBX files: keys of one property of one node, in the file and in the clips; and the largest distance of
  // a vertex from where the curves have it that was measured between keys, as a share of the diagonal. 0 for all other
  // formats.
  uint32_t curve_keys = 0, track_keys = 0;
  double largest_curve_error = 0;
  std::vector<std::string> retargeted;  // of clips of other skeletons: a line for every joint of both
  std::vector<std::string> warnings;    // items that were dropped or not found, one line each
  bool operator==(const ImportReport&) const = default;
};

}  // namespace sinew
