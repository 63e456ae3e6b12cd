// Moving pictures of a crowd: every kind of file, and that they end as they begin.
#include "record/movie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/mux.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "child.h"
#include "crowd/recording.h"
#include "picture.h"

namespace sinew::app {
namespace {

using test::Folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kWidth = 16, kHeight = 8;

std::vector<uint8_t> gray(uint8_t value) {
  std::vector<uint8_t> rgba(size_t{kWidth} * kHeight * 4, value);
  for (size_t i = 3; i < rgba.size(); i += 4) rgba[i] = 255;
  return rgba;
}

/// The number of frames of a WebP file; 0 where it is none.
int frames_of_webp(const std::string& path) {
  const std::string bytes = test::read(path);
  const WebPData data{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  WebPMux* mux = WebPMuxCreate(&data, 0);
  int count = 0, loops = -1;
  WebPMuxAnimParams params;
  if (mux != nullptr && WebPMuxNumChunks(mux, WEBP_CHUNK_ANMF, &count) == WEBP_MUX_OK &&
      WebPMuxGetAnimationParams(mux, &params) == WEBP_MUX_OK)
    loops = params.loop_count;
  WebPMuxDelete(mux);
  EXPECT_EQ(loops, 0) << "for ever";
  return count;
}

TEST(Movie, WebpHasAllFramesAndPlaysForEver) {
  const Folder folder;
  const std::string path = folder.path("a.WEBP");
  EXPECT_TRUE(check_movie(path));
  auto movie = must(create_movie({path, kWidth, kHeight, 20, 5}));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(movie->add(gray(uint8_t(i * 60))));
  EXPECT_FALSE(std::filesystem::exists(path)) << "before it is complete";
  ASSERT_TRUE(movie->finish());
  EXPECT_EQ(frames_of_webp(path), 5);
}

// --- numbered PNG files in a folder: all of them are written, or nothing is left ---

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

Status write_frames(const std::string& path, size_t count, size_t added) {
  auto movie = create_movie({path, kWidth, kHeight, 20, count});
  if (!movie) return movie.error();
  for (size_t i = 0; i < added; ++i) {
    if (Status status = (*movie)->add(gray(uint8_t(i))); !status) return status;
  }
  return added == count ? (*movie)->finish() : Status();
}

TEST(PngFolder, IsCreatedAndHasEachFrameAndOtherFilesStay) {
  const Folder folder;
  test::write(folder.path("notes"), "x");
  test::write(folder.path("0002.png"), "old");
  for (const std::string path : {"out/", "."}) {
    ASSERT_TRUE(write_frames(folder.path(path), 3, 3));
    for (size_t i = 0; i < 3; ++i) {
      const test::Picture picture = test::read_png(folder.path(path + "/000" + std::to_string(i + 1) + ".png"));
      EXPECT_EQ(picture.width, int(kWidth));
      EXPECT_EQ(picture.rgba, gray(uint8_t(i)));
    }
  }
  EXPECT_THAT(names_in(folder.path("out")), ElementsAre("0001.png", "0002.png", "0003.png"));
  EXPECT_THAT(names_in(folder.path(".")), ElementsAre("0001.png", "0002.png", "0003.png", "notes", "out"));
  auto movie = create_movie({folder.path("many/"), kWidth, kHeight, 20, 10000});
  ASSERT_TRUE(movie && (*movie)->add(gray(0)) && (*movie)->finish());
  EXPECT_THAT(names_in(folder.path("many")), ElementsAre("00001.png")) << "as many digits as the last one";
}

TEST(PngFolder, IsRemovedIfItIsNotFinished) {
  const Folder folder;
  EXPECT_TRUE(write_frames(folder.path("new/"), 3, 2));
  EXPECT_FALSE(std::filesystem::exists(folder.path("new")));
  std::filesystem::create_directory(folder.path("old"));
  test::write(folder.path("old/notes"), "x");
  EXPECT_TRUE(write_frames(folder.path("old"), 3, 2));
  EXPECT_THAT(names_in(folder.path("old")), ElementsAre("notes"));
}

/// By a slash, or by a folder that is there. A check creates nothing.
TEST(PngFolder, ThatCannotBeCreatedIsAnError) {
  const Folder folder;
  test::write(folder.path("file"), "x");
  for (const std::string path : {"file/", "file/out/", "no/out/"}) {
    EXPECT_FALSE(check_folder_writable(folder.path(path))) << path;
    EXPECT_THAT(must_fail(write_frames(folder.path(path), 1, 1)).message, HasSubstr(folder.path(path)));
  }
  for (const char* path : {"out/", "out", "."}) EXPECT_TRUE(check_folder_writable(folder.path(path))) << path;
  EXPECT_THAT(folder.files(), ElementsAre("file"));
  EXPECT_TRUE(names_folder("out/") && names_folder(folder.path(".")));
  EXPECT_FALSE(names_folder(folder.path("file")) || names_folder(folder.path("none.png")) || names_folder(""));
}

/// The picture of a time is as bright as the time is late.
TEST(Recording, BlendsItsEndIntoWhatIsBeforeItsStart) {
  const Folder folder;
  const auto draw = [](double seconds) -> Result<std::vector<uint8_t>> {
    return gray(uint8_t(100 + std::lround(20 * seconds)));
  };
  ASSERT_TRUE(record({folder.path("frames/"), kWidth, kHeight, 10}, 4, 1, draw));
  const auto value = [&](int frame) {
    const std::string name = std::to_string(10000 + frame).substr(1);
    return int(test::read_png(folder.path("frames/" + name + ".png")).rgba[0]);
  };
  EXPECT_EQ(value(1), 120);
  EXPECT_EQ(value(36), 190) << "35 frames of a tenth of a second later";
  EXPECT_LT(value(40), value(37)) << "back to the start";
  EXPECT_NEAR(value(40), 0.2 * (100 + 20 * 4.9) + 0.8 * (100 + 20 * 0.9), 1.5);
  EXPECT_FALSE(std::filesystem::exists(folder.path("frames/0041.png")));
}

TEST(CameraOptions, ChangeOnlyWhatTheyName) {
  const Orbit before{{1, 2, 3}, 0.5f, 0.25f, 10};
  const Orbit same = changed(before, {});
  EXPECT_EQ(same.target, before.target);
  EXPECT_EQ(same.distance, before.distance);
  CameraOptions options;
  options.at = glm::vec3(0, 1, 0), options.distance = 20.0f, options.height = 11.0f, options.turn = 90.0f;
  options.fov = 30.0f;
  const Orbit moved = changed(before, options);
  EXPECT_NEAR(eye_of(moved).y, 11, 1e-4);
  EXPECT_NEAR(glm::distance(eye_of(moved), glm::vec3(0, 1, 0)), 20, 1e-4);
  EXPECT_NEAR(moved.yaw, 0.5 + 1.570796, 1e-4);
  const float wide = view_of(before, 100, 100).pixels_per_radian, narrow = view_of(moved, 100, 100).pixels_per_radian;
  EXPECT_GT(narrow, 1.3f * wide) << "a narrow field of view magnifies";
}

}  // namespace
}  // namespace sinew::app
