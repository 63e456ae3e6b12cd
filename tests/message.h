// What went wrong, for tests of errors.
#pragma once

#include <string>

namespace sinew::test {

/// The message of a Status or a Result; empty without an error.
std::string message_of(const auto& outcome) { return outcome ? "" : outcome.error().message; }

}  // namespace sinew::test
