// Repeats a call and lets another of its allocations fail each time. The test program compiles heap_faults.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <optional>

#include "heap_faults.h"
#include "sinew/asset/result.h"

namespace sinew::test {

/// For `prepare` of for_each_heap_fault().
inline void nothing() {}

/// Calls `prepare` and then `call`, which returns a Status or a Result. Its first allocation fails in the first call,
/// its second in the second, and so on, until a call has all its allocations. No call may throw. After each, `check`
/// gets what it returned and whether an allocation failed.
template <class Prepare, class Call, class Check>
void for_each_heap_fault(Prepare prepare, Call call, Check check) {
  bool reached = true;
  for (int64_t succeeding = 0; reached; ++succeeding) {
    ASSERT_LT(succeeding, 200000) << "the number of allocations has no end";
    std::optional<decltype(call())> outcome;
    prepare();
    fail_heap_after(succeeding);
    try {
      outcome.emplace(call());
    } catch (...) {
    }
    reached = heap_has_failed();
    fail_heap_after(-1);
    ASSERT_TRUE(outcome) << "an exception left the library when allocation " << succeeding << " failed";
    ASSERT_NO_FATAL_FAILURE(check(*outcome, reached)) << "allocation " << succeeding;
  }
}

/// At least one call must return kOutOfMemory; `after` runs after each such call, to check the state that it left. A
/// call that returns anything else did without the allocation.
template <class Call, class After>
void expect_out_of_memory(Call call, After after) {
  int failures = 0, points = 0;
  for_each_heap_fault(nothing, call, [&](const auto& outcome, bool reached) {
    points += reached;
    if (!reached || outcome || outcome.error().code != ErrorCode::kOutOfMemory) return;
    ++failures;
    after();
  });
  EXPECT_GT(failures, 0) << "nothing was allocated";
  std::printf("fault points of host memory, all survived: %d, reported as errors: %d\n", points, failures);
}

template <class Call>
void expect_out_of_memory(Call call) {
  expect_out_of_memory(call, [] {});
}

}  // namespace sinew::test
