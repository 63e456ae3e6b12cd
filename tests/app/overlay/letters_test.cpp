// The letters of the overlay: those of names are gathered, and drawn with fonts of the system.
#include "window/letters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "window/interface.h"

namespace sinew::app {
namespace {

constexpr const char kNames[] = "\u6B69\u304F \u0425\u043E\u0434\u044C\u0431\u0430 \u03B2\u03AE\u03BC\u03B1";

bool has(const Letters& letters, char32_t letter) {
  const std::vector<char32_t> all = letters.all();
  return std::binary_search(all.begin(), all.end(), letter);
}

bool is_drawn(char32_t letter) {
  return ImGui::GetIO().Fonts->Fonts.front()->FindGlyphNoFallback(ImWchar(letter)) != nullptr;
}

/// Returns the version of the image of all letters.
uint32_t draw_frame(Interface& interface) {
  interface.begin(320, 240);
  return interface.end().font.version;
}

TEST(Letters, AreThoseOfLatinAndOfTheTexts) {
  const Interface context(1);
  Letters letters(1);
  EXPECT_TRUE(has(letters, U'A') && has(letters, U'\u00E9'));
  EXPECT_FALSE(has(letters, U'\u6B69'));
  EXPECT_FALSE(letters.add("walk")) << "no letter is new";
  EXPECT_TRUE(letters.add(kNames));
  EXPECT_FALSE(letters.add(kNames));
  for (const char32_t letter : {U'\u6B69', U'\u304F', U'\u0425', U'\u03AE'}) EXPECT_TRUE(has(letters, letter));
  EXPECT_FALSE(has(letters, U'\u6B6A'));
}

TEST(Letters, AreLimited) {
  const Interface context(1);
  Letters letters(1);
  std::string many;
  for (unsigned letter = 0x4E00; letter < 0x4E00 + Letters::kMaxLetters; ++letter)
    many += {char(0xE0 | letter >> 12), char(0x80 | (letter >> 6 & 63)), char(0x80 | (letter & 63))};
  EXPECT_FALSE(letters.add(many));
  EXPECT_FALSE(has(letters, U'\u4E00'));
  EXPECT_TRUE(letters.add("\u4E00"));
}

TEST(Letters, AreDrawnWhenANameNeedsThem) {
  Interface interface(1);
  const uint32_t before = draw_frame(interface);
  EXPECT_TRUE(is_drawn(U'A'));
  EXPECT_FALSE(is_drawn(U'\u0425'));
  interface.add_letters("walk");
  EXPECT_EQ(draw_frame(interface), before) << "all letters were drawn again";
  const std::u32string wanted = U"\u0425\u043E\u03AE";
  if (find_fonts(wanted).empty()) GTEST_SKIP() << "NO FONT: other letters than those of Latin were not tested here";
  interface.add_letters(kNames);
  EXPECT_GT(draw_frame(interface), before);
  EXPECT_TRUE(is_drawn(U'A'));
  EXPECT_TRUE(is_drawn(U'\u0425'));
  if (find_fonts(std::u32string(U"\u6B69")).empty()) GTEST_SKIP() << "NO CJK FONT: its letters were not tested here";
  EXPECT_TRUE(is_drawn(U'\u6B69'));
}

/// Labels are as high as a line: of joints that are called "thigh_l" as well.
TEST(Letters, AnUnderscoreIsInItsLine) {
  for (const float scale : {1.0f, 1.25f, 1.5f, 2.0f}) {
    Interface interface(scale);
    draw_frame(interface);
    const ImFont& font = *ImGui::GetIO().Fonts->Fonts.front();
    const ImFontGlyph& underscore = *font.FindGlyph('_');
    EXPECT_LT((underscore.Y0 + underscore.Y1) / 2, font.FontSize) << scale;
    EXPECT_GE(font.FindGlyph('|')->Y0, 0) << scale;
  }
}

}  // namespace
}  // namespace sinew::app
