// The key times of a clip, for baking: frame counts that fall on keys, and times of discontinuities.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/asset/clip.h"

namespace sinew::internal {

/// The times, ascending, at which a value jumps: at step keys and at several keys with the same time. The first is of
/// joints, the second of morph weights.
std::vector<float> find_discontinuities(const Clip& clip);
std::vector<float> find_weight_discontinuities(const Clip& clip);

/// The smallest number of frame intervals whose frames fall on every key: at least `min_intervals`, and below
/// `max_intervals`. Nothing if there is no such number, or if the search takes too long.
std::optional<uint32_t> find_intervals_on_keys(const Clip& clip, uint32_t min_intervals, uint32_t max_intervals);
std::optional<uint32_t> find_intervals_on_weight_keys(const Clip& clip, uint32_t min_intervals, uint32_t max_intervals);

}  // namespace sinew::internal
