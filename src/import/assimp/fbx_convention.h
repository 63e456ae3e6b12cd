// Detection of how the installed Assimp reads FBX. Versions differ, and the version number does not say how: the
// detection reads a small file with known values.
#pragma once

#include <string_view>

#include "scene.h"

namespace sinew::internal {

/// Two properties of Assimp's FBX reader.
struct FbxConvention {
  /// The space that a joint's offset matrix (joint_from_mesh) maps from.
  enum class Offset {
    kMesh,    // the mesh's node, as in the file
    kParent,  // the parent of the mesh's node: the transform of the mesh's node is missing
    kUnknown,
  };
  Offset offset = Offset::kMesh;
  /// True if channels with the whole transform contain the post-rotation, where FBX means its inverse.
  bool has_uninverted_post_rotation = false;
};

/// The probe file: FBX 7.4, text. Static storage.
std::string_view fbx_probe();

/// The convention of the reader that turned fbx_probe() into the scene `probe`.
FbxConvention fbx_convention_of(const Scene& probe);

}  // namespace sinew::internal
