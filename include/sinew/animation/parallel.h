// Threads come from the host: the library never starts one.
#pragma once

#include <cstdint>

namespace sinew {

/// The host's parallel loop. `run` calls `task(task_data, i)` once for every i below `count`, in any order and on any
/// threads, and returns when all calls have returned. Tasks throw no exception. Without `run` the calling thread does
/// all. `user_data` is passed to `run`; both must be valid during the call that takes the ParallelFor.
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
