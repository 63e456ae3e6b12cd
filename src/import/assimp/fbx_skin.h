// Repair of FBX skins. Assimp's offset matrices lack the geometric transform of the mesh, and in some versions the
// whole transform of the mesh's node.
#pragma once

#include <vector>

#include "assimp/fbx_chain.h"
#include "assimp/fbx_convention.h"
#include "scene.h"
#include "sinew/asset/import_report.h"

namespace sinew::internal {

/// Adds the missing transforms to joint_from_mesh, so that it maps from the space of the mesh's vertices. Call it
/// before collapse_pivots(). Throws ImportFailure if the convention is unknown, or if a scale of 0 lost a transform.
void complete_skins(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention,
                    ImportReport& report);

}  // namespace sinew::internal
