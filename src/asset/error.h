// How the validators say no.
#pragma once

#include <string>

#include "sinew/result.h"

namespace sinew {

inline Error invalid(std::string message) { return {ErrorCode::kInvalidData, std::move(message)}; }

}  // namespace sinew
