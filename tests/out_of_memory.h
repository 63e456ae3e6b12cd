// A call with each of its allocations failing in turn: what it says, and that it throws nothing. The test program
// compiles heap_faults.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <optional>

#include "heap_faults.h"
#include "sinew/asset/result.h"

namespace sinew::test {

/// What a call came to: nothing where it succeeded.
template <class Outcome>
std::optional<ErrorCode> code_of(const Outcome& outcome) {
  return outcome ? std::nullopt : std::optional(outcome.error().code);
}

/// Calls `call`, which returns a Status or a Result, without its first allocation, then without its second, until it
/// has all. Each time it must say kOutOfMemory, or what it says with all; at least once the former. `after` looks at
/// what was left behind by a call that failed.
template <class Call, class After>
void expect_out_of_memory(Call call, After after) {
  int failures = 0;
  for (int64_t succeeding = 0;; ++succeeding) {
    std::optional<ErrorCode> code;
    bool threw = false;
    fail_heap_after(succeeding);
    try {
      code = code_of(call());
    } catch (const std::exception&) {
      threw = true;
    }
    const bool reached = heap_has_failed();
    fail_heap_after(-1);
    ASSERT_FALSE(threw) << "allocation " << succeeding;
    if (!reached) break;
    if (code != ErrorCode::kOutOfMemory) continue;  // it did without
    ++failures;
    ASSERT_NO_FATAL_FAILURE(after()) << "allocation " << succeeding;
  }
  EXPECT_GT(failures, 0) << "nothing was allocated";
}

template <class Call>
void expect_out_of_memory(Call call) {
  expect_out_of_memory(call, [] {});
}

}  // namespace sinew::test
