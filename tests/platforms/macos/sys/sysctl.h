// Of macOS, for sources_test.py.
#pragma once
#include <cstddef>
extern "C" int sysctlbyname(const char* name, void* old_value, size_t* old_size, void* new_value, size_t new_size);
