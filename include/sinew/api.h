// SINEW_API marks what the libraries export. Shared libraries export nothing else; static libraries export nothing from
// the program or library that they are linked into.
#pragma once

#ifdef SINEW_SHARED  // set by the build and by the installed packages of shared libraries
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif
