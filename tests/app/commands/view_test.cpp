// `sinew view` without a window: pictures, and what it says about wrong options and files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "child.h"
#include "long_run.h"
#include "picture.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr;

class View : public ::testing::Test {
 protected:
  void SetUp() override { SINEW_SKIP_WITHOUT_DEVICE(); }

  /// A picture of the built-in character, with further options.
  Picture picture(const std::vector<std::string>& options, const std::string& file = kCharacter) {
    const std::string png = folder_.path("view.png");
    std::vector<std::string> arguments = {"view", file, "--size", "320x240", "--screenshot", png};
    arguments.insert(arguments.end(), options.begin(), options.end());
    last_ = sinew(arguments, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
    return last_.exit_code == 0 ? read_png(png) : Picture{};
  }

  /// Expects one line on standard error that contains all words, and no picture.
  void fails(const std::vector<std::string>& options, int exit_code, const std::vector<std::string>& words) {
    const std::string png = folder_.path("never.png");
    std::vector<std::string> arguments = {"view", kCharacter, "--screenshot", png};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = sinew(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    for (const std::string& word : words) EXPECT_THAT(outcome.err, HasSubstr(word));
    EXPECT_FALSE(std::filesystem::exists(png));
  }

  Folder folder_;
  Outcome last_;
};

TEST_F(View, GivesTheSamePictureTwice) {
  const std::vector<std::string> options = {"--clip",    "walk",
                                            "--time",    "0.3",
                                            "--layer",   "clip=wave,joint=clavicle_r",
                                            "--show",    "bones,names,pose-bounds",
                                            "--validate"};
  const Picture one = picture(options), two = picture(options);
  EXPECT_EQ(one.rgba, two.rgba);
  EXPECT_GT(color_count(one), 1000u);
  EXPECT_THAT(last_.out, HasSubstr("0 validation messages"));
}

TEST_F(View, EachOptionShowsInThePicture) {
  const Picture plain = picture({"--clip", "walk"});
  const std::vector<std::vector<std::string>> changes = {{"--layer", "clip=wave,joint=clavicle_r,time=0.5"},
                                                         {"--turn", "40"},
                                                         {"--show", "bones"},
                                                         {"--show", "influences"},
                                                         {"--level", "3"},
                                                         {"--level", "3", "--own-size"},
                                                         {"--time", "0.3"},
                                                         {"--camera", "back"},
                                                         {"--zoom", "2"},
                                                         {"--show", "names"},
                                                         {"--show", "axes"},
                                                         {"--show", "normals"},
                                                         {"--show", "handles"},
                                                         {"--show", "clip-bounds"},
                                                         {"--show", "pose-bounds"},
                                                         {"--show", "wireframe"},
                                                         {"--show", "lost-weight"},
                                                         {"--show", "level"},
                                                         {"--show", "weights", "--joint", "head"},
                                                         {"--overlay"}};
  for (std::vector<std::string> options : some_of(changes, 5)) {
    const std::string what = options[0] + (options.size() > 1 ? " " + options[1] : "");
    options.insert(options.begin(), {"--clip", "walk"});
    const Picture shown = picture(options);
    if (what == "--show wireframe" && !draws_wireframe()) {
      EXPECT_EQ(shown.rgba, plain.rgba);
      EXPECT_THAT(last_.err, HasSubstr("--show wireframe: "));
    } else {
      EXPECT_GT(difference(plain, shown).share, 0.0005) << what;
    }
  }
}

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

TEST_F(View, ALevelAtItsOwnSizeIsMagnifiedInACorner) {
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

TEST_F(View, AdditiveAndOverrideLayersDiffer) {
  const std::string layer = "clip=wave,joint=clavicle_r,time=0.5,mode=";
  const Picture over = picture({"--clip", "walk", "--layer", layer + "override"}),
                added = picture({"--clip", "walk", "--layer", layer + "additive"});
  EXPECT_GT(difference(over, added).share, 0.001);
}

TEST_F(View, ContactSheetHasAPictureOfEachTime) {
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

TEST_F(View, RecordsAFolderOfPictures) {
  const std::string frames = folder_.path("frames/");
  const Outcome outcome = sinew({"view", kCharacter, "--size", "64x48", "--record", frames, "--seconds", "0.5",
                                 "--frames-per-second", "10", "--turntable"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<Picture> pictures;
  for (const char* name : {"0001.png", "0002.png", "0003.png", "0004.png", "0005.png"})
    pictures.push_back(read_png(frames + name));
  for (size_t i = 1; i < pictures.size(); ++i) EXPECT_GT(difference(pictures[0], pictures[i]).share, 0.01) << i;
}

TEST_F(View, ARecordingPlaysTheClipOnceAtItsSpeed) {
  const auto record = [&](const std::string& folder, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"view",
                                          kCharacter,
                                          "--clip",
                                          "walk",
                                          "--size",
                                          "64x48",
                                          "--record",
                                          folder_.path(folder),
                                          "--frames-per-second",
                                          "10"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    last_ = sinew(arguments);
    EXPECT_EQ(last_.exit_code, 0) << last_.err;
  };
  record("once/", {});  // the clip lasts 1.07 s
  EXPECT_THAT(last_.out, HasSubstr("11 pictures"));
  EXPECT_GT(difference(read_png(folder_.path("once/0001.png")), read_png(folder_.path("once/0004.png"))).share, 0.005);
  record("fast/", {"--speed", "2"});
  EXPECT_THAT(last_.out, HasSubstr("5 pictures"));
  record("back/", {"--speed", "-1", "--repeat", "once"});
  EXPECT_GT(difference(read_png(folder_.path("back/0001.png")), read_png(folder_.path("back/0004.png"))).share, 0.005)
      << "a clip that plays backward once begins at its end";
  record("there_and_back/", {"--repeat", "ping-pong"});
  EXPECT_THAT(last_.out, HasSubstr("21 pictures"));
}

TEST_F(View, TimeOutsideTheClipIsLimitedAndSaid) {
  const Picture end = picture({"--clip", "walk", "--repeat", "once", "--time", "1e6"});
  EXPECT_THAT(last_.err, HasSubstr("is outside clip \"walk\""));
  EXPECT_EQ(std::count(last_.err.begin(), last_.err.end(), '\n'), 1) << last_.err;
  const Picture start = picture({"--clip", "walk", "--time", "-5"});
  EXPECT_THAT(last_.err, HasSubstr("is outside clip \"walk\""));
  EXPECT_EQ(start.rgba, picture({"--clip", "walk"}).rgba);
  EXPECT_EQ(end.rgba, picture({"--clip", "walk", "--repeat", "once", "--time", "1.0666667"}).rgba);
  EXPECT_GT(difference(start, picture({"--clip", "walk", "--time", "0.5"})).share, 0.005);
}

TEST_F(View, UnknownNamesOfferTheNearest) {
  fails({"--clip", "wlak"}, 1, {"no clip \"wlak\"", "\"walk\""});
  fails({"--layer", "clip=wavee"}, 1, {"no clip \"wavee\"", "\"wave\""});
  fails({"--joint", "haed"}, 1, {"no joint \"haed\"", "\"head\""});
  fails({"--layer", "clip=wave,joint=clavicle"}, 1, {"no joint \"clavicle\"", "clavicle_r"});
}

TEST_F(View, WrongOptionsAreNamed) {
  const std::vector<std::string> layer = {"--layer", "clip=wave"};
  std::vector<std::string> four;
  for (int i = 0; i < 4; ++i) four.insert(four.end(), layer.begin(), layer.end());
  fails(four, 2, {"at most 3 layers"});
  fails({"--layer", "joint=head"}, 2, {"clip"});
  fails({"--layer", "clip=wave,weight=2"}, 2, {"weight"});
  fails({"--show", "bone"}, 2, {"'bone'", "bones"});
  fails({"--show", "weights"}, 2, {"--joint"});
  fails({"--times", "0,x"}, 2, {"'x'"});
  fails({"--speed", "3"}, 2, {"--speed"});
  fails({"--turntable"}, 2, {"--record"});
  fails({"--frames", "3"}, 2, {"--frames"});
  fails({"--frames-per-second", "3"}, 2, {"--record"});
  fails({"--times", "0,1", "--record", folder_.path("never/")}, 2, {"--times"});
  fails({"--record", folder_.path("never.gif")}, 2, {"--record", "never.gif", "F.webp"});
}

TEST_F(View, AFileWithoutClipsIsShownStill) {
  const std::string obj = folder_.path("triangle.obj");
  write(obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_GT(color_count(picture({"--show", "bones,names"}, obj)), 100u);
  picture({"--time", "1"}, obj);
  EXPECT_THAT(last_.err, HasSubstr("has no clips"));
}

TEST_F(View, WithoutADisplayItSaysHowToGoWithoutAWindow) {
  const Outcome outcome = sinew({"view", kCharacter}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--screenshot"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

}  // namespace
}  // namespace sinew::test
