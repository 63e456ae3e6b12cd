// The one place where the program loads characters, in any format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"
#include "sinew/import/import.h"

namespace sinew::app {

struct LoadOptions {
  ImportOptions import;
  IsolationOptions isolation;
  bool retarget = false;       // animation files: by retarget(), not as they are
  std::optional<Blend> blend;  // of the mesh; none: as the file says
  bool verbose = false;        // prints what an isolated import says of itself, on standard error
  bool isolated = false;       // import in a separate process; a plain `.sinew` file needs none
};

/// The files that the command line names as input: animation files, then the model.
std::vector<std::string> input_files(const std::string& model, const LoadOptions& options);

/// Loads a character. A `.sinew` file is read with all its contents. Any other format gives the character, the import
/// report, and a bake if it is imported in a separate process and `isolation.bake` asks for one. With animation files,
/// a limit on influences or tangents, a `.sinew` file is imported too, and loses the bake that it has. Files whose
/// clips are retargeted have no bake either.
Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options);

// `--retarget`: clips of animation files are moved to a character whose joints have other rest rotations or prefixes.

/// Appends the clips of `animation`, which was read from `path`. The report of `file` gets a line for each joint of
/// both. Fails where the skeletons have no joint name in common.
Status add_retargeted_clips(const CharacterFile& animation, const std::string& path, CharacterFile& file);

}  // namespace sinew::app
