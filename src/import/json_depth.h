// How deep a JSON text nests, found without a stack: parsers recurse, and end with the stack they have.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

/// Of arrays and objects within each other, outside strings. Of text that is no JSON at least what a parser would see
/// before it gives up.
size_t json_depth(std::string_view text);

/// Throws ImportFailure where a glTF's JSON, which a binary file has in its first chunk, nests more than 200 deep.
void check_json_depth(std::string_view file, bool binary);

}  // namespace sinew
