// A large character: six copies of the built-in one in one mesh, 33,924 vertices, and twenty clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew {

/// Writes the large character to `folder` as GLB, .x and MD5 (without clips), and returns the paths.
Result<std::vector<std::string>> write_large_models(const std::string& folder);

}  // namespace sinew
