// The readers: each turns a file into a Scene. Every reader throws ImportFailure, and adds warnings to the report.
// Without images materials have no textures.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "folder.h"
#include "scene.h"
#include "sinew/import/import.h"
#include "surface.h"

struct aiScene;  // of Assimp

namespace sinew::internal {

/// Reads glTF 2.0, text or binary, with tinygltf's parser.
Scene read_gltf(const std::string& path, Wanted wanted, ImportReport& report);

/// Reads FBX from version 6 on, text or binary.
Scene read_fbx(const std::string& path, Wanted wanted, ImportReport& report);

/// The second half of read_fbx(): reads a file in memory that lies in `folder`.
Scene read_fbx_scene(std::span<const uint8_t> file, const Folder& folder, Wanted wanted, ImportReport& report);

/// Reads COLLADA 1.4 and 1.5.
Scene read_collada(const std::string& path, Wanted wanted, ImportReport& report);

/// The second half of read_collada(): reads a file in memory that lies in `folder`.
Scene read_collada_scene(std::vector<uint8_t> file, const Folder& folder, Wanted wanted, ImportReport& report);

/// Reads every other format with Assimp. `extension` is that of the path, in lower case, with its dot (".obj").
Scene read_with_assimp(const std::string& path, const std::string& extension, Wanted wanted, ImportReport& report);

/// The second half of read_with_assimp(): converts Assimp's scene of a file in `folder`. `source` is only read during
/// the call.
Scene read_assimp_scene(const aiScene& source, const Folder& folder, const std::string& extension, Wanted wanted,
                        ImportReport& report);

/// True if Assimp has a reader for this extension.
bool assimp_reads(const std::string& extension);

}  // namespace sinew::internal
