#include "sinew/runtime/thread_pool.h"

#include <gtest/gtest.h>
#ifdef __linux__
#include <sched.h>
#endif

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

TEST(ThreadPool, ServesSeveralThreadsAndTasksThatCallIt) {
  ThreadPool pool(3, std::chrono::microseconds(0));
  std::atomic<uint64_t> sum{0};
  const auto calls = [&] {
    for (uint32_t call = 0; call < 200; ++call) {
      for_each_index(pool.parallel_for(), 6, [&](uint32_t i) {
        if (i == 3) for_each_index(pool.parallel_for(), 4, [&](uint32_t inner) { sum += inner; });
        sum += i;
      });
    }
  };
  std::thread other(calls);
  calls();
  other.join();
  EXPECT_EQ(sum, 2u * 200 * (15 + 6));
}

TEST(ThreadPool, HasACore) { EXPECT_GE(core_count(), 1u); }

#ifdef __linux__
TEST(ThreadPool, CountsTheCoresThatItMayRunOn) {
  cpu_set_t all, first;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(core_count(), uint32_t(CPU_COUNT(&all)));
  CPU_ZERO(&first);
  for (int core = 0; CPU_COUNT(&first) == 0; ++core) {
    if (CPU_ISSET(core, &all)) CPU_SET(core, &first);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof first, &first), 0);
  EXPECT_EQ(core_count(), 1u);
  EXPECT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}
#endif

}  // namespace
}  // namespace sinew
