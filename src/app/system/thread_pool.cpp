#include "system/thread_pool.h"

#include <algorithm>
#include <system_error>

namespace sinew::app {

uint32_t core_count() { return std::max(std::thread::hardware_concurrency(), 1u); }

ThreadPool::ThreadPool(uint32_t thread_count, std::chrono::microseconds spin_time) : spin_time_(spin_time) {
  threads_.reserve(thread_count);
  try {
    for (uint32_t i = 1; i < thread_count; ++i) threads_.emplace_back([this, i] { serve(i); });
  } catch (const std::system_error&) {
    // The system limits the number of threads: the pool uses those that started.
  }
}

ThreadPool::~ThreadPool() {
  stopping_ = true;
  ++call_;
  call_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

ParallelFor ThreadPool::parallel_for() {
  return {this, [](void* pool, uint32_t count, ParallelFor::Task task, void* task_data) {
            static_cast<ThreadPool*>(pool)->run(count, task, task_data);
          }};
}

void ThreadPool::run(uint32_t count, ParallelFor::Task task, void* task_data) {
  task_ = task, task_data_ = task_data, count_ = count;
  next_ = 0;
  working_ = uint32_t(threads_.size());
  ++call_;
  call_.notify_all();
  take_tasks(0);
  for (uint32_t working = working_; working != 0; working = working_) wait_for_change(working_, working);
}

void ThreadPool::record_spans(size_t spans_per_thread) {
  spans_.assign(thread_count(), {});
  for (std::vector<CpuSpan>& thread : spans_) thread.reserve(spans_per_thread);
}

void ThreadPool::take_tasks(uint32_t thread) {
  uint32_t i = next_++;
  if (i >= count_) return;
  const bool records = !spans_.empty() && spans_[thread].size() < spans_[thread].capacity();
  const double begin_ms = records ? now_ms() : 0;
  for (; i < count_; i = next_++) task_(task_data_, i);
  if (records) spans_[thread].push_back({begin_ms, now_ms()});
}

/// Returns when `value` is no longer `old`.
void ThreadPool::wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) const {
  if (spin_time_.count() > 0) {
    const auto end = std::chrono::steady_clock::now() + spin_time_;
    while (std::chrono::steady_clock::now() < end) {
      if (value != old) return;
    }
  }
  value.wait(old);
}

/// Every thread takes part in every call. So no thread can still read the last call's task.
void ThreadPool::serve(uint32_t thread) {
  for (uint32_t last_call = 0;; ++last_call) {
    wait_for_change(call_, last_call);
    if (stopping_) return;
    take_tasks(thread);
    --working_;
    working_.notify_one();
  }
}

}  // namespace sinew::app
