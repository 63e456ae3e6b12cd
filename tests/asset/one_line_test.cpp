// Text from files on one line. Expected values are from the Unicode Standard, not from the code.
#include "asset/one_line.h"

#include <gtest/gtest.h>

namespace sinew::internal {
namespace {

TEST(OneLine, KeepsTextOfAnyScript) {
  for (const std::string text : {"", "Arm_L", "gr\xc3\xbcn", "\xe8\xb5\xb0\xe3\x82\x8b", "\xf0\x9f\xa6\xb4 bone",
                                 "\xd8\xb0\xd8\xb1\xd8\xa7\xd8\xb9", "a\xc2\xa0z", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(one_line(text), text);
  }
}

TEST(OneLine, ReplacesEachControlCharacterByOneMark) {
  for (const std::string control : {"\n", "\r", "\t", "\x1b", "\x7f", "\xc2\x80", "\xc2\x85", "\xc2\x9b", "\xc2\x9f",
                                    "\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9",
                                    "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9"}) {
    EXPECT_EQ(one_line("a" + control + "b"), "a?b") << testing::PrintToString(control);
  }
  EXPECT_EQ(one_line(std::string("a\0b", 3)), "a?b");
}

TEST(OneLine, ReplacesEachByteThatIsNotUtf8) {
  EXPECT_EQ(one_line("\xff"
                     "a"),
            "?a");
  EXPECT_EQ(one_line("a\xe4"
                     "b"),
            "a?b")
      << "Latin-1";
  EXPECT_EQ(one_line("\xe2\x80"), "??") << "a character that is cut";
  EXPECT_EQ(one_line("\x85\xa8"), "??") << "bytes that continue nothing";
  EXPECT_EQ(one_line("\xc0\x8a"), "??") << "a line feed in more bytes than it needs";
  EXPECT_EQ(one_line("\xe0\x80\x8a"), "???");
  EXPECT_EQ(one_line("\xf0\x82\x80\xa8"), "????");
  EXPECT_EQ(one_line("\xed\xa0\x80"), "???") << "half of a surrogate pair";
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), "????") << "above U+10FFFF";
}

TEST(WholeCharacters, AreNotCut) {
  const std::string text = "a\xc3\xa9\xe8\xb5\xb0\xf0\x9f\xa6\xb4";  // of 1, 2, 3 and 4 bytes
  const size_t kept[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (size_t room = 0; room < std::size(kept); ++room) EXPECT_EQ(whole_characters(text, room).size(), kept[room]);
}

}  // namespace
}  // namespace sinew::internal
