#include "one_line.h"

#include <cstdint>

namespace sinew::internal {
namespace {

/// A character of UTF-8 and its bytes; 0 bytes where the text does not begin with one.
struct Character32 {
  uint32_t code = 0;
  size_t size_bytes = 0;
};

bool continues(char byte) { return (uint8_t(byte) & 0xc0) == 0x80; }

/// The number of bytes that the first byte of a character announces; 0 where no character begins so.
size_t announced_bytes(uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;  // continues a character, or would begin one in more bytes than it needs
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

/// The Unicode Standard, table 3-7: no character in more bytes than it needs, no surrogate, none above U+10FFFF.
Character32 first_character(std::string_view text) {
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const uint8_t first = uint8_t(text.front());
  const size_t size = announced_bytes(first);
  if (size == 0 || size > text.size()) return {};
  uint32_t code = size == 1 ? first : first & (0x7f >> size);
  for (size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return {};
    code = code << 6 | (uint8_t(text[i]) & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kSmallest[size] || code > 0x10ffff || surrogate) return {};
  return {code, size};
}

bool within(uint32_t code, uint32_t first, uint32_t last) { return code >= first && code <= last; }

/// Controls, and the characters that Unicode gives the classes Zl, Zp and Bidi_Control.
bool is_control(uint32_t code) {
  return code < 0x20 || within(code, 0x7f, 0x9f) || code == 0x61c || within(code, 0x200e, 0x200f) ||
         within(code, 0x2028, 0x202e) || within(code, 0x2066, 0x206f);
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const auto [code, size_bytes] = first_character(text);
    if (size_bytes == 0 || is_control(code)) {
      line += '?';
    } else {
      line += text.substr(0, size_bytes);
    }
    text.remove_prefix(size_bytes == 0 ? 1 : size_bytes);
  }
  return line;
}

void make_one_line(std::vector<std::string>& texts) {
  for (std::string& text : texts) text = one_line(text);
}

std::string_view whole_characters(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  for (int i = 0; i < 3 && end > 0 && continues(text[end]); ++i) --end;
  return text.substr(0, end);
}

}  // namespace sinew::internal
