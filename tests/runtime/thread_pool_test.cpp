#include "sinew/runtime/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace sinew {
namespace {

TEST(ThreadPool, EachTaskRunsOnce) {
  for (const uint32_t threads : {0u, 1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.thread_count(), std::max(threads, 1u));
    for (const uint32_t count : {0u, 1u, 2u, 1000u}) {
      std::vector<std::atomic<uint32_t>> calls(count);
      for_each_index(pool.parallel_for(), count, [&](uint32_t i) { ++calls[i]; });
      for (const auto& own : calls) ASSERT_EQ(own, 1u);
    }
  }
}

TEST(ThreadPool, CallsFollowEachOther) {
  ThreadPool pool(4, std::chrono::microseconds(0));
  uint64_t sum = 0;
  for (uint32_t call = 0; call < 300; ++call) {
    std::atomic<uint32_t> own{0};
    for_each_index(pool.parallel_for(), 7, [&](uint32_t i) { own += i; });
    sum += own;
  }
  EXPECT_EQ(sum, 300u * 21);
}

TEST(ThreadPool, TheCallerWorksWithTheOthers) {
  ThreadPool pool(2);
  std::atomic<uint32_t> arrived{0};
  for_each_index(pool.parallel_for(), 2, [&](uint32_t) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();  // ends only if both tasks run at the same time
  });
  EXPECT_EQ(arrived, 2u);
}

TEST(ThreadPool, HasACore) { EXPECT_GE(core_count(), 1u); }

}  // namespace
}  // namespace sinew
