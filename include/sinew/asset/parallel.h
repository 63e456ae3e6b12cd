// Threads come from the host: the library starts none, unless the host makes a sinew::ThreadPool.
#pragma once

#include <cstdint>
#include <type_traits>

namespace sinew {

/// The host's parallel loop. `run` calls `task(task_data, i)` once for every i below `count`, in any order and on any
/// threads, and returns when all calls have returned. Neither `run` nor tasks throw exceptions. Without `run` the
/// calling thread does all. `user_data` is passed to `run`; both must be valid during the call that takes the
/// ParallelFor.
struct ParallelFor {
  using Task = void (*)(void* task_data, uint32_t index);

  void* user_data = nullptr;
  void (*run)(void* user_data, uint32_t count, Task task, void* task_data) = nullptr;

  void operator()(uint32_t count, Task task, void* task_data) const {
    if (run != nullptr) return run(user_data, count, task, task_data);
    for (uint32_t i = 0; i < count; ++i) task(task_data, i);
  }
};

/// Calls `work(i)` once for every i below `count` on the host's threads. `work` throws no exception.
template <class Work>
void for_each_index(const ParallelFor& parallel_for, uint32_t count, Work&& work) {
  parallel_for(
      count, [](void* data, uint32_t i) { (*static_cast<std::remove_reference_t<Work>*>(data))(i); }, &work);
}

}  // namespace sinew
