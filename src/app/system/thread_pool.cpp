#include "system/thread_pool.h"

#include <algorithm>

namespace sinew::app {

void ThreadPool::record_spans(size_t spans_per_thread) {
  spans_.assign(thread_count(), {});
  for (std::vector<CpuSpan>& thread : spans_) thread.reserve(spans_per_thread);
  last_calls_.assign(thread_count(), 0);
}

ParallelFor ThreadPool::parallel_for() {
  if (spans_.empty()) return pool_.parallel_for();
  return {this, [](void* pool, uint32_t count, ParallelFor::Task task, void* task_data) {
            static_cast<ThreadPool*>(pool)->run_recorded(count, task, task_data);
          }};
}

/// The caller has number 0, the others in the order of their first tasks.
uint32_t ThreadPool::number_of_this_thread() {
  if (std::this_thread::get_id() == caller_) return 0;
  thread_local const ThreadPool* pool = nullptr;
  thread_local uint32_t number = 0;
  if (pool != this) pool = this, number = ++numbered_;
  return std::min(number, thread_count() - 1);
}

void ThreadPool::run_recorded(uint32_t count, ParallelFor::Task task, void* task_data) {
  ++call_;
  caller_ = std::this_thread::get_id();
  for_each_index(pool_.parallel_for(), count, [&](uint32_t i) {
    const uint32_t thread = number_of_this_thread();
    std::vector<CpuSpan>& spans = spans_[thread];
    const bool is_first = last_calls_[thread] != call_;
    const bool records = !is_first || spans.size() < spans.capacity();
    if (is_first && records) spans.push_back({now_ms(), 0}), last_calls_[thread] = call_;
    task(task_data, i);
    if (records) spans.back().end_ms = now_ms();
  });
}

}  // namespace sinew::app
