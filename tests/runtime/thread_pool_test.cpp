#include "sinew/runtime/thread_pool.h"

#include <gtest/gtest.h>
#ifdef __linux__
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <atomic>
#include <csignal>
#include <filesystem>
#include <semaphore>
#include <set>
#include <string>
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

#if defined(__linux__) && !defined(__SANITIZE_THREAD__)  // which delivers signals late
std::binary_semaphore stopped(0), go_on(0);

std::set<pid_t> threads_of_this_process() {
  std::set<pid_t> ids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ids.insert(pid_t(std::stol(entry.path().filename())));
  return ids;
}

TEST(ThreadPool, DoesNotWaitForAThreadThatHasNotBegun) {
  const std::set<pid_t> before = threads_of_this_process();
  ThreadPool pool(2, std::chrono::microseconds(0));
  pid_t added = 0;
  for (const pid_t id : threads_of_this_process()) {
    if (!before.count(id)) added = id;
  }
  ASSERT_NE(added, 0);
  std::signal(SIGUSR1, [](int) { stopped.release(), go_on.acquire(); });
  ASSERT_EQ(syscall(SYS_tgkill, getpid(), added, SIGUSR1), 0);
  stopped.acquire();
  uint32_t tasks = 0;  // of this thread alone
  for (uint32_t call = 0; call < 3; ++call) for_each_index(pool.parallel_for(), 5, [&](uint32_t) { ++tasks; });
  EXPECT_EQ(tasks, 15u);
  go_on.release();
  std::atomic<uint32_t> arrived{0};
  for_each_index(pool.parallel_for(), 2, [&](uint32_t) {
    for (++arrived; arrived < 2;) std::this_thread::yield();  // the thread has missed calls, and takes part again
  });
  std::signal(SIGUSR1, SIG_DFL);
}
#endif

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
