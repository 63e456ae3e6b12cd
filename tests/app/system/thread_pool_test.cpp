// What the program adds to the thread pool of the library, which tests/runtime tests.
#include "system/thread_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <new>

namespace sinew::app {
namespace {

TEST(ThreadPool, ReportsToTheCallerThatATaskHasNoMemory) {
  ThreadPool pool(3);
  for (uint32_t failing = 0; failing < 100; ++failing) {
    std::atomic<uint32_t> done{0};
    const auto work = [&](uint32_t i) {
      ++done;
      if (i == failing) throw std::bad_alloc();
    };
    EXPECT_THROW(pool.for_each(100, work), std::bad_alloc);
    EXPECT_EQ(done, 100u) << "the tasks of a call outlive it";
  }
}

TEST(ThreadPool, RecordsWhenEachThreadWorks) {
  ThreadPool pool(2);
  std::atomic<uint32_t> working{0};
  const auto meet = [&](uint32_t) {  // each of both threads gets one task
    ++working;
    while (working % 2 != 0) std::this_thread::yield();
  };
  pool.for_each(2, meet);
  EXPECT_TRUE(pool.spans().empty()) << "not recorded yet";
  pool.record_spans(2);
  const double begin_ms = now_ms();
  for (int call = 0; call < 3; ++call) pool.for_each(2, meet);
  const double end_ms = now_ms();
  ASSERT_EQ(pool.spans().size(), 2u);
  for (const std::vector<CpuSpan>& thread : pool.spans()) {
    ASSERT_EQ(thread.size(), 2u) << "there is room for two calls";
    EXPECT_LE(begin_ms, thread[0].begin_ms);
    EXPECT_LE(thread[0].begin_ms, thread[0].end_ms);
    EXPECT_LE(thread[0].end_ms, thread[1].begin_ms);
    EXPECT_LE(thread[1].end_ms, end_ms);
  }
}

TEST(ThreadPool, UsesTheThreadsThatTheSystemCanStart) {
  pthread_attr_t normal, huge;
  ASSERT_EQ(pthread_getattr_default_np(&normal), 0);
  ASSERT_EQ(pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t(1) << 47), 0);  // the address space
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  {
    ThreadPool pool(4);
    EXPECT_EQ(pool.thread_count(), 1u);
    uint32_t done = 0;
    pool.for_each(5, [&](uint32_t) { ++done; });
    EXPECT_EQ(done, 5u);
  }
  EXPECT_EQ(pthread_setattr_default_np(&normal), 0);
}

}  // namespace
}  // namespace sinew::app
