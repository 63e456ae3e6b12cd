// How import gives up: thrown by the readers, caught in load_character, never seen outside.
#pragma once

#include <string>

#include "sinew/asset/result.h"

namespace sinew {

struct ImportFailure {
  ErrorCode code;
  std::string reason;  // without the model's name
};

[[noreturn]] inline void fail(std::string reason, ErrorCode code = ErrorCode::kInvalidData) {
  throw ImportFailure{code, std::move(reason)};
}

/// Memory ran out: in words that name the file where there is room for them.
inline Error out_of_memory(const std::string& path) noexcept {
  try {
    return {ErrorCode::kOutOfMemory, "cannot read '" + path + "': out of memory"};
  } catch (...) {
    return {ErrorCode::kOutOfMemory, "out of memory"};  // so short that it needs none
  }
}

/// Fails with `reason()` where `condition` is false: the words are made only when they are needed.
template <class Reason>
void require(bool condition, Reason reason) {
  if (!condition) fail(reason());
}

}  // namespace sinew
