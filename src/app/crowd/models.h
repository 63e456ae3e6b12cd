// The models of a crowd, as the command line asks for them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "crowd/options.h"
#include "scene/model.h"
#include "sinew/asset/result.h"
#include "system/progress.h"

namespace sinew::app {

/// Loads the files, or the built-in character, and chooses what each plays and in which colors. Fails as the loader
/// does, where an output would overwrite an image that a file refers to, and where --clip does not fit the files.
/// `line` shows what is done; null: one of its own does.
Result<std::vector<Model>> load_models(const CrowdOptions& options, ProgressLine* line = nullptr);

/// The models' names, joined by "+".
std::string names_of(std::span<const Model> models);

/// Of the clips of one file those with the given names or numbers, ascending, each once. Errors: kNotFound if it has
/// none of them, kInvalidArgument for an additive clip. `file` is for messages.
Result<std::vector<uint32_t>> find_named_clips(const std::string& file, std::span<const Clip> clips,
                                               std::span<const std::string> names);

/// Fails (kNotFound) for a name or number that no model has; the message has the nearest names.
Status check_names(std::span<const Model> models, std::span<const std::string> names);

}  // namespace sinew::app
