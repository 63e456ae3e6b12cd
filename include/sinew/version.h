// The library's version, as macros that a host can compare at compile time.
#pragma once

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION_STRING "0.1.0"
