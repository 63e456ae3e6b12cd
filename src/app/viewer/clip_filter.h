// The list of clips of the viewer: which of them a filter leaves, and what their names have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/asset/clip.h"

namespace sinew::app {

/// The numbers of the clips whose names contain the filter, ascending. Upper and lower case of ASCII letters are alike;
/// an empty filter leaves all clips.
std::vector<uint32_t> filtered_clips(std::span<const Clip> clips, std::string_view filter);

/// The clip `offset` places further in a list that is ascending and ends where it begins. A clip that is not in the
/// list stands between its neighbors. The list has at least one clip.
uint32_t neighbor(std::span<const uint32_t> list, uint32_t clip, int offset);

/// How many bytes at the front of all names are the same, as "Armature|" that exporters write: up to the last '|' of
/// these, or none. One clip has nothing in common with others.
size_t shared_front(std::span<const Clip> clips);

}  // namespace sinew::app
