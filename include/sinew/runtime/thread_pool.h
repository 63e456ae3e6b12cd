// Threads for ParallelFor, for hosts that have no scheduler of their own: started once, woken for every call. Nothing
// else of the library starts a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "sinew/api.h"
#include "sinew/asset/parallel.h"

namespace sinew {

/// The cores that this process may run on, at least 1.
SINEW_API uint32_t core_count();

/// A pool. The thread that calls its ParallelFor works too, and waits only for threads that have begun: a short call is
/// over before the others wake. One call has the threads at a time: calls of other threads meanwhile, and those within
/// a task, run their tasks on their own thread alone.
class SINEW_API ThreadPool {
 public:
  /// Runs tasks on `thread_count` threads, the caller's included; on fewer where the system starts no more, or where
  /// memory runs out. Between calls the other threads spin for `spin_time`, then sleep: the stages of a frame follow
  /// each other within a fraction of a millisecond, and waking a thread takes as long as a short stage.
  explicit ThreadPool(uint32_t thread_count = core_count(),
                      std::chrono::microseconds spin_time = std::chrono::microseconds(200)) noexcept;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t thread_count() const;
  /// Valid as long as the pool.
  ParallelFor parallel_for();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
