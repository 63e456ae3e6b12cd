// Options that several commands have.
#pragma once

#include <optional>
#include <vector>

#include "options/option_table.h"
#include "scene/load.h"

namespace sinew::app {

/// The defaults of a command line: isolated imports; the import worker is beside this program.
LoadOptions default_load();

/// A row for each option of all commands that load a character. They refer to `options`.
std::vector<Option> option_rows(LoadOptions& options);

/// The rows of --interface-scale and --blend.
Option scale_row(std::optional<float>& scale);
Option blend_row(LoadOptions& options);

/// Names that options had before, and what the message calls their successors.
struct RenamedOption {
  const char *old_name, *new_names;
};

}  // namespace sinew::app
