// What all of the C interface uses: results, versioned structs, the host's threads. Plain C11; also C++.
//
// Errors: a call that can fail returns a SinewResult. It fills the caller's SinewError, if there is one, with a message
// of one line. The library keeps no state of errors: a coroutine, a goroutine or a task may go on in another thread
// than the one that it called from, and finds its own message all the same.
//
// Structs: the first field of a versioned struct is `size`, the size in bytes that the caller was compiled with;
// SINEW_INIT sets it. The rest is 0, and 0 is the default of every field. A smaller struct, of an older version, is
// accepted: what it lacks is 0. A larger one is accepted if all that this library does not know is 0. Structs without
// `size` are elements of arrays, and never change. In a struct that a call fills, set `size` before.
//
// Handles are opaque. NULL is refused with a message, but sinew_..._destroy(NULL) does nothing. What a call borrows or
// keeps is said there; without a word it keeps nothing. Text is UTF-8 and ends with a 0. Matrices are affine,
// row-major: 3 rows of 4, the translation last.
//
// What comments say: a test reads them, so some words are fixed. A pointer may be null where its comment says "null" or
// "optional", an argument where it says "`name` may be NULL", and an array of [count] elements where the count is 0. A
// number is one of the constants that its comment begins with. "finite", "above 0" and "not negative" are demands,
// which NaN does not meet; 0 may still be a default. "no such `name`": an index that there is not is refused. A call
// that fails leaves its outputs as they were, except that a handle becomes NULL, and the number of a mesh or a mask 0.
//
// Threads: different handles may be used in parallel, one handle by one thread at a time. Calls that only read a
// handle, const in their signature, may run in parallel, except where its comment says "one call at a time": of a
// planner, a skinner, a skinned crowd.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifndef SINEW_C_API  // set by the build of the shared library
#define SINEW_C_API
#endif

/// The version that this header belongs to: major * 1000000 + minor * 1000 + patch.
#define SINEW_C_VERSION 2000

#ifdef __cplusplus
extern "C++" {
template <class Struct>
Struct sinew_init() {
  Struct value = {};
  value.size = sizeof(Struct);
  return value;
}
}
#define SINEW_INIT(type) sinew_init<type>()
extern "C" {
#else
/// A versioned struct with its size set and all else 0: `SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);`
#define SINEW_INIT(type) ((type){.size = sizeof(type)})
#endif

/// What a call returns: 0, or the kind of its error.
typedef enum SinewResult {
  SINEW_OK = 0,
  SINEW_INVALID_ARGUMENT = 1,  // a mistake of the caller: a null pointer, a wrong size, index or option
  SINEW_NOT_FOUND = 2,         // the file does not exist
  SINEW_UNREADABLE = 3,        // the file cannot be read or written
  SINEW_INVALID_DATA = 4,      // the file or the data is malformed, or its values are out of range
  SINEW_UNSUPPORTED = 5,       // correct, but the library or the device does not support it
  SINEW_OUT_OF_MEMORY = 6,     // host or device memory; nothing has changed unless the call says otherwise
  SINEW_DEVICE_LOST = 7,       // VK_ERROR_DEVICE_LOST
  SINEW_DEVICE_FAILURE = 8     // any other Vulkan call failed
} SinewResult;

/// Why a call failed. Every call that takes one accepts NULL. A call that succeeds sets `result` to SINEW_OK and
/// empties `message`.
typedef struct SinewError {
  uint32_t size;
  int32_t result;      // a SinewResult
  int32_t vk_result;   // the VkResult that caused it, or 0
  char message[1012];  // one line; where it is longer, its middle is left out
} SinewError;

/// An affine matrix: m[row][3] is the translation. 48 bytes.
typedef struct SinewMatrix3x4 {
  float m[3][4];
} SinewMatrix3x4;

/// A rotation and a translation in 16 bytes, in the layout of sinew/asset/compact_matrix.h.
typedef struct SinewCompactMatrix {
  uint32_t words[4];
} SinewCompactMatrix;

/// An axis-aligned box.
typedef struct SinewBox {
  float low[3], high[3];
} SinewBox;

/// A part of a loop, see SinewParallelFor.
typedef void (*SinewTask)(void* task_data, uint32_t index);

/// The host's parallel loop. `run` calls `task(task_data, i)` once for every i below `count`, in any order and on any
/// threads, and returns when all calls have returned. Calls that take a SinewParallelFor accept NULL: then the calling
/// thread does all. The library starts no thread.
typedef struct SinewParallelFor {
  void* user_data;
  void (*run)(void* user_data, uint32_t count, SinewTask task, void* task_data);
} SinewParallelFor;

/// The version of the library, as SINEW_C_VERSION counts.
SINEW_C_API uint32_t sinew_version(void);

/// Whether the library fits the header: pass SINEW_C_VERSION. Equal major versions fit; while the major version is 0,
/// equal minor versions. Error: SINEW_UNSUPPORTED, with both versions in the message.
SINEW_C_API SinewResult sinew_check_version(uint32_t of_header, SinewError* error);

#ifdef __cplusplus
}
#endif
