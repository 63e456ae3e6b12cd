// No exception crosses the library's border.
#pragma once

#include <exception>

#include "device_table.h"

namespace sinew::vulkan {

/// Calls `call`, which returns a Result or a Status. What the standard library throws is that memory runs out, or that
/// no memory could ever hold so much; it becomes an error.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception&) {
    return Error{ErrorCode::kOutOfMemory, "out of memory", VK_ERROR_OUT_OF_HOST_MEMORY};
  }
}

}  // namespace sinew::vulkan
