// Versions of Assimp differ in what they make of FBX. What the installed one does is seen in a small file whose numbers
// are known, not told by its version.
#pragma once

#include <string_view>

#include "scene.h"

namespace sinew {

struct FbxConvention {
  /// What a joint's offset matrix starts from.
  enum class Offset {
    kMesh,    // the mesh's node, as in the file
    kParent,  // the node above the mesh's: the mesh's own place is missing
    kUnknown,
  };
  Offset offset = Offset::kMesh;
  /// Channels that hold the whole transform have the post-rotation where its inverse belongs.
  bool inverts_post_rotation = false;
};

/// The small file: FBX 7.4, text.
std::string_view fbx_probe();

/// What a reader does that made `probe` of it.
FbxConvention fbx_convention_of(const Scene& probe);

}  // namespace sinew
