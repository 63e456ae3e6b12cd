// No exception leaves the library: guarded() returns an error instead.
#pragma once

#include <exception>

#include "device_table.h"

namespace sinew::vulkan::internal {

/// Calls `call`, which returns a Result or a Status. The standard library throws where memory runs out or a container
/// cannot have so many elements; both become kOutOfMemory.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
#ifdef __cpp_exceptions
  try {
    return call();
  } catch (const std::exception&) {
    return Error{ErrorCode::kOutOfMemory, "out of memory", VK_ERROR_OUT_OF_HOST_MEMORY};
  }
#else
  return call();
#endif
}

}  // namespace sinew::vulkan::internal
