#include "commands/character_counts.h"

#include <charconv>

namespace sinew::app {
namespace {

std::optional<uint32_t> parse_count(std::string_view word) {
  double value = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  const std::string_view unit(rest, size_t(word.data() + word.size() - rest));
  if (error != std::errc{}) return {};
  if (unit == "k" || unit == "K") {
    value *= 1e3;
  } else if (unit == "m" || unit == "M") {
    value *= 1e6;
  } else if (!unit.empty()) {
    return {};
  }
  if (!(value >= 1 && value <= kMaxCharacters) || value != double(uint32_t(value))) return {};
  return uint32_t(value);
}

/// Appends a number, or the numbers of a range. False where it is neither.
bool append_counts(std::string_view word, std::vector<uint32_t>& counts) {
  const size_t dots = word.find("..");
  const auto first = parse_count(word.substr(0, dots));
  if (!first) return false;
  if (dots == word.npos) return counts.push_back(*first), true;
  const auto last = parse_count(word.substr(dots + 2));
  if (!last || *last < *first) return false;
  for (uint32_t count = *first; count < *last; count *= 2) counts.push_back(count);
  counts.push_back(*last);
  return true;
}

}  // namespace

std::optional<std::vector<uint32_t>> parse_character_counts(std::string_view word) {
  std::vector<uint32_t> counts;
  while (true) {
    const size_t comma = word.find(',');
    if (!append_counts(word.substr(0, comma), counts)) return {};
    if (comma == word.npos) return counts;
    word.remove_prefix(comma + 1);
  }
}

}  // namespace sinew::app
