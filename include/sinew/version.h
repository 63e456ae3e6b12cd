// The library's version: macros for the preprocessor, functions for the library that is linked or loaded.
#pragma once

#include <cstdint>

#include "sinew/api.h"
#include "sinew/asset/result.h"

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 2
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION_STRING "0.2.0"
// One number that can be compared: 0.2.0 is 2000.
#define SINEW_VERSION (SINEW_VERSION_MAJOR * 1000000 + SINEW_VERSION_MINOR * 1000 + SINEW_VERSION_PATCH)

namespace sinew {

/// The SINEW_VERSION that the library was built as.
SINEW_API uint32_t version();

/// Whether the library fits the headers that the caller was compiled with: equal major versions, and equal minor
/// versions while major is 0. Call it once at start, without an argument. Error: kUnsupported, with both versions in
/// the message.
SINEW_API Status check_version(uint32_t of_headers = SINEW_VERSION);

}  // namespace sinew
