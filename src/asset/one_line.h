// Text from files on one line of a terminal or a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/api.h"

namespace sinew::internal {

/// `text` as one line of valid UTF-8, so that a name in a file cannot end a line, turn the direction of text or send
/// commands to a terminal. Each control character becomes '?': those of ASCII, U+0080 to U+009F, and Unicode's ends of
/// lines and paragraphs and its marks of direction. So does each byte that is not UTF-8. Throws std::bad_alloc.
SINEW_API std::string one_line(std::string_view text);

/// Makes each text of a list one line, in place.
SINEW_API void make_one_line(std::vector<std::string>& texts);

/// At most the first `max_bytes` bytes of `text`: whole characters of UTF-8. Does not allocate.
SINEW_API std::string_view whole_characters(std::string_view text, size_t max_bytes);

}  // namespace sinew::internal
