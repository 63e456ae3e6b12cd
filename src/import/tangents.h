// Tangents of meshes: for which characters, and computed ones; what else readers read.
#pragma once

#include <vector>

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

/// Whether readers read tangents.
enum class ReadTangents : uint8_t { kNever, kForNormalMaps, kAlways };

/// What readers read besides meshes and clips.
struct Wanted {
  ReadTangents tangents = ReadTangents::kNever;
  bool images = false;
};

Wanted wanted_of(const ImportOptions& options);

/// Whether the character has tangents: because they were asked for, or because one of its parts has a normal map.
bool has_tangents(const ImportOptions& options, const std::vector<MeshPart>& parts,
                  const std::vector<Material>& materials);

/// Tangents of the vertices of a part, whose positions, normals, uvs and indices `mesh` has: for the normal map of
/// `material`, if it has one, else for the first uvs.
std::vector<Vec4> tangents_of_part(const Mesh& mesh, const MeshPart& part, const Material& material);

}  // namespace sinew::internal
