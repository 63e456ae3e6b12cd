// How import gives up: thrown by the readers, caught in load_character, never seen outside.
#pragma once

#include <string>

#include "sinew/result.h"

namespace sinew {

struct ImportFailure {
  ErrorCode code;
  std::string reason;  // without the model's name
};

[[noreturn]] inline void fail(std::string reason, ErrorCode code = ErrorCode::kInvalidData) {
  throw ImportFailure{code, std::move(reason)};
}

/// Fails with `reason()` where `condition` is false: the words are made only when they are needed.
template <class Reason>
void require(bool condition, Reason reason) {
  if (!condition) fail(reason());
}

}  // namespace sinew
