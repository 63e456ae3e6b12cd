// The properties of FBX materials, in the order of preference: of physically based materials first. Maya's Stingray and
// standard surface, the physical and the glTF material of 3ds Max, then Phong and Lambert.
#pragma once

#include <string_view>
#include <vector>

namespace sinew::internal {

using FbxNames = std::vector<std::string_view>;

/// Numbers and colors.
inline const FbxNames kFbxColors = {"Maya|baseColor", "3dsMax|Parameters|base_color", "3dsMax|main|base_color",
                                    "Maya|base_color"};
inline const FbxNames kFbxMetallic = {"Maya|metalness", "Maya|metallic", "3dsMax|Parameters|metalness",
                                      "3dsMax|main|metalness"};
inline const FbxNames kFbxRoughness = {"Maya|specularRoughness", "Maya|roughness", "3dsMax|Parameters|roughness",
                                       "3dsMax|main|roughness"};
inline const FbxNames kFbxEmission = {"Maya|emissionColor", "Maya|emissive", "3dsMax|Parameters|emit_color",
                                      "3dsMax|main|emit_color"};
inline const FbxNames kFbxEmissionWeights = {"Maya|emission", "Maya|emissive_intensity", "3dsMax|Parameters|emission"};

/// What textures are connected to.
inline const FbxNames kFbxColorMaps = {
    "Maya|TEX_color_map",         "Maya|baseColor", "3dsMax|Parameters|base_color_map",
    "3dsMax|main|base_color_map", "DiffuseColor",   "Maya|DiffuseTexture"};
inline const FbxNames kFbxOpacityMaps = {"TransparentColor", "TransparencyFactor", "Opacity", "Maya|opacity",
                                         "3dsMax|Parameters|transparency_map"};
inline const FbxNames kFbxMetallicMaps = {"Maya|TEX_metallic_map", "Maya|metalness", "3dsMax|Parameters|metalness_map",
                                          "3dsMax|main|metalness_map"};
inline const FbxNames kFbxRoughnessMaps = {"Maya|TEX_roughness_map", "Maya|specularRoughness",
                                           "3dsMax|Parameters|roughness_map", "3dsMax|main|roughness_map"};
inline const FbxNames kFbxNormalMaps = {"Maya|TEX_normal_map",  "Maya|normalCamera", "3dsMax|Parameters|bump_map",
                                        "3dsMax|main|norm_map", "NormalMap",         "Bump"};
inline const FbxNames kFbxOcclusionMaps = {"Maya|TEX_ao_map", "3dsMax|main|ao_map", "AmbientOcclusion"};
inline const FbxNames kFbxEmissionMaps = {"Maya|TEX_emissive_map", "Maya|emissionColor",
                                          "3dsMax|Parameters|emit_color_map", "3dsMax|main|emit_color_map",
                                          "EmissiveColor"};

}  // namespace sinew::internal
