// Errors of the examples: the first one ends the program with its message and exit code 1.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace host {

[[noreturn]] inline void fail(const std::string& message) { throw std::runtime_error(message); }

/// Fails with the message of an error. The second one returns the value.
inline void check(const sinew::Status& status) {
  if (!status) fail(status.error().message);
}
template <class Value>
Value check(sinew::Result<Value> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

}  // namespace host
