#include "thread_pool.h"

#include <chrono>

namespace sinew::bench {
namespace {

constexpr auto kSpinTime = std::chrono::microseconds(200);  // longer than a frame needs between its calls

/// Returns when `value` no longer is `old`.
void wait_for_change(const std::atomic<uint32_t>& value, uint32_t old) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  while (std::chrono::steady_clock::now() < end) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(uint32_t thread_count) {
  for (uint32_t i = 1; i < thread_count; ++i) threads_.emplace_back([this] { work(); });
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
  take_tasks();
  for (uint32_t working = working_; working != 0; working = working_) wait_for_change(working_, working);
}

void ThreadPool::take_tasks() {
  for (uint32_t i = next_++; i < count_; i = next_++) task_(task_data_, i);
}

void ThreadPool::work() {
  for (uint32_t seen = 0;; ++seen) {
    wait_for_change(call_, seen);
    if (stopping_) return;
    take_tasks();
    --working_;
    working_.notify_one();
  }
}

}  // namespace sinew::bench
