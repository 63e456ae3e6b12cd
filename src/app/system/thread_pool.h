// Threads for the library's ParallelFor, the program and the benchmarks: started once, woken for every call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include "sinew/asset/parallel.h"
#include "system/clock.h"

namespace sinew::app {

/// Cores that this process may run on, at least 1.
uint32_t core_count();

class ThreadPool {
 public:
  /// Runs tasks on `thread_count` threads, the caller's included; on fewer where the system starts no more. Between
  /// calls the other threads spin for `spin_time`, then sleep.
  explicit ThreadPool(uint32_t thread_count, std::chrono::microseconds spin_time = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t thread_count() const { return uint32_t(threads_.size()) + 1; }

  /// From now on records when each thread works, up to `spans_per_thread` calls of parallel_for(). Until then it costs
  /// nothing.
  void record_spans(size_t spans_per_thread);

  /// For each thread, the caller's first: from its first task to its last, for each call that it had tasks of. Not
  /// during a call.
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
  void run(uint32_t count, ParallelFor::Task task, void* task_data);
  void take_tasks(uint32_t thread);
  void serve(uint32_t thread);
  void wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) const;

  std::chrono::microseconds spin_time_;
  ParallelFor::Task task_ = nullptr;
  void* task_data_ = nullptr;
  uint32_t count_ = 0;
  std::atomic<uint32_t> next_{0};     // next task
  std::atomic<uint32_t> call_{0};     // counts calls of run()
  std::atomic<uint32_t> working_{0};  // threads that have not finished this call
  std::atomic<bool> stopping_{false};
  std::vector<std::vector<CpuSpan>> spans_;  // of each thread; empty: not recorded
  std::vector<std::thread> threads_;
};

}  // namespace sinew::app
