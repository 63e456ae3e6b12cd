#include "json_depth.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "failure.h"

namespace sinew {
namespace {

constexpr size_t kMaxDepth = 200, kHeaderBytes = 20;  // of the file and its first chunk: glTF 2.0 specification, 4.4

/// The text that a binary file begins with.
std::string_view first_chunk(std::string_view file) {
  uint32_t size_bytes = 0;
  if (file.size() < kHeaderBytes) return {};
  std::memcpy(&size_bytes, file.data() + 12, sizeof(size_bytes));
  return file.substr(kHeaderBytes, size_bytes);
}

}  // namespace

size_t json_depth(std::string_view text) {
  size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return deepest;
}

void check_json_depth(std::string_view file, bool binary) {
  if (json_depth(binary ? first_chunk(file) : file) <= kMaxDepth) return;
  fail("its JSON nests more than " + std::to_string(kMaxDepth) + " deep");
}

}  // namespace sinew
