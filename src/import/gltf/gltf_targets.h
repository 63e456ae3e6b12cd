// Morph targets of glTF, and the weights that animate them. Source: glTF 2.0 specification, sections 3.7.2.2 and 3.11.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gltf/gltf_accessors.h"
#include "gltf/gltf_vrm.h"
#include "morph_targets.h"
#include "sinew/asset/clip.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// The names of the targets of a primitive of `mesh`: of expressions, else in the extras of the mesh, where most
/// writers put them, or of the primitive, as older ones do, else their numbers.
std::vector<std::string> target_names(const tinygltf::Model& model, int mesh, const tinygltf::Primitive& primitive,
                                      const ExpressionNames& expressions);

/// The morph targets of a primitive with `vertices` vertices. Throws ImportFailure if a target has differences for
/// another number of vertices.
std::vector<MorphTarget> read_targets(const GltfAccessors& accessors, const tinygltf::Mesh& owner,
                                      const tinygltf::Primitive& source, std::span<const std::string> names,
                                      size_t vertices, bool tangents, ImportReport& report);

/// Whether targets change more than positions, normals and tangents.
bool has_other_target_attributes(const tinygltf::Primitive& source);

/// The number of morph targets that a node of the file has.
uint32_t target_count(const tinygltf::Model& model, int node);

/// A track with the weights of all targets in each key, as one track per target.
std::vector<Track<float>> split_weights(const Track<float>& all, uint32_t targets);

}  // namespace sinew::internal
