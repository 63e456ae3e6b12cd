#include "gltf/gltf_lost.h"

#include <algorithm>
#include <iterator>

namespace sinew::internal {
namespace {

// In the order of GltfLost.
constexpr LostFeature kGltfFeatures[] = {
    {"unknown-extension", "extension", "it is not read, the character may move or look different", LostFrom::kMotion},
    {"material-extension", "material extension", "it is not read, the character may look different"},
    {"vrm", "extension", "its spring bones, constraints, mixed expressions and toon materials are not read",
     LostFrom::kMotion},
    {"animated-visibility", "animated pointer", "visibility is not animated, the nodes stay as they are at rest",
     LostFrom::kMotion},
    {"animated-material", "animated pointer", "materials are not animated"},
    {"animated-other", "animated pointer", "what it points to is not animated", LostFrom::kMotion},
    {"unknown-path", "animation channel", "what it animates is unknown, left out", LostFrom::kMotion},
    {"points-and-lines", "mesh", "primitives of points or lines, or without positions, are left out"},
    {"texture-without-image", "texture", "it has no image that can be read, left out"},
    {"third-texture-set", "material",
     "its textures use more than two sets of texture coordinates, the others are left out"},
    {"specular-glossiness", "material", "its specular color, and its image of that and of glossiness, are not read"},
    {"target-attributes", "mesh", "its morph targets change positions, normals and tangents only"},
    {"skinned-instances", "mesh", "it is skinned, and its instances (EXT_mesh_gpu_instancing) are drawn as one"},
    {"instance-attributes", "mesh", "attributes of its instances besides translation, rotation and scale are not read"},
    {"other-scene", "node", "its mesh is in no scene but one that is not shown"},
};
static_assert(std::size(kGltfFeatures) == kLostScene + 1);

constexpr std::string_view kRead[] = {"KHR_mesh_quantization", "EXT_meshopt_compression", "KHR_meshopt_compression",
                                      "KHR_draco_mesh_compression", "KHR_texture_transform", "KHR_materials_unlit",
                                      "KHR_materials_emissive_strength", "KHR_materials_pbrSpecularGlossiness",
                                      "KHR_node_visibility", "KHR_animation_pointer", "EXT_mesh_gpu_instancing",
                                      // Formats of images: an image that cannot be decoded gets a warning of its own.
                                      "EXT_texture_webp", "KHR_texture_basisu", "EXT_texture_avif", "MSFT_texture_dds"};

/// Beginnings of names. Only what changes neither motion nor looks of a character.
constexpr std::string_view kOutOfScope[] = {
    "KHR_lights_",       "EXT_lights_",    "KHR_xmp",      "EXT_structural_metadata", "EXT_feature_metadata",
    "EXT_mesh_features", "KHR_audio",      "MSFT_audio_",  "KHR_node_selectability",  "KHR_node_hoverability",
    "EXT_mesh_manifold", "KHR_gltf_debug", "MSFT_packing_"};

bool begins_with_one_of(std::string_view name, std::span<const std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) { return name.starts_with(beginning); });
}

}  // namespace

std::span<const LostFeature> lost_features_of_gltf() { return kGltfFeatures; }

ExtensionKind kind_of_extension(std::string_view name) {
  if (std::find(std::begin(kRead), std::end(kRead), name) != std::end(kRead)) return ExtensionKind::kRead;
  if (begins_with_one_of(name, kOutOfScope)) return ExtensionKind::kOutOfScope;
  if (name.starts_with("KHR_materials_") || name.starts_with("VRMC_materials_")) return ExtensionKind::kMaterial;
  return name.starts_with("VRM") ? ExtensionKind::kVrm : ExtensionKind::kUnknown;
}

}  // namespace sinew::internal
