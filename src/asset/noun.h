// Nouns beside counts, in messages and labels.
#pragma once

#include <cstdint>

namespace sinew {

/// The form of a noun for `count` things: "mesh" for 1, otherwise "meshes".
constexpr const char* noun(uint64_t count, const char* singular, const char* plural) {
  return count == 1 ? singular : plural;
}

}  // namespace sinew
