// All other shaders of the program and of the library as a driver compiles them: those that draw, and those that
// convert and expand palettes.
#pragma once

#include <string>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/result.h"
#include "statistics.h"

namespace sinew::isa {

struct ShaderRow {
  std::string pipeline;  // the object's name, without "sinew.", and what it is built for
  ShaderStatistics shader;
};

/// Every pipeline that the program and the library create and name, in the order of their creation. The device must
/// have pipeline_statistics and debug_utils, and buffer_addresses for the pipelines that color by velocity.
Result<std::vector<ShaderRow>> compile_shaders(const app::Device& device);

}  // namespace sinew::isa
