#include "heap_faults.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef _WIN32
#include <malloc.h>
#endif

namespace sinew::test {
namespace {

thread_local int64_t t_allocations = 0, t_largest = 0;
thread_local int64_t t_succeeding = -1;

bool fails_now(std::size_t size_bytes) {
  ++t_allocations, t_largest = std::max(t_largest, int64_t(size_bytes));
  return t_succeeding >= 0 && t_succeeding-- == 0;
}

}  // namespace

#ifdef _WIN32  // its aligned memory has a heap of its own
void* allocate_aligned(std::size_t alignment, std::size_t size_bytes) { return _aligned_malloc(size_bytes, alignment); }
void free_aligned(void* memory) { _aligned_free(memory); }
#else
void* allocate_aligned(std::size_t alignment, std::size_t size_bytes) {
  return std::aligned_alloc(alignment, (size_bytes + alignment - 1) / alignment * alignment);
}
void free_aligned(void* memory) { std::free(memory); }
#endif

int64_t heap_allocations() { return t_allocations; }
int64_t take_largest_allocation() { return std::exchange(t_largest, 0); }
void fail_heap_after(int64_t succeeding) { t_succeeding = succeeding; }
int64_t heap_allocations_left() { return t_succeeding; }
bool heap_has_failed() { return t_succeeding < 0; }

HeapFaultPause::HeapFaultPause() : succeeding_(t_succeeding) { t_succeeding = -1; }
HeapFaultPause::~HeapFaultPause() { t_succeeding = succeeding_; }

void* counted_allocation(std::size_t size_bytes) noexcept {
  return fails_now(size_bytes) ? nullptr : std::malloc(size_bytes);
}

void* counted_allocation(std::size_t size_bytes, std::align_val_t alignment) noexcept {
  return fails_now(size_bytes) ? nullptr : allocate_aligned(static_cast<std::size_t>(alignment), size_bytes);
}

}  // namespace sinew::test

void* operator new(std::size_t size_bytes) {
  if (void* const memory = sinew::test::counted_allocation(size_bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size_bytes, const std::nothrow_t&) noexcept {
  return sinew::test::counted_allocation(size_bytes);
}
void* operator new(std::size_t size_bytes, std::align_val_t alignment) {
  if (void* const memory = sinew::test::counted_allocation(size_bytes, alignment)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size_bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return sinew::test::counted_allocation(size_bytes, alignment);
}
// The forms for arrays, which by default call those above: under sanitizers they do not.
void* operator new[](std::size_t size_bytes) { return operator new(size_bytes); }
void* operator new[](std::size_t size_bytes, const std::nothrow_t& tag) noexcept {
  return operator new(size_bytes, tag);
}
void* operator new[](std::size_t size_bytes, std::align_val_t alignment) { return operator new(size_bytes, alignment); }
void* operator new[](std::size_t size_bytes, std::align_val_t alignment, const std::nothrow_t& tag) noexcept {
  return operator new(size_bytes, alignment, tag);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { sinew::test::free_aligned(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  sinew::test::free_aligned(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { sinew::test::free_aligned(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { sinew::test::free_aligned(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  sinew::test::free_aligned(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { sinew::test::free_aligned(memory); }
