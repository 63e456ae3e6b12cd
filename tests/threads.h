// The host's parallel loop, for tests: new threads for each loop, or one thread that goes backwards.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "sinew/asset/parallel.h"

namespace sinew::test {

/// `thread_count` must be valid while the loop is used.
inline ParallelFor on_threads(uint32_t& thread_count) {
  const auto run = [](void* user_data, uint32_t count, ParallelFor::Task task, void* task_data) {
    std::atomic<uint32_t> next{0};
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < *static_cast<uint32_t*>(user_data); ++i) {
      threads.emplace_back([&] {
        for (uint32_t index = next++; index < count; index = next++) task(task_data, index);
      });
    }
    for (std::thread& thread : threads) thread.join();
  };
  return {&thread_count, run};
}

/// A host's ParallelFor that runs the tasks from the last to the first.
inline void run_backwards(void*, uint32_t count, ParallelFor::Task task, void* task_data) {
  for (uint32_t i = count; i-- > 0;) task(task_data, i);
}

}  // namespace sinew::test
