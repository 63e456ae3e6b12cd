// A writer of small COLLADA files: one mesh of four points, which follows what a test puts above it.
#pragma once

#include <string>
#include <vector>

namespace sinew::test {

/// Keys of one curve and what they move. Tangents may be empty; so may be `kinds`, one word a key.
struct ColladaKeys {
  std::string target, times, values, kinds = {}, in_tangents = {}, out_tangents = {};
  int width = 1;  // values a key
  int tangent_width = 2;
};

/// The content of an <animation> that moves one target. `id` must be unique in the file.
std::string collada_channel(const std::string& id, const ColladaKeys& keys);

/// `<animation>` elements, one for each target.
std::string collada_animations(const std::vector<ColladaKeys>& keys);

/// A file with the corners (0,0,0), (1,0,0), (0,1,0), (0,0,1) as a mesh `#mesh`. `nodes` is the content of its scene
/// `scene`, `libraries` is what else is in the file.
std::string collada_file(const std::string& nodes, const std::string& libraries);

/// The node `j`, which is placed by `placements` and has the mesh.
std::string collada_node(const std::string& placements);

}  // namespace sinew::test
