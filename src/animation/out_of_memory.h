// How this library says that memory ran out.
#pragma once

#include <new>  // std::bad_alloc, which goes with it

#include "sinew/asset/result.h"

namespace sinew {

/// Short enough to be made without memory.
inline Error out_of_memory() { return {ErrorCode::kOutOfMemory, "out of memory"}; }

}  // namespace sinew
