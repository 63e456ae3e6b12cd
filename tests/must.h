// The value of a call that a test expects to succeed.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew {

/// Without a value the test fails with the error's message, and ends.
template <class Value>
Value must(Result<Value> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}
template <class Value>
Value must(std::optional<Value> value) {
  if (!value) throw std::runtime_error("there is no value");
  return *std::move(value);
}

}  // namespace sinew
