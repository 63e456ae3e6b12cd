// What a skin of FBX lacks as Assimp hands it over: its mesh's geometric transform, and in some versions all of the
// mesh's own place.
#pragma once

#include <vector>

#include "assimp/fbx_chain.h"
#include "assimp/fbx_convention.h"
#include "scene.h"
#include "sinew/asset/import_report.h"

namespace sinew {

/// Makes joint_from_mesh start from the vertices as they are. Before collapse_pivots(). Throws ImportFailure where that
/// cannot be had any more.
void complete_skins(Scene& scene, const std::vector<FbxChain>& chains, const FbxConvention& convention,
                    ImportReport& report);

}  // namespace sinew
