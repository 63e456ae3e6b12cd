// From a character file to plain data: glTF and GLB through tinygltf, our own by itself, everything else through
// Assimp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/character.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/result.h"

namespace sinew {

struct ImportOptions {
  /// Files whose clips are added, matched by joint name. Paths as for the model itself.
  std::vector<std::string> animation_files;
  /// The heaviest influences of each vertex that are kept, then renormalized. 0 keeps all.
  uint32_t max_influences = 0;
  /// Mesh::tangents for all vertices: the file's own, computed where it has none that is one. Those are not
  /// MikkTSpace's, which normal maps are mostly made for: the mean of the triangles around a vertex by area. 16 bytes a
  /// vertex.
  bool tangents = false;
  /// A file with clips but without a mesh too, which is refused otherwise: the character has the nodes that move, and
  /// those between, for joints, and a mesh without vertices.
  bool allow_no_mesh = false;
};

/// Reads a model and the clips of `options.animation_files`, and validates the result.
///
/// Everything stays in the file's own units, axes and time; Character::space says what they are. A joint is a node that
/// skins, or that a clip moves together with a mesh; a mesh on or below a joint that no skin bends becomes rigid, one
/// that nothing moves static. glTF is read as its 2.0 specification says: skins without inverse bind matrices have the
/// identity. FBX rotations are exact at the curves' keys, and slerped between them. A `.sinew` gives the character that
/// it was written from, tangents included; load_character_file() gives its bake besides.
///
/// Files that the model refers to must be regular files in its folder or below; those of `animation_files` may lie
/// anywhere. None may be larger than 2 GiB. `report` may be null; after an error
/// it holds what was found until then. Calls may run in parallel. Errors name the file and the thing: kNotFound,
/// kUnreadable, kUnsupported (file type, compressed glTF), kInvalidData, kOutOfMemory. Every index and size of glTF and
/// of `.sinew` is checked; other formats are parsed by Assimp. A malformed one, or memory that runs out
/// inside a parser, can still end this process: import_isolated() is for files that are not trusted.
Result<Character> load_character(const std::string& path, const ImportOptions& options = {},
                                 ImportReport* report = nullptr);

/// Who imports in load_character()'s stead, and what that may take.
struct IsolationOptions {
  /// Required: the path of the program `sinew` of this version; PATH is not searched. It is run as `sinew bake FILE
  /// --output - ...`.
  std::string program;
  /// Of processor time; after five times as much by the clock it is ended too. 0: 4 s, and 0.25 s more for each MiB of
  /// the files.
  double seconds = 0;
  /// What it may allocate; what it hands over may be half of that. 0: 960 MiB, or 30 times the files where they are
  /// larger.
  uint64_t memory_bytes = 0;
};

/// load_character() in a process of its own: a file that crashes the importer, keeps it busy or fills the memory ends
/// in an Error, and the caller goes on. The one call of the library that starts a process; it waits for it, and none is
/// left when it returns. Costs about 20 ms. A `.sinew` is read in this process.
///
/// The process inherits the environment but no open files, is given the paths, and hands a `.sinew` back through an
/// unnamed temporary file, which is then read as hostile as any. Errors as from load_character(), but whatever that
/// process refuses is kInvalidData, unsupported features too. Calls may run in parallel. A host that ignores SIGCHLD is
/// served too.
Result<Character> import_isolated(const std::string& path, const ImportOptions& options,
                                  const IsolationOptions& isolation, ImportReport* report = nullptr);

}  // namespace sinew
