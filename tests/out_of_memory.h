// Repeats a call and lets another of its allocations fail each time. The call must return kOutOfMemory and must not
// throw. The test program compiles heap_faults.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>

#include "heap_faults.h"
#include "sinew/asset/result.h"

namespace sinew::test {

/// The error code of a Status or Result; empty if it is a success.
template <class Outcome>
std::optional<ErrorCode> code_of(const Outcome& outcome) {
  return outcome ? std::nullopt : std::optional(outcome.error().code);
}

/// Calls `call`, which returns a Status or a Result. Its first allocation fails in the first call, its second in the
/// second, and so on, until a call has all its allocations. At least one call must return kOutOfMemory; `after` runs
/// after each such call, to check the state that it left. A call that returns anything else did without the allocation.
template <class Call, class After>
void expect_out_of_memory(Call call, After after) {
  int failures = 0, points = 0;
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
    ++points;
    if (code != ErrorCode::kOutOfMemory) continue;  // the call does not need this allocation
    ++failures;
    ASSERT_NO_FATAL_FAILURE(after()) << "allocation " << succeeding;
  }
  EXPECT_GT(failures, 0) << "nothing was allocated";
  std::printf("fault points of host memory, all survived: %d, reported as errors: %d\n", points, failures);
}

template <class Call>
void expect_out_of_memory(Call call) {
  expect_out_of_memory(call, [] {});
}

}  // namespace sinew::test
