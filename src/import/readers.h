// The two readers: a file becomes a Scene. Both throw ImportFailure and add warnings to the report. `tangents`: whether
// they are wanted.
#pragma once

#include <string>

#include "folder.h"
#include "scene.h"
#include "sinew/import/import.h"

struct aiScene;  // Assimp's

namespace sinew {

/// glTF 2.0, text or binary, through tinygltf's parser.
Scene read_gltf(const std::string& path, bool tangents, ImportReport& report);

/// Everything else, through Assimp. `extension` is the path's own in lower case (".fbx").
Scene read_with_assimp(const std::string& path, const std::string& extension, bool tangents, ImportReport& report);

/// What of the latter comes after Assimp: a scene as Assimp made it, of a file of that extension in `folder`.
Scene read_assimp_scene(const aiScene& source, const Folder& folder, const std::string& extension, bool tangents,
                        ImportReport& report);

/// Assimp knows files that end like this.
bool assimp_reads(const std::string& extension);

}  // namespace sinew
