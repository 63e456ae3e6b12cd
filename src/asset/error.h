// How this library says no.
#pragma once

#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew {

inline Error invalid(std::string message) { return {ErrorCode::kInvalidData, std::move(message)}; }

/// Short enough to be made without memory.
inline Error out_of_memory() { return {ErrorCode::kOutOfMemory, "out of memory"}; }

}  // namespace sinew
