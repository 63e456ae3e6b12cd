// Names of clips and joints: what they mean, and how a user writes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/asset/clip.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"

namespace sinew::app {

// Clip names. A crowd does not play the clips that have an excluded name.

/// The words of a name in lower case, each between spaces: " armature t pose 01 " for "Armature|TPose_01". A word ends
/// at a character that is neither letter nor digit, between letters and digits, and before a capital that begins a
/// word.
std::string words_of(std::string_view name);

/// For has_word(): in the names of clips that walk, and of those that sit.
inline constexpr std::string_view kGaitWords = " walk | walking | run | running | jog | march | marching | sprint ",
                                  kSeatedWords = " sit | sitting | seated ";

/// Whether the name contains one of `words`, each between spaces, with '|' between them.
bool has_word(std::string_view name, std::string_view words);

/// Whether the name contains an excluded word: that of a bind pose, or of a character that is dead or lies down.
bool has_excluded_name(std::string_view name);

// Clips and joints by the names that a user writes.

/// The first clip with that name; else the first whose name differs only in upper and lower case (of ASCII letters);
/// else the clip with that number. Errors: kNotFound with the three nearest names.
Result<uint32_t> find_clip_by_name(std::span<const Clip> clips, std::string_view name);

/// The same for a joint, which has no number.
Result<uint32_t> find_joint_by_name(const Skeleton& skeleton, std::string_view name);

}  // namespace sinew::app
