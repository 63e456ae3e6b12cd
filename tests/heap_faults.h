// A replacement of operator new that counts allocations and lets them fail, for each thread separately. A test program
// that uses it compiles heap_faults.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinew::test {

/// The number of allocations of this thread so far.
int64_t heap_allocations();

/// The size of the largest allocation of this thread since the last call of this function, in bytes.
int64_t take_largest_allocation();

/// The next `succeeding` allocations of this thread succeed, and the one after them fails. -1: no allocation fails.
void fail_heap_after(int64_t succeeding);

/// What is left of fail_heap_after(); negative: no allocation fails.
int64_t heap_allocations_left();

/// No allocation of this thread fails during its lifetime. For calls into the driver, whose compiler uses the heap too.
class HeapFaultPause {
 public:
  HeapFaultPause();
  ~HeapFaultPause();

 private:
  int64_t succeeding_;
};

/// Whether the allocation that was to fail has failed.
bool heap_has_failed();

/// Memory that does not count and never is the one that fails. free_aligned() frees it.
void* allocate_aligned(std::size_t alignment, std::size_t size_bytes);
void free_aligned(void* memory);

}  // namespace sinew::test
