// Import: a character file becomes a Character. glTF, GLB and VRM are parsed by tinygltf; `.sinew`, FBX and COLLADA by
// this library; all other formats by Assimp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/result.h"

namespace sinew {

/// What to import, and how.
struct ImportOptions {
  /// Paths of files whose clips are added. Their tracks find their joints by name: docs/import.md.
  std::vector<std::string> animation_files;
  /// The number of influences per vertex that are kept: those of largest weight, renormalized. 0 keeps all.
  uint32_t max_influences = 0;
  /// Fill Mesh::tangents, 16 bytes per vertex: with the file's tangents, or computed if a vertex has no usable one. A
  /// computed tangent is the mean over the triangles around the vertex, weighted by area. It differs from MikkTSpace,
  /// for which most normal maps are made.
  bool tangents = false;
  /// Fill them too if a part has a normal map (Material::normal_texture): for hosts that shade with those.
  bool normal_map_tangents = false;
  /// Read the images of materials. If false, no image is read or decoded, and materials have no textures: for servers.
  /// A material that masks or blends stays so then, even if its images are opaque.
  bool images = true;
  /// Accept a file with clips but without a mesh. Its joints are the animated nodes and the nodes between them; its
  /// mesh has no vertices. If false, such a file is refused.
  bool allow_no_mesh = false;
  /// Finite, not negative: how many ticks, or frames, are a second where the file's clips do not say it: `.smd` never
  /// does, `.x` may not. 0: what the format's own tools take, 30 in `.smd`, 4,800 in `.x`, 25 in others. The report has
  /// a line.
  double ticks_per_second = 0;
};

/// Reads a model and the clips of `options.animation_files`, and validates the result. It is slow: whole files are
/// parsed and images decoded.
///
/// Units, axes and times stay those of the file; Character::space describes them. A joint is a node that skins
/// vertices, an animated node that moves a mesh, or a node between joints. A mesh without a skin becomes a rigid part
/// if a joint moves it, else a static part. Parts come by alpha mode, those that blend last; a material that masks or
/// blends but is opaque everywhere becomes opaque. Of the file's sets of texture coordinates, the first two that the
/// textures of a part's material use become Mesh::uvs and second_uvs, that of the base color first; vertex colors are
/// the first set. Materials are those of glTF; what other formats have is converted (docs/import.md). Factors that are
/// not finite or out of range are replaced, with a line. glTF is read as its 2.0 specification says: missing inverse
/// bind matrices are the identity. Clips of FBX, 6.0 to 7.7, have keys at the keys of the file's curves, and more keys
/// between them. The target: no vertex is further from where the curves have it than 1e-5 of the model's diagonal.
/// ImportReport::largest_curve_error is what was measured. A `.sinew` file gives the character that was written,
/// tangents included; load_character_file() also gives its bake.
///
/// Other files that the model refers to must be regular files in its folder or below; `animation_files` may be
/// anywhere. No file may be larger than 2 GiB. `report` may be null; after an error it holds what was found so far.
/// Calls may run in parallel. Errors: kNotFound, kUnreadable, kUnsupported (file type; glTF 1.0; FBX before 6.0;
/// a required extension that is not read; too many vertices, palette entries or levels of nodes), kInvalidData,
/// kInvalidArgument (ticks_per_second), kOutOfMemory; the message names the file and the item. Every index and size in
/// glTF, FBX, COLLADA and `.sinew` files is checked. In other formats a malformed file can end this process inside
/// Assimp; so can memory that runs out inside a parser. Use import_isolated() for files that you do not trust.
SINEW_API Result<Character> load_character(const std::string& path, const ImportOptions& options = {},
                                           ImportReport* report = nullptr);

/// The import worker that import_isolated() runs, its limits, and whether it bakes.
struct IsolationOptions {
  /// The path of the import worker, the program `sinew-import` of this version (CMake: sinew::import_worker). If empty,
  /// it is looked for in the folder of the shared library or program that contains this library, then in the folder of
  /// the running program. PATH and the current folder are not searched.
  std::string program = {};
  /// The limit of processor time, rounded down to whole seconds, at least 1. The process is also killed after five
  /// times this value, not rounded, of wall time. 0: 4 s plus 1 s per MiB of the files, scaled up on machines slower
  /// than the reference, as a calculation of 2 ms, done once, shows.
  double seconds = 0;
  /// The limit of memory that the process may allocate. Its result may have half of that. 0: 2 GiB, or 30 times the
  /// size of the files if that is more.
  uint64_t memory_bytes = 0;
  /// Bake the clips in the process too: bake() (sinew/animation/bake.h) with these options. From the end of the import
  /// on, the limits are 600 s, likewise scaled, and 4 GiB higher; the largest bake takes a minute or two.
  std::optional<BakeOptions> bake = {};
  /// With `bake`: called on the thread that waits for the process, first with 0 when the bake begins.
  BakeProgress progress = {};
  /// Where it is not null: receives text for people, one line each, also if the import fails: what holds of the
  /// process's sandbox ("sandbox: ..."), then the end of what the libraries in it printed, at most 128 KiB. Empty if no
  /// process was needed. Borrowed for the call. Text of a file may be in it: each line is valid UTF-8 without controls.
  std::string* log = nullptr;
};

/// load_character() in a process of its own: a file that crashes the importer, never ends or fills the memory gives an
/// Error, and the caller goes on. No other call of the library starts a process. This call waits for the process; none
/// is left when it returns. It costs about 20 ms more. If all files are `.sinew` files and `isolation.bake` is empty,
/// they are read in this process, and no worker is needed. The result always has a report; it has a bake if and only if
/// `isolation.bake` has a value.
///
/// The process inherits the environment but no open files. It gets the paths as arguments, and returns a `.sinew` file
/// in an unnamed temporary file, which is not trusted either. On Linux it is a sandbox: it can read the folders of
/// `path` and `options.animation_files`, and write nothing (Landlock); it has no network and can neither start a
/// program nor reach another process (seccomp). Where the kernel or a container lacks one of the two, the other holds.
/// Errors as from load_character(), except that every refusal by the process is kInvalidData, unsupported features
/// included; the same for a bake that is refused. Too much time is kInvalidData, too much memory kOutOfMemory. A worker
/// that is not found is kUnreadable; the message has the paths that were tried. Calls may run in parallel. Hosts may
/// ignore SIGCHLD.
SINEW_API Result<CharacterFile> import_isolated(const std::string& path, const ImportOptions& options = {},
                                                const IsolationOptions& isolation = {});

}  // namespace sinew
