// How the library asks its host for threads: it never starts one of its own.
#pragma once

#include <cstdint>

namespace sinew {

/// Runs `task(task_data, i)` for every i below `count`, in any order and on any threads, and returns when all are done.
/// The default runs them in turn on the calling thread.
struct ParallelFor {
  using Task = void (*)(void* task_data, uint32_t index);

  void* user_data = nullptr;
  void (*run)(void* user_data, uint32_t count, Task task, void* task_data) = nullptr;

  void operator()(uint32_t count, Task task, void* task_data) const {
    if (run != nullptr) return run(user_data, count, task, task_data);
    for (uint32_t i = 0; i < count; ++i) task(task_data, i);
  }
};

}  // namespace sinew
