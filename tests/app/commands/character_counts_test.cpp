#include "commands/character_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::app {
namespace {

using Counts = std::vector<uint32_t>;

TEST(CharacterCounts, AreNumbersListsAndRanges) {
  EXPECT_EQ(parse_character_counts("250"), Counts{250});
  EXPECT_EQ(parse_character_counts("1.5k"), Counts{1500});
  EXPECT_EQ(parse_character_counts("1M"), Counts{1'000'000});
  EXPECT_EQ(parse_character_counts("50,200"), (Counts{50, 200}));
  EXPECT_EQ(parse_character_counts("1k..8k"), (Counts{1000, 2000, 4000, 8000}));
  EXPECT_EQ(parse_character_counts("1k..7k"), (Counts{1000, 2000, 4000, 7000}));
  EXPECT_EQ(parse_character_counts("5,1k..1k,7"), (Counts{5, 1000, 7}));
  EXPECT_EQ(parse_character_counts("600k..1M"), (Counts{600'000, 1'000'000}));
}

TEST(CharacterCounts, OtherWordsAreNone) {
  for (const char* word : {"", "0", "-5", "1.5", "x", "5x", "1,", ",1", "1..", "..5", "8..4", "1M..2M", "2M", "1 2",
                           "nan", "1...4", "inf"}) {
    EXPECT_EQ(parse_character_counts(word), std::nullopt) << word;
  }
}

}  // namespace
}  // namespace sinew::app
