// Functions that make the errors of this library, and hand them on.
#pragma once

#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew {

/// Puts what was made in its place, or returns the error.
template <class T, class Place>
Status put_value(Result<T>&& made, Place& place) {
  if (!made) return made.error();
  place = std::move(*made);
  return {};
}

namespace internal {

inline Error invalid(std::string message) { return {ErrorCode::kInvalidData, std::move(message)}; }

}  // namespace internal
}  // namespace sinew
