// The library's version, for compile-time checks by a host.
#pragma once

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION_STRING "0.1.0"
