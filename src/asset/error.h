// Functions that make the errors of this library.
#pragma once

#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew::internal {

inline Error invalid(std::string message) { return {ErrorCode::kInvalidData, std::move(message)}; }

/// The message is short enough for std::string to store it without an allocation.
inline Error out_of_memory() { return {ErrorCode::kOutOfMemory, "out of memory"}; }

}  // namespace sinew::internal
