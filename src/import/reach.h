// How far the parts of a scene reach: what an error of a node's rotation or scale costs in distance.
#pragma once

#include <vector>

#include "scene.h"

namespace sinew::internal {

constexpr double kMinReach = 0.05;  // of the diagonal: for what hosts attach to joints

/// Of a scene in its rest pose. All lengths are in the scene's units.
struct Reach {
  double diagonal = 0;          // of the box around all vertices, or around the nodes if there are none
  std::vector<double> of_node;  // from a node to the farthest that it moves, in model space
  std::vector<double> stretch;  // length in model space of a unit of the node's parent
  std::vector<Box> attached;    // of each node: its vertices, in its space; kEmptyBox if it has none
};

Reach measure_reach(const Scene& scene);

}  // namespace sinew::internal
