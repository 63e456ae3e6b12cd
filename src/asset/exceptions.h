// No exception leaves the library: where memory runs out, SINEW_CATCH_BAD_ALLOC makes an error of it.
//
//   Status f() SINEW_TRY {
//     ...
//   }
//   SINEW_CATCH_BAD_ALLOC(return out_of_memory();)
//
// The libraries also compile with -fno-exceptions. Then both macros are empty, and running out of memory ends the
// process.
#pragma once

#include <cstdlib>
#include <new>

#include "sinew/asset/result.h"

#ifdef __cpp_exceptions
#define SINEW_TRY try
#define SINEW_CATCH_BAD_ALLOC(...) \
  catch (const std::bad_alloc&) {  \
    __VA_ARGS__                    \
  }
#else
#define SINEW_TRY
#define SINEW_CATCH_BAD_ALLOC(...)
#endif

namespace sinew::internal {

/// The message is short enough for std::string to store it without an allocation.
inline Error out_of_memory() { return {ErrorCode::kOutOfMemory, "out of memory"}; }

[[noreturn]] inline void throw_bad_alloc() {
#ifdef __cpp_exceptions
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace sinew::internal
