// `sinew view` without a window: what view.rows cannot say of its pictures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "child.h"
#include "picture.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class ViewPictures : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }

  /// A picture of the built-in character, with further options.
  Picture picture(const std::vector<std::string>& options) {
    const std::string png = folder_.path("view.png");
    std::vector<std::string> arguments = {"view", kCharacter, "--size", "320x240", "--screenshot", png};
    arguments.insert(arguments.end(), options.begin(), options.end());
    last_ = sinew(arguments, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
    return last_.exit_code == 0 ? read_png(png) : Picture{};
  }

  Folder folder_;
  Outcome last_;
};

/// Whether the `size` * `size` pixels in the middle of a picture are shown `scale` times as large near its corner.
bool shows_middle(const Picture& picture, int size, int scale, int margin) {
  const auto pixel = [&](int x, int y) {
    uint32_t rgba = 0;
    std::memcpy(&rgba, &picture.rgba[size_t(y * picture.width + x) * 4], 4);
    return rgba;
  };
  for (int y = 0; y < size * scale; ++y) {
    for (int x = 0; x < size * scale; ++x) {
      const int from_x = (picture.width - size) / 2 + x / scale, from_y = (picture.height - size) / 2 + y / scale;
      if (pixel(margin + x, margin + y) != pixel(from_x, from_y)) return false;
    }
  }
  return true;
}

TEST_F(ViewPictures, ALevelAtItsOwnSizeIsMagnifiedInACorner) {
  const Picture shown = picture({"--level", "7", "--own-size", "--validate"});
  ASSERT_FALSE(shown.rgba.empty());
  EXPECT_THAT(last_.out, HasSubstr("0 validation messages"));
  const auto is_magnified = [](const Picture& picture) {
    constexpr int kLargest = 86, kMargin = 4;  // 36 % and 2 % of the height
    bool found = false;
    for (int size = 4; size <= kLargest / 2; ++size)
      found = found || shows_middle(picture, size, kLargest / size, kMargin);
    return found;
  };
  EXPECT_TRUE(is_magnified(shown));
  EXPECT_FALSE(is_magnified(picture({"--level", "7"})));
  EXPECT_FALSE(is_magnified(picture({"--own-size"}))) << "the finest level has no size of its own";
}

TEST_F(ViewPictures, ContactSheetHasAPictureOfEachTime) {
  const Picture sheet = picture({"--clip", "walk", "--times", "0,0.2,0.4,0.6"});
  EXPECT_THAT(last_.out, HasSubstr("4 pictures"));
  ASSERT_GT(sheet.width, 2 * 320);
  const Picture second = picture({"--clip", "walk", "--time", "0.2"});
  const int step = (sheet.width + 4) / ((sheet.width + 4) / 324);  // of columns, with the gap
  Picture cell{320, 240, {}};
  for (int y = 0; y < 240; ++y) {
    const auto row = sheet.rgba.begin() + (ptrdiff_t(y) * sheet.width + step) * 4;
    cell.rgba.insert(cell.rgba.end(), row, row + 320 * 4);
  }
  EXPECT_EQ(cell.rgba, second.rgba) << "the second cell is not the picture of the second time";
}

}  // namespace
}  // namespace sinew::test
