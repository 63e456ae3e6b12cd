#include "sinew/runtime/thread_pool.h"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "asset/exceptions.h"

namespace sinew {

struct ThreadPool::Impl {
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_HAVE_PLATFORM_WAIT)

  /// Waits for a change of a number. Where the system has no futex, as Windows, std::atomic::wait() of libstdc++ 12
  /// compares before it takes its lock: a notification in between is lost, and the thread waits for ever.
  class Changes {
   public:
    void wait(const std::atomic<uint32_t>& value, uint32_t old) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return value != old; });
    }
    void notify(std::atomic<uint32_t>&) {
      { const std::lock_guard lock(mutex_); }  // a thread that has seen the old number waits by now
      changed_.notify_all();
    }

   private:
    std::mutex mutex_;
    std::condition_variable changed_;
  };

#else

  /// Waits for a change of a number.
  struct Changes {
    void wait(const std::atomic<uint32_t>& value, uint32_t old) { value.wait(old); }
    void notify(std::atomic<uint32_t>& value) { value.notify_all(); }
  };

#endif

  static constexpr uint32_t kOpen = 1u << 31;

  std::chrono::microseconds spin_time{0};
  ParallelFor::Task task = nullptr;
  void* task_data = nullptr;
  uint32_t count = 0;
  std::atomic<uint32_t> next{0};    // next task
  std::atomic<uint32_t> call{0};    // counts calls of run()
  std::atomic<uint32_t> taking{0};  // threads that take tasks of this call, and kOpen while they may begin to
  std::atomic<bool> busy{false};    // a call of run() has the threads
  std::atomic<bool> stopping{false};
  Changes changes;
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
    taking = kOpen;
    ++call;
    changes.notify(call);
    take_tasks();
    taking -= kOpen;
    for (uint32_t left = taking; left != 0; left = taking) wait_for_change(taking, left);
    busy = false;
  }

  void take_tasks() {
    for (uint32_t i = next++; i < count; i = next++) task(task_data, i);
  }

  /// Returns when `value` is no longer `old`.
  void wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) {
    const auto end = std::chrono::steady_clock::now() + spin_time;
    while (spin_time.count() > 0 && std::chrono::steady_clock::now() < end) {
      if (value != old) return;
    }
    changes.wait(value, old);
  }

  void serve() {
    for (uint32_t last_call = 0;;) {
      wait_for_change(call, last_call);
      last_call = call;
      if (stopping) return;
      if (!begin()) continue;
      take_tasks();
      if (--taking == 0) changes.notify(taking);
    }
  }

  /// False after the end of the call: run() does not wait for a thread that wakes too late, and it reads no task.
  bool begin() {
    uint32_t count_now = taking;
    while (count_now & kOpen) {
      if (taking.compare_exchange_weak(count_now, count_now + 1)) return true;
    }
    return false;
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
  impl_->changes.notify(impl_->call);
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
