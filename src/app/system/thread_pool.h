// The library's threads, and when each of them works: for traces.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include "sinew/asset/parallel.h"
#include "sinew/runtime/thread_pool.h"
#include "system/clock.h"

namespace sinew::app {

class ThreadPool {
 public:
  explicit ThreadPool(uint32_t thread_count) : pool_(thread_count) {}

  uint32_t thread_count() const { return pool_.thread_count(); }

  /// From now on records when each thread works, up to `spans_per_thread` calls of parallel_for(). Until then it costs
  /// nothing.
  void record_spans(size_t spans_per_thread);

  /// For each thread, the caller's first: from its first task to the end of its last one, for each call that it had
  /// tasks of. Not during a call.
  const std::vector<std::vector<CpuSpan>>& spans() const { return spans_; }

  /// A ParallelFor on this pool, which must outlive it. One call at a time.
  ParallelFor parallel_for();

  /// Calls `work(i)` for every i below `count`, on any thread, and returns when all are done. One call at a time.
  /// Throws std::bad_alloc on the calling thread if a call of `work` threw it.
  template <class Work>
  void for_each(uint32_t count, Work&& work) {
    std::atomic<bool> out_of_memory{false};
    for_each_index(parallel_for(), count, [&](uint32_t i) {
      try {
        work(i);
      } catch (const std::bad_alloc&) {
        out_of_memory = true;
      }
    });
    if (out_of_memory) throw std::bad_alloc();
  }

 private:
  void run_recorded(uint32_t count, ParallelFor::Task task, void* task_data);
  uint32_t number_of_this_thread();

  sinew::ThreadPool pool_;
  std::vector<std::vector<CpuSpan>> spans_;  // of each thread; empty: not recorded
  std::vector<uint64_t> last_calls_;         // of each thread: the last call that it had a task of
  uint64_t call_ = 0;
  std::thread::id caller_;
  std::atomic<uint32_t> numbered_{0};  // threads that have a number, without the caller
};

}  // namespace sinew::app
