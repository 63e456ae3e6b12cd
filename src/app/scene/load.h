// The one place where the program loads characters, whatever their format.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"
#include "sinew/import/import.h"

namespace sinew::app {

struct LoadOptions {
  ImportOptions import;
  IsolationOptions isolation;
  bool isolated = false;  // import in a process of its own; `.sinew` needs none
};

/// The files that the command line names to be read.
std::vector<std::string> input_files(const std::string& model, const LoadOptions& options);

/// A `.sinew` with all that is in it; of another format the character and the report. With clips of other files, what
/// was baked is left out, for it lacks them.
Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options);

}  // namespace sinew::app
