// The threads that a host would bring: started once, woken for every parallel_for.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "sinew/parallel.h"

namespace sinew::bench {

/// `thread_count` threads, of which the caller's is one. Between calls the others spin for a moment before they sleep,
/// so that a frame does not pay for waking them.
class ThreadPool {
 public:
  explicit ThreadPool(uint32_t thread_count);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Borrows the pool. One call at a time.
  ParallelFor parallel_for();

 private:
  void run(uint32_t count, ParallelFor::Task task, void* task_data);
  void take_tasks();
  void work();

  ParallelFor::Task task_ = nullptr;
  void* task_data_ = nullptr;
  uint32_t count_ = 0;
  std::atomic<uint32_t> next_{0};     // task
  std::atomic<uint32_t> call_{0};     // counts calls of run()
  std::atomic<uint32_t> working_{0};  // threads that have not yet ended this call
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

}  // namespace sinew::bench
