// A character larger than most: six of our own in one mesh, 33,924 vertices, and twenty clips.
#pragma once

#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew {

/// Writes it as GLB, .x and MD5 (one clip) into `folder`; returns their paths.
Result<std::vector<std::string>> write_large_models(const std::string& folder);

}  // namespace sinew
