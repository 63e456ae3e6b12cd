// The error that this library returns when memory runs out.
#pragma once

#include <new>  // std::bad_alloc, for the catch clauses of the callers

#include "sinew/asset/result.h"

namespace sinew::internal {

/// The message is short enough for std::string to store it without an allocation.
inline Error out_of_memory() { return {ErrorCode::kOutOfMemory, "out of memory"}; }

}  // namespace sinew::internal
