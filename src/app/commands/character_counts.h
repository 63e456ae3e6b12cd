// --characters: one number, a list of numbers, or a range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::app {

inline constexpr uint32_t kMaxCharacters = 1'000'000;

/// Parses 250, 10k, 1.5k or 1M; lists such as 50,200; and ranges such as 1k..100k, which double: 1k, 2k, 4k and so on,
/// then their end. None where a number is not whole and from 1 to kMaxCharacters, or a range descends.
std::optional<std::vector<uint32_t>> parse_character_counts(std::string_view word);

}  // namespace sinew::app
