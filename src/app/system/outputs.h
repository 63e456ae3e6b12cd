// Checks where a command writes: each output has its own file, and no output overwrites an input.
#pragma once

#include <span>
#include <string>

#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew::app {

struct OutputFile {
  const char* option = "";
  std::string path;  // empty: no such output; "-": standard output
};

/// Fails (kInvalidArgument) where two outputs name one file, or an output names an input, by whatever path or link.
/// Pipes and devices may be named several times.
Status check_distinct(std::span<const OutputFile> outputs, std::span<const std::string> inputs);

/// Fails (kInvalidArgument) where the name of a picture has an ending other than .png or .apng.
Status check_png_name(const OutputFile& picture);

/// Fails where an output cannot be written because of its folder. Call it before long work.
Status check_writable(std::span<const OutputFile> outputs);

/// Where one of them is "-", standard output, print() goes to standard error from now on.
void print_beside(std::span<const OutputFile> outputs);

/// The files beside the model that its images were read from, as far as they still exist.
std::vector<std::string> image_files(const Character& character, const std::string& model_path);

}  // namespace sinew::app
