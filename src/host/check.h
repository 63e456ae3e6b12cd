// Errors of small programs: the first one ends the program with its message and exit code 1. See program.h.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "sinew/asset/result.h"

namespace host {

/// The device or its driver lacks what a program is about: the exit code is 77, which test runners read as skipped.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

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
