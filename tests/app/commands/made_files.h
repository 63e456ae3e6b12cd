// Characters that the tables run the program on, made of the built-in one.
#pragma once

#include <string>

namespace sinew::test {

/// Writes one of these to `path`; its name says which: "merged" has two coarser levels, the second with a palette of
/// its own; "stretched" a joint that scales; "endless" a clip of 500,000 s more; "marked" two markers in its first
/// clip; "additive" and "still" one clip each, without tracks. "small" is a triangle with two joints and a clip. Throws
/// std::out_of_range where there is no such file.
void make_character_file(const std::string& name, const std::string& path);

}  // namespace sinew::test
