// Animation stacks of FBX files as clips: tracks that stay within a known distance of the file's curves.
#pragma once

#include <vector>

#include "fbx/fbx_deformers.h"
#include "fbx/fbx_nodes.h"
#include "fbx/fbx_stack.h"
#include "scene.h"

namespace sinew::internal {

/// The blend shapes of one mesh of the scene, and the node that has it.
struct FbxMorphedNode {
  uint32_t scene_node = 0;
  const FbxShapes* shapes = nullptr;
  std::vector<double> displacement;  // the largest of each shape, in model space
};

/// The distance of a vertex from where the curves have it, as a share of the model's diagonal, that a clip should not
/// exceed. It is a target: fitting stops at a limit of keys. Above ten times as much there is a warning.
inline constexpr double kMaxCurveError = 1e-5;

/// Makes a clip of every stack that has keys. A stack without keys is left out, with a warning. Times begin at the
/// start of the stack. Keys lie at the keys of the curves and at as many times between as keep vertices within
/// kMaxCurveError; the report has the error that was measured.
CurveFit append_fbx_clips(const FbxNodes& nodes, const FbxStacks& stacks, const std::vector<FbxMorphedNode>& morphed,
                          Scene& scene, std::vector<std::string>& warnings);

}  // namespace sinew::internal
