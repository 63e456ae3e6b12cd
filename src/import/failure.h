// The exception that the readers throw. load_character() and import_isolated() catch it: it never leaves the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "asset/one_line.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

struct ImportFailure {
  ErrorCode code;
  std::string reason;  // without the name of the model's file
};

[[noreturn]] inline void fail(std::string reason, ErrorCode code = ErrorCode::kInvalidData) {
  throw ImportFailure{code, std::move(reason)};
}

/// The error for a failed allocation. Its message names the file if there is memory for the message.
inline Error out_of_memory(const std::string& path) noexcept {
  try {
    return {ErrorCode::kOutOfMemory, one_line("cannot read '" + path + "': out of memory")};
  } catch (...) {
    return {ErrorCode::kOutOfMemory, "out of memory"};  // short enough to need no allocation
  }
}

/// Throws ImportFailure with `reason()` if `condition` is false. The message is only built in that case.
template <class Reason>
void require(bool condition, Reason reason) {
  if (!condition) fail(reason());
}

/// Throws if what is called `name` names a vertex that is not one of `count`.
template <class Index>
void require_vertex(Index vertex, size_t count, const char* kind, std::string_view name) {
  require(uint64_t(vertex) < count, [&] {
    return std::string(kind) + " '" + std::string(name) + "' names vertex " + std::to_string(vertex) + " of " +
           std::to_string(count);
  });
}

}  // namespace sinew::internal
