// Text from files: on one line, where expected values are from the Unicode Standard, not from the code; and numbers in
// it, where they are from the standard library.
#include "asset/one_line.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "asset/read_number.h"
#include "split.h"

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

// What macOS reads with, against what other systems read with.
#if !defined(_WIN32) && defined(__cpp_lib_to_chars)

template <class Real>
void expect_read_alike(const std::string& text) {
  constexpr Real kBefore = 77;
  Real expected = kBefore, value = kBefore;
  const std::from_chars_result wanted = std::from_chars(text.data(), text.data() + text.size(), expected);
  const std::from_chars_result read = read_real_number(text.data(), text.data() + text.size(), value);
  EXPECT_EQ(read.ec, wanted.ec) << "'" << text << "'";
  EXPECT_EQ(read.ptr - text.data(), wanted.ptr - text.data()) << "'" << text << "'";
  const bool same = std::isnan(expected) ? std::isnan(value) && std::signbit(value) == std::signbit(expected)
                                         : value == expected && std::signbit(value) == std::signbit(expected);
  EXPECT_TRUE(same) << "'" << text << "' is " << value << ", not " << expected;
}

void expect_read_alike(const std::string& text) {
  expect_read_alike<double>(text);
  expect_read_alike<float>(text);
}

void expect_each_read_alike(std::string_view texts) {
  for (const std::string& text : test::split_texts(texts)) expect_read_alike(text);
}

TEST(ReadRealNumber, TakesAndRefusesWhatTheStandardLibraryDoes) {
  expect_each_read_alike(
      "|-|+|+1|1|-1| 1|\t1|\n1|1 |1.|-.5|.5|.|-.|..5|1.5.5|1e|1e+|1e-|1e5|1E5|1e+5x|1e-5|e5|.e5|1.e5|"
      "0x10|0X1p3|0x.8|0x|--1|-+1|- 1|1,5|1'000|1_000|1d5|1f|-0|-0.0|0000001.5|1e00000000000000000000005|"
      "1e-0000000000000000000005|1.#INF|1.#QNAN|@nf|\xd0\x98nf");
}

TEST(ReadRealNumber, KnowsTheNamesOfInfinityAndOfNoNumber) {
  expect_each_read_alike(
      "inf|INF|-Inf|+inf|infinity|INFINITYx|infinit|-infx|i|in|nan|-nan|NaN(12)|nan(|nan()|nan(a_Z9)|na|"
      "nan(a-b)|nan(1|nanx|n|-nan(x)y|nan (1)|infinity(");
}

TEST(ReadRealNumber, AgreesAtTheEndsOfTheRange) {
  expect_each_read_alike(
      "1e400|-1e400|1e-400|-1e-400|4.9e-324|2.4e-324|2.5e-324|1e-310|2.2250738585072011e-308|"
      "1.7976931348623157e308|1.7976931348623159e308|0e999|0.0e-999|1e99999999999999999999|"
      "1e-99999999999999999999|3.4028235e38|3.4028236e38|1e39|1e-40|1e-45|7.1e-46|7e-46|"
      "123456789012345678901234567890");
  expect_read_alike("0." + std::string(1000, '0') + "1e1001");
  expect_read_alike(std::string(400, '9'));
  expect_read_alike(std::string(400, '9') + "e-400");
}

TEST(ReadRealNumber, AgreesOnRandomTexts) {
  constexpr std::string_view kLetters = "00123456789..eE+--infatyINF(x)_, ";
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    text.clear();
    for (size_t left = random() % 12; left > 0; --left) text += kLetters[random() % kLetters.size()];
    expect_read_alike(text);
  }
}

TEST(ReadRealNumber, AgreesOnRandomNumbers) {
  std::mt19937_64 random(2);
  char text[400];
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const double number = std::bit_cast<double>(uint64_t(random()));
    const auto end = std::to_chars(text, std::end(text), number, std::chars_format::scientific, int(random() % 19)).ptr;
    expect_read_alike(std::string(text, end));
  }
}

#endif

}  // namespace
}  // namespace sinew::internal
