// Where a command writes: each output to a file of its own, and over nothing that the command reads.
#pragma once

#include <span>
#include <string>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct OutputFile {
  const char* option = "";
  std::string path;  // empty: not asked for
};

/// Refuses, kInvalidArgument, outputs that name one file, and one that names an input, by whatever path or link. Pipes
/// and devices may be named several times.
Status check_distinct(std::span<const OutputFile> outputs, std::span<const std::string> inputs);

/// Fails where one of them could not be written for its folder's sake. Ask before work that takes long.
Status check_writable(std::span<const OutputFile> outputs);

/// The files beside the model that its images were read from, those that are still there.
std::vector<std::string> image_files(const Character& character, const std::string& model_path);

}  // namespace sinew::app
