// What baking asks of a clip's keys: where they are, and where something leaps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/asset/clip.h"

namespace sinew {

/// Times at which a track leaps rather than moves: steps, and keys at one time. Ascending.
std::vector<float> find_discontinuities(const Clip& clip);

/// The fewest intervals, from `least` and below `most`, whose frames fall on every key. Gives up where it takes long.
std::optional<uint32_t> find_intervals_on_keys(const Clip& clip, uint32_t least, uint32_t most);

}  // namespace sinew
