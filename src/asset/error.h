// Functions that make the errors of this library.
#pragma once

#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew::internal {

inline Error invalid(std::string message) { return {ErrorCode::kInvalidData, std::move(message)}; }

}  // namespace sinew::internal
