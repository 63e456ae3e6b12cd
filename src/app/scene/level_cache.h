// Levels of detail that were made before: making them takes seconds, reading them milliseconds. They are kept as
// `.sinew` files in the cache, see system/cache.h, named by a hash of all that they depend on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/model.h"

namespace sinew::app {

/// To be raised when make_levels(), bake() or measure_bounds() makes something else of the same character.
inline constexpr uint64_t kLevelsVersion = 13;

/// Hashes what the levels of a model depend on: the character, its masks, sockets and bake options.
std::string levels_key(const Model& model);

/// The levels that were kept under `key`, and what make_levels() added to the character's materials. False: there are
/// none.
bool read_levels(const std::string& key, Model& model);

/// Keeps the levels of a model. The oldest of more than 64 files are removed.
void keep_levels(const std::string& key, const Model& model);

}  // namespace sinew::app
