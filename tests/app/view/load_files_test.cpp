// Files of the viewer: which are characters and which give them clips, and what the window calls them.
#include "viewer/opened_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child.h"
#include "tools/character_info.h"
#include "viewer/panels.h"

namespace sinew::app {
namespace {

using ::testing::AllOf, ::testing::ElementsAre, ::testing::HasSubstr, ::testing::IsEmpty;

const std::string kClips = SINEW_SOURCE_DIR "/assets/extra_clips.glb";

ViewOptions options_of(std::vector<std::string> files) {
  ViewOptions options;
  options.files = std::move(files);
  options.screenshot = "none.png";  // without levels of detail
  return options;
}

size_t clip_count(FileLoading& loading) {
  const std::vector<Model> models = must(loading.take());
  return models.size() == 1 ? models.front().character.clips.size() : 0;
}

/// To the other files, or without one to the characters that are shown.
TEST(FileLoading, FilesWithoutAMeshGiveTheirClips) {
  const ViewOptions present = options_of({test::kCharacter});
  FileLoading alone(present), both(options_of({kClips, test::kCharacter})), clips(options_of({kClips}), &present);
  const size_t own = clip_count(alone), all = clip_count(both);
  EXPECT_GT(all, own);
  EXPECT_EQ(clip_count(clips), all);
  for (const FileLoading* loading : {&both, &clips}) {
    EXPECT_THAT(loading->options().files, ElementsAre(test::kCharacter));
    EXPECT_THAT(loading->options().load.import.animation_files, ElementsAre(kClips));
  }
}

TEST(FileLoading, ClipsWithoutACharacterAreRefused) {
  for (const std::vector<std::string>& files : {std::vector{kClips}, std::vector{kClips, kClips}}) {
    FileLoading loading(options_of(files));
    EXPECT_THAT(must_fail(loading.take()).message, AllOf(HasSubstr("extra_clips.glb"), HasSubstr("no mesh")));
  }
}

TEST(FileLoading, AFileThatIsMissingIsNamed) {
  const ViewOptions present = options_of({test::kCharacter});
  FileLoading loading(options_of({"missing.glb"}), &present);
  EXPECT_THAT(must_fail(loading.take()).message, HasSubstr("missing.glb"));
}

TEST(FileLoading, WhatIsForTheFirstFilesIsNotForOthers) {
  ViewOptions options = options_of({test::kCharacter});
  options.clip = "walk", options.joint = "head", options.time_seconds = 1, options.zoom = 2;
  options.layers.emplace_back();
  options.load.import.animation_files = {kClips};
  options.load.import.max_influences = 4;
  const ViewOptions other = options_for(options, {"other.glb"});
  EXPECT_THAT(other.files, ElementsAre("other.glb"));
  EXPECT_FALSE(other.clip || other.joint || other.time_seconds);
  EXPECT_TRUE(other.layers.empty() && other.load.import.animation_files.empty());
  EXPECT_EQ(other.zoom, 1);
  EXPECT_EQ(other.load.import.max_influences, 4u);
}

TEST(WindowTitle, NamesFilesWithoutFoldersAndEndsLongLists) {
  EXPECT_EQ(window_title(std::vector<std::string>{"/models/knight.glb"}), "knight.glb - Sinew");
  EXPECT_EQ(window_title(std::vector<std::string>{"knight.glb", "a/horse.fbx"}), "knight.glb, horse.fbx - Sinew");
  EXPECT_EQ(window_title(std::vector<std::string>{"line\nbreak.glb"}), "line?break.glb - Sinew");
  std::string letters;
  for (int i = 0; i < 60; ++i) letters += "\u6B69";  // three bytes each
  const std::string title = window_title(std::vector<std::string>{letters});
  EXPECT_EQ(title, letters.substr(0, 78) + "... - Sinew");
}

TEST(ImportGroups, AreOfWhatHappened) {
  ImportReport report;
  EXPECT_THAT(import_groups(report), IsEmpty());
  EXPECT_EQ(import_title(report), "Import");
  report.computed_normals = 16, report.limited_vertices = 2, report.largest_lost_weight = 0.25;
  report.normalized_vertices = 1, report.warnings = {"1 channel without a mesh to move"}, report.curve_keys = 9;
  std::vector<std::string> lines;
  for (const ImportGroup& group : import_groups(report)) {
    for (const std::string& item : group.items) lines.push_back(std::string(group.name) + ": " + item);
  }
  EXPECT_THAT(lines,
              ElementsAre("Lost: 2 vertices lost influences", "Lost: at most 25.00 % of a vertex's weight was lost",
                          "Warnings: 1 channel without a mesh to move",
                          "Repaired: 1 vertices whose weights did not add to 1 were normalized",
                          "Computed: 16 normals were computed", HasSubstr("Facts: curves: 9 keys")));
  EXPECT_EQ(import_title(report), "Import (5)");
}

}  // namespace
}  // namespace sinew::app
