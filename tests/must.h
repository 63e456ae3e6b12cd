// The values of calls that a test expects to succeed, and the errors of those that must not.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include "sinew/asset/result.h"

namespace sinew {

/// After an error the test fails with its message, and ends.
template <class Value>
Value must(Result<Value> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}
inline void must(const Status& status) {
  if (!status) throw std::runtime_error(status.error().message);
}
template <class Value>
Value must(std::optional<Value> value) {
  if (!value) throw std::runtime_error("there is no value");
  return *std::move(value);
}

/// The error of a call that a test expects to fail. After a success the test fails, and ends.
Error must_fail(const auto& outcome) {
  if (outcome) throw std::runtime_error("it did not fail");
  return outcome.error();
}

}  // namespace sinew
