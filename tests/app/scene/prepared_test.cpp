// Characters that the build has prepared: equal to what the program makes of their sources, and left out where they are
// damaged or of other sources.
#include "scene/prepared.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "child.h"
#include "sinew/runtime/thread_pool.h"

namespace sinew::app {
namespace {

using sinew::test::Folder, test::read, test::write;

const std::string kAssets = SINEW_SOURCE_DIR "/assets/";

LoadOptions options_with(const std::vector<std::string>& clips = {}) {
  LoadOptions options;
  options.import.normal_map_tangents = true;
  options.import.animation_files = clips;
  return options;
}

std::vector<std::byte> bytes_of(const CharacterFile& file) {
  auto bytes = encode_character(file);
  return bytes ? std::move(*bytes) : std::vector<std::byte>();
}

/// Skips where the build prepares nothing, as with sanitizers.
class Prepared : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SINEW_BUILD_DIR "/prepared"))
      GTEST_SKIP() << "SKIPPED: this build prepares no characters";
    unsetenv("SINEW_CACHE");
  }
  /// A folder with a program and a prepared file in `below`.
  std::string place(const std::string& below, const std::string& bytes) {
    std::filesystem::create_directories(folder_.path("bin"));
    std::filesystem::create_directories(folder_.path(below));
    write(folder_.path(below + "/" + name_), bytes);
    return folder_.path("bin");
  }

  Folder folder_;
  const std::string character_ = kAssets + "character.glb";
  const std::string name_ = prepared_name(character_, options_with());
  const std::string built_ = read(SINEW_BUILD_DIR "/prepared/" + name_);
};

void expect_equal_to_made(const std::string& path, const LoadOptions& options) {
  const auto prepared = must(read_prepared(SINEW_BUILD_DIR, path, options));
  setenv("SINEW_CACHE", "off", 1);
  sinew::ThreadPool pool;
  const auto made = prepare(path, options, pool.parallel_for());
  unsetenv("SINEW_CACHE");
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->levels.empty());
  EXPECT_TRUE(made->baked && made->bounds);
  EXPECT_TRUE(bytes_of(prepared) == bytes_of(*made)) << path;
}

TEST_F(Prepared, IsWhatTheSourceGives) { expect_equal_to_made(character_, options_with()); }

TEST_F(Prepared, EachIsWhatItsSourcesGive) {
  expect_equal_to_made(character_, options_with({kAssets + "extra_clips.glb"}));
  expect_equal_to_made(kAssets + "looks/farmer.glb", options_with({kAssets + "extra_clips.glb"}));
  expect_equal_to_made(kAssets + "looks/merchant.glb", options_with({kAssets + "extra_clips.glb"}));
  expect_equal_to_made(kAssets + "looks/swordsman.glb", options_with());
}

TEST_F(Prepared, IsFoundBesideTheProgramAndInAnInstallation) {
  EXPECT_FALSE(read_prepared(folder_.path("bin"), character_, options_with()));
  EXPECT_TRUE(read_prepared(place("bin/prepared", built_), character_, options_with()));
  std::filesystem::remove_all(folder_.path("bin/prepared"));
  EXPECT_TRUE(read_prepared(place("share/sinew/prepared", built_), character_, options_with()));
}

TEST_F(Prepared, IsLeftOutWhereItIsDamaged) {
  std::string damaged = built_;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_FALSE(read_prepared(place("bin/prepared", damaged), character_, options_with()));
  EXPECT_FALSE(read_prepared(place("bin/prepared", built_.substr(0, built_.size() / 2)), character_, options_with()));
  EXPECT_FALSE(read_prepared(place("bin/prepared", ""), character_, options_with()));
  EXPECT_TRUE(read_prepared(place("share/sinew/prepared", built_), character_, options_with())) << "the next place";
}

TEST_F(Prepared, IsLeftOutWhereTheSourceHasChanged) {
  const std::string program = place("bin/prepared", built_);
  const std::string copy = folder_.path("character.glb");
  write(copy, read(character_));
  EXPECT_TRUE(read_prepared(program, copy, options_with())) << "the content counts, not the place";
  write(copy, read(character_) + " ");
  EXPECT_FALSE(read_prepared(program, copy, options_with()));
  EXPECT_FALSE(read_prepared(program, character_, options_with({kAssets + "extra_clips.glb"})));
}

TEST_F(Prepared, IsLeftOutWhereOptionsChangeIt) {
  const std::string program = place("bin/prepared", built_);
  LoadOptions blended = options_with(), fewer = options_with(), tangents = options_with();
  blended.blend = Blend::kDualQuaternion;
  fewer.import.max_influences = 1;
  tangents.import.tangents = true;
  for (const LoadOptions& options : {blended, fewer, tangents})
    EXPECT_FALSE(read_prepared(program, character_, options));
  setenv("SINEW_CACHE", "off", 1);
  EXPECT_FALSE(read_prepared(program, character_, options_with()));
  unsetenv("SINEW_CACHE");
}

}  // namespace
}  // namespace sinew::app
