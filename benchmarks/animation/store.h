// The lower bound of every other row: storing the bytes of the palettes, without computing them.
#pragma once

#include <cstddef>

namespace sinew::bench {

/// Writes `value` to `count` floats in order, with the widest vectors of the machine; SINEW_SIMD has no effect.
/// `streaming`: stores bypass the caches, and a fence follows. `out` is aligned to 64 bytes, `count` a multiple of 16.
void store_floats(float* out, size_t count, float value, bool streaming);

/// True if CrowdEvaluator uses streaming stores for palettes of this size; see StoreMode::kAuto.
bool crowd_streams(size_t size_bytes);

/// The size of one store of store_floats().
size_t store_width_bytes();

}  // namespace sinew::bench
