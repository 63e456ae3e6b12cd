// Contact sheet: where each picture is, and how many columns there are.
#include "viewer/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "must.h"

namespace sinew::app {
namespace {

using ::testing::HasSubstr;

using Picture = std::vector<uint8_t>;

/// A value for each byte of each picture.
uint8_t value_of(size_t picture, size_t byte) { return uint8_t(40 * picture + byte % 37); }

std::vector<Picture> numbered(size_t count, size_t width, size_t height) {
  std::vector<Picture> pictures(count, Picture(width * height * 4));
  for (size_t i = 0; i < count; ++i) {
    for (size_t byte = 0; byte < pictures[i].size(); ++byte) pictures[i][byte] = value_of(i, byte);
  }
  return pictures;
}

TEST(ContactSheet, PicturesAreRowByRowWithGrayBetween) {
  const auto sheet = must(make_contact_sheet(numbered(5, 10, 7), 10, 7));  // three columns, two rows
  ASSERT_EQ(sheet.columns, 3u);
  ASSERT_EQ(sheet.rows, 2u);
  ASSERT_EQ(sheet.width, 10u * 3 + 4 * 2);
  ASSERT_EQ(sheet.height, 7u * 2 + 4);
  ASSERT_EQ(sheet.rgba.size(), size_t(38) * 18 * 4);
  for (size_t y = 0; y < 18; ++y) {
    for (size_t x = 0; x < 38; ++x) {
      const size_t column = x / 14, row = y / 11, cell = row * 3 + column;
      const bool gray = x % 14 >= 10 || y % 11 >= 7 || cell >= 5;
      for (size_t channel = 0; channel < 4; ++channel) {
        const uint8_t between = channel == 3 ? 255 : 0x77;
        const uint8_t expected = gray ? between : value_of(cell, ((y % 11) * 10 + x % 14) * 4 + channel);
        ASSERT_EQ(sheet.rgba[(y * 38 + x) * 4 + channel], expected) << x << " " << y << " " << channel;
      }
    }
  }
}

std::string grid(size_t count, uint32_t width, uint32_t height) {
  const auto sheet = make_contact_sheet(numbered(count, width, height), width, height);
  return sheet ? std::to_string(sheet->columns) + "x" + std::to_string(sheet->rows) : sheet.error().message;
}

TEST(ContactSheet, IsAboutAsWideAs16To9AndHasAtMostEightColumns) {
  EXPECT_EQ(grid(1, 160, 90), "1x1");
  EXPECT_EQ(grid(4, 160, 90), "2x2");
  EXPECT_EQ(grid(6, 90, 160), "5x2");    // tall pictures: 5 * 90 to 2 * 160
  EXPECT_EQ(grid(12, 100, 100), "5x3");  // 5 to 3 is nearer than 4 to 3
  EXPECT_EQ(grid(3, 400, 50), "1x3");    // wide pictures: one below the other
  EXPECT_EQ(grid(40, 10, 90), "8x5");
  EXPECT_EQ(grid(120, 160, 90), "8x15");
}

TEST(ContactSheet, PicturesThatDoNotFitAreRefused) {
  EXPECT_THAT(grid(0, 8, 4), HasSubstr("needs a picture"));
  const std::vector<Picture> mixed = {Picture(8 * 4 * 4), Picture(8 * 4 * 3)}, large(100);
  EXPECT_EQ(must_fail(make_contact_sheet(mixed, 8, 4)).message, "picture 2 of 2 is not of 8x4 pixels");
  EXPECT_EQ(must_fail(make_contact_sheet(large, 2048, 2048)).message,
            "a contact sheet of 100 pictures of 2048x2048 pixels has a side above 16384 pixels");
  EXPECT_THAT(grid(1, 16385, 1), HasSubstr("a side above 16384 pixels"));
  EXPECT_THAT(grid(1, 1, 16385), HasSubstr("a side above 16384 pixels"));
  EXPECT_EQ(grid(1, 16384, 1), "1x1");
}

}  // namespace
}  // namespace sinew::app
