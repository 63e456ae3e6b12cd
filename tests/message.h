// What went wrong, for tests of errors.
#pragma once

#include <string>

namespace sinew::test {

/// The message of a Status or a Result; empty without an error.
std::string message_of(const auto& outcome) { return outcome ? "" : outcome.error().message; }

/// The message that `check` returns for a copy of `value` after `change`.
std::string message_after(auto value, const auto& change, const auto& check) {
  change(value);
  return message_of(check(value));
}

}  // namespace sinew::test
