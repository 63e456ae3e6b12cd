// Of macOS, for sources_test.py.
#pragma once
#include <cstdint>
extern "C" int _NSGetExecutablePath(char* path, uint32_t* size);
