// From a character file to plain data: glTF and GLB through tinygltf, everything else through Assimp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/character.h"
#include "sinew/import_report.h"
#include "sinew/result.h"

namespace sinew {

struct ImportOptions {
  /// Files whose clips are added, matched by joint name. Paths as for the model itself.
  std::vector<std::string> animation_files;
  /// The heaviest influences of each vertex that are kept, then renormalised. 0 keeps all.
  uint32_t max_influences = 0;
};

/// Reads a model and the clips of `options.animation_files`, and validates the result.
///
/// Everything stays in the file's own units, axes and time; Character::space says what they are. A joint is a node that
/// skins, or that a clip moves together with a mesh; a mesh on or below a joint that no skin bends becomes rigid, one
/// that nothing moves static. glTF is read as its 2.0 specification says: skins without inverse bind matrices have the
/// identity. FBX rotations are exact at the curves' keys, and slerped between them.
///
/// Reads only regular files beside or below the model's folder, of at most 2 GiB. `report` may be null; after an error
/// it holds what was found until then. Calls may run in parallel. Errors name the file and the thing: kNotFound,
/// kUnreadable, kUnsupported (file type, compressed glTF), kInvalidData, kOutOfMemory. Every index and size of glTF is
/// checked; other formats are parsed by Assimp in this process, which a malformed file can still bring down.
Result<Character> load_character(const std::string& path, const ImportOptions& options = {},
                                 ImportReport* report = nullptr);

}  // namespace sinew
