// A profiler that counts the library's scopes. The library is compiled with it: see sinew/profile.h.
#pragma once

#include <atomic>

struct CountedScope {
  explicit CountedScope(const char*) { ++opened; }
  ~CountedScope() { ++closed; }

  inline static std::atomic<int> opened{0}, closed{0};
};

#define SINEW_PROFILE_SCOPE(name) const CountedScope sinew_scope(name)
