#include "sinew/runtime/thread_pool.h"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "asset/exceptions.h"

namespace sinew {

struct ThreadPool::Impl {
  std::chrono::microseconds spin_time{0};
  ParallelFor::Task task = nullptr;
  void* task_data = nullptr;
  uint32_t count = 0;
  std::atomic<uint32_t> next{0};     // next task
  std::atomic<uint32_t> call{0};     // counts calls of run()
  std::atomic<uint32_t> working{0};  // threads that have not finished this call
  std::atomic<bool> busy{false};     // a call of run() has the threads
  std::atomic<bool> stopping{false};
  std::vector<std::thread> threads;

  /// The system may limit the number of threads, or memory may run out: the pool then uses those that started.
  void start(uint32_t thread_count) {
    threads.reserve(thread_count);
#ifdef __cpp_exceptions
    try {
      start_threads(thread_count);
    } catch (...) {
    }
#else
    start_threads(thread_count);
#endif
  }

  void start_threads(uint32_t thread_count) {
    for (uint32_t i = 1; i < thread_count; ++i) threads.emplace_back([this] { serve(); });
  }

  static std::unique_ptr<Impl> create(uint32_t thread_count, std::chrono::microseconds spin_time) SINEW_TRY {
    auto impl = std::make_unique<Impl>();
    impl->spin_time = spin_time;
    impl->start(thread_count);
    return impl;
  }
  SINEW_CATCH_BAD_ALLOC(return nullptr;)

  void run(uint32_t task_count, ParallelFor::Task new_task, void* new_data) {
    if (busy.exchange(true)) {
      for (uint32_t i = 0; i < task_count; ++i) new_task(new_data, i);
      return;
    }
    task = new_task, task_data = new_data, count = task_count;
    next = 0;
    working = uint32_t(threads.size());
    ++call;
    call.notify_all();
    take_tasks();
    for (uint32_t left = working; left != 0; left = working) wait_for_change(working, left);
    busy = false;
  }

  void take_tasks() {
    for (uint32_t i = next++; i < count; i = next++) task(task_data, i);
  }

  /// Returns when `value` is no longer `old`.
  void wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) const {
    const auto end = std::chrono::steady_clock::now() + spin_time;
    while (spin_time.count() > 0 && std::chrono::steady_clock::now() < end) {
      if (value != old) return;
    }
    value.wait(old);
  }

  /// Every thread takes part in every call. So no thread can still read the last call's task.
  void serve() {
    for (uint32_t last_call = 0;; ++last_call) {
      wait_for_change(call, last_call);
      if (stopping) return;
      take_tasks();
      --working;
      working.notify_one();
    }
  }
};

uint32_t core_count() {
#ifdef __linux__  // where hardware_concurrency() counts the cores of the machine
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return uint32_t(CPU_COUNT(&allowed));
#endif
  return std::max(std::thread::hardware_concurrency(), 1u);
}

/// Without memory the pool has no threads: the caller does all.
ThreadPool::ThreadPool(uint32_t thread_count, std::chrono::microseconds spin_time) noexcept
    : impl_(Impl::create(thread_count, spin_time)) {}

ThreadPool::~ThreadPool() {
  if (!impl_) return;
  impl_->stopping = true;
  ++impl_->call;
  impl_->call.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

uint32_t ThreadPool::thread_count() const { return impl_ ? uint32_t(impl_->threads.size()) + 1 : 1; }

ParallelFor ThreadPool::parallel_for() {
  if (!impl_) return {};
  return {impl_.get(), [](void* pool, uint32_t count, ParallelFor::Task task, void* task_data) {
            static_cast<Impl*>(pool)->run(count, task, task_data);
          }};
}

}  // namespace sinew
