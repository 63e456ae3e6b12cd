// SINEW_API marks what the libraries export. Shared libraries export nothing else; static libraries export nothing from
// the program or library that they are linked into.
#pragma once

#ifndef SINEW_SHARED  // set by the build and by the installed packages of shared libraries
#define SINEW_API
#elif !defined(_WIN32)
#define SINEW_API __attribute__((visibility("default")))
#elif defined(SINEW_EXPORTS)
// One macro serves every library: a name that a sibling library exports is imported through the linker's thunks.
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
