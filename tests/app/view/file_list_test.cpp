// The list of files that a user chooses from, and the files that were opened last.
#include "viewer/file_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cache_folder.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre, ::testing::HasSubstr, ::testing::IsEmpty;

class FileListTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"zebra", "Apes", ".hidden"}) std::filesystem::create_directory(folder_.path(name));
    for (const char* name : {"b.glb", "A.FBX", "c.sinew", "notes.txt", ".d.glb", "picture.png", "zebra/stripes.gltf"})
      test::write(folder_.path(name), "");
  }

  static std::vector<std::string> names(const FileList& list) {
    std::vector<std::string> names;
    for (const FileList::Entry* entry : list.shown()) names.push_back(entry->name);
    return names;
  }
  static size_t index_of(const FileList& list, const std::string& name) {
    const std::vector<std::string> all = names(list);
    return size_t(std::find(all.begin(), all.end(), name) - all.begin());
  }

  const test::CacheFolder cache_;
  const test::Folder folder_;
};

TEST_F(FileListTest, HasFoldersThenFilesThatCanBeLoaded) {
  EXPECT_THAT(names(FileList(folder_.path(""))), ElementsAre("..", "Apes", "zebra", "A.FBX", "b.glb", "c.sinew"));
}

TEST_F(FileListTest, TheFilterKeepsTheFolderAboveAndSelectsTheFirstMatch) {
  FileList list(folder_.path(""));
  list.set_filter("B");
  EXPECT_THAT(names(list), ElementsAre("..", "zebra", "A.FBX", "b.glb"));
  EXPECT_EQ(list.selected(), 1u);
  list.set_filter("nothing");
  EXPECT_THAT(names(list), ElementsAre(".."));
  EXPECT_EQ(list.selected(), 0u);
}

TEST_F(FileListTest, TheSelectionStaysInTheList) {
  FileList list(folder_.path(""));
  list.move_selection(-1);
  EXPECT_EQ(list.selected(), 0u);
  for (int i = 0; i < 20; ++i) list.move_selection(1);
  EXPECT_EQ(list.selected(), 5u);
  list.move_selection(-1);
  EXPECT_EQ(list.selected(), 4u);
}

TEST_F(FileListTest, GoesIntoFoldersAndUp) {
  FileList list(folder_.path(""));
  list.set_filter("zeb");
  EXPECT_FALSE(list.choose(index_of(list, "zebra")));
  EXPECT_EQ(list.folder(), folder_.path("zebra"));
  EXPECT_EQ(list.filter(), "");
  EXPECT_EQ(list.choose(index_of(list, "stripes.gltf")), folder_.path("zebra/stripes.gltf"));
  list.go_up();
  EXPECT_EQ(list.folder().string() + "/", folder_.path(""));
  EXPECT_FALSE(list.choose(0));
  EXPECT_EQ(list.folder(), std::filesystem::path(folder_.path("")).parent_path().parent_path());
  while (list.folder().has_relative_path()) list.go_up();
  list.go_up();
  EXPECT_EQ(list.folder(), "/");
}

TEST_F(FileListTest, AFolderThatCannotBeReadIsSaid) {
  EXPECT_EQ(FileList(folder_.path("none")).folder(), std::filesystem::current_path());
  FileList list(folder_.path(""));
  std::filesystem::remove_all(folder_.path("zebra"));
  EXPECT_FALSE(list.choose(index_of(list, "zebra")));
  EXPECT_THAT(list.problem(), HasSubstr("zebra"));
  EXPECT_EQ(list.folder().string() + "/", folder_.path(""));
  EXPECT_FALSE(list.choose(index_of(list, "b.glb")) == std::nullopt);
  EXPECT_EQ(list.problem(), "");
}

TEST_F(FileListTest, BeginsWithRecentFilesAndForgetsThoseThatAreGone) {
  add_recent_file(folder_.path("gone.glb"));
  add_recent_file(folder_.path("b.glb"));
  FileList list(folder_.path("zebra"));
  EXPECT_THAT(names(list), ElementsAre(folder_.path("b.glb"), folder_.path("gone.glb"), "..", "stripes.gltf"));
  EXPECT_EQ(list.choose(0), folder_.path("b.glb"));
  EXPECT_FALSE(list.choose(1));
  EXPECT_THAT(list.problem(), HasSubstr("gone.glb"));
  EXPECT_THAT(names(list), ElementsAre(folder_.path("b.glb"), "..", "stripes.gltf"));
  EXPECT_THAT(recent_files(), ElementsAre(folder_.path("b.glb")));
}

TEST_F(FileListTest, GivesNewNamesOnce) {
  FileList list(folder_.path("zebra"));
  EXPECT_THAT(list.take_new_names(), HasSubstr("stripes.gltf"));
  EXPECT_EQ(list.take_new_names(), "");
  list.go_up();
  EXPECT_THAT(list.take_new_names(), HasSubstr("b.glb"));
}

TEST(RecentFiles, AreTheLastTenOnceEach) {
  const test::CacheFolder cache;
  EXPECT_THAT(recent_files(), IsEmpty());
  for (int i = 0; i < 12; ++i) add_recent_file("/models/" + std::to_string(i) + ".glb");
  add_recent_file("/models/x/../7.glb");
  const std::vector<std::string> files = recent_files();
  ASSERT_EQ(files.size(), kMaxRecentFiles);
  EXPECT_EQ(files[0], "/models/7.glb");
  EXPECT_EQ(files[1], "/models/11.glb");
  EXPECT_EQ(std::count(files.begin(), files.end(), "/models/7.glb"), 1);
  forget_recent_file("/models/7.glb");
  EXPECT_EQ(recent_files().front(), "/models/11.glb");
}

TEST(RecentFiles, NameEachFileInOneWay) {
  const test::CacheFolder cache;
  add_recent_file("line\nbreak.glb");
  add_recent_file((std::filesystem::current_path() / "line\nbreak.glb").string());
  EXPECT_THAT(recent_files(), ElementsAre((std::filesystem::current_path() / "line\nbreak.glb").string()));
}

TEST(RecentFiles, ADamagedListIsEmpty) {
  const test::CacheFolder cache;
  add_recent_file("/models/a.glb");
  const std::string path = cache.path("recent-files"), whole = test::read(path);
  test::write(path, whole.substr(0, whole.size() - 3));
  EXPECT_THAT(recent_files(), IsEmpty());
  add_recent_file("/models/b.glb");
  EXPECT_THAT(recent_files(), ElementsAre("/models/b.glb"));
}

TEST(RecentFiles, NeedNoFolder) {
  const test::CacheFolder cache;
  setenv("XDG_CACHE_HOME", "/proc/no/such/folder", 1);
  add_recent_file("/models/a.glb");
  EXPECT_THAT(recent_files(), IsEmpty());
}

}  // namespace
}  // namespace sinew::app
