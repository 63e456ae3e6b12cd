// What clips are called, by which a crowd leaves some of them out.
#pragma once

#include <string>
#include <string_view>

namespace sinew::app {

/// The words of a name in lower case, each between spaces: " armature t pose 01 " of "Armature|TPose_01". A word ends
/// at whatever is neither letter nor digit, between letters and digits, and before a capital that begins a word.
std::string words_of(std::string_view name);

/// Whether the name is that of a clip in which nobody is seen to live: a bind pose, a death.
bool has_excluded_name(std::string_view name);

}  // namespace sinew::app
