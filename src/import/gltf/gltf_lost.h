// What glTF may say and its reader does not keep: the rows of the table, and which extensions belong to which row.
#pragma once

#include <string_view>

#include "lost_features.h"

namespace sinew::internal {

/// The rows of lost_features_of_gltf().
enum GltfLost : uint8_t {
  kLostExtension,
  kLostMaterialExtension,
  kLostVrm,
  kLostVisibility,
  kLostMaterialAnimation,
  kLostPointer,
  kLostPath,
  kLostPrimitive,
  kLostTexture,
  kLostTextureSet,
  kLostSpecular,
  kLostTargetAttribute,
  kLostSkinnedInstances,
  kLostInstanceAttribute,
  kLostScene
};

/// What becomes of a file's extension.
enum class ExtensionKind : uint8_t {
  kRead,
  kOutOfScope,  // lights, metadata: nothing that a character has
  kMaterial,
  kVrm,
  kUnknown
};

ExtensionKind kind_of_extension(std::string_view name);

}  // namespace sinew::internal
