// The floor under every other row: storing the bytes of the palettes, and nothing else.
#pragma once

#include <cstddef>

namespace sinew::bench {

/// Writes `value` over `count` floats in order, with the widest vectors of the machine, whatever SINEW_SIMD says.
/// `streaming`: past the caches, fenced. `out` begins on 64 bytes, `count` is a multiple of 16.
void store_floats(float* out, size_t count, float value, bool streaming);

/// The kind that CrowdEvaluator chooses for palettes of that many bytes; see StoreMode::kAuto.
bool crowd_streams(size_t size_bytes);

/// How many bytes one store of store_floats() writes.
size_t store_width_bytes();

}  // namespace sinew::bench
