// Clips and joints by the names that a user writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sinew/asset/clip.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew::app {

/// The first clip with that name; else the first whose name differs only in upper and lower case (of ASCII letters);
/// else the clip with that number. Errors: kNotFound with the three nearest names.
Result<uint32_t> find_clip_by_name(std::span<const Clip> clips, std::string_view name);

/// The same for a joint, which has no number.
Result<uint32_t> find_joint_by_name(const Skeleton& skeleton, std::string_view name);

}  // namespace sinew::app
