// The check that the palettes of a crowd fit in the memory that they are written to.
#pragma once

#include <string>

#include "sinew/asset/result.h"

namespace sinew::internal {

/// `matrices`: the size of that memory. Sizes and strides count matrices of 48 bytes.
inline Status check_palette_room(size_t instances, uint32_t palette_size, uint32_t palette_stride, size_t matrices) {
  if (palette_stride < palette_size) {
    return Error{ErrorCode::kInvalidArgument, "a palette of " + std::to_string(palette_size) +
                                                  " matrices does not fit a stride of " +
                                                  std::to_string(palette_stride)};
  }
  const size_t needed = instances * palette_stride;
  if (matrices >= needed) return {};
  return Error{ErrorCode::kInvalidArgument, "palettes: there is room for " + std::to_string(matrices) +
                                                " matrices, and " + std::to_string(instances) + " instances need " +
                                                std::to_string(needed)};
}

}  // namespace sinew::internal
