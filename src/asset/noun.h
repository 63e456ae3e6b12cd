// Nouns beside counts, in messages and labels.
#pragma once

#include <cstdint>
#include <string>

namespace sinew {

/// The form of a noun for `count` things: "mesh" for 1, otherwise "meshes".
constexpr const char* noun(uint64_t count, const char* singular, const char* plural) {
  return count == 1 ? singular : plural;
}

/// "1 mesh", "2 meshes".
inline std::string counted(uint64_t count, const char* singular, const char* plural) {
  return std::to_string(count) + " " + noun(count, singular, plural);
}

}  // namespace sinew
