// The test program's own operator new, counted and made to fail on this thread. A test program that wants it compiles
// heap_faults.cpp.
#pragma once

#include <cstdint>

namespace sinew::test {

/// Allocations of this thread so far.
int64_t heap_allocations();

/// So many allocations of this thread succeed, then one throws std::bad_alloc. -1: none does.
void fail_heap_after(int64_t succeeding);

/// None fails in here: a driver's compiler uses the heap as well.
class HeapFaultPause {
 public:
  HeapFaultPause();
  ~HeapFaultPause();

 private:
  int64_t succeeding_;
};

/// Whether the one that was to fail has failed.
bool heap_has_failed();

}  // namespace sinew::test
