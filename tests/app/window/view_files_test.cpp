// Files that are opened while `sinew view` runs: dropped, chosen from its list, and what the window says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "import/gltf_file.h"
#include "window/desktop.h"
#include "window/drop.h"

namespace sinew::test {
namespace {

using ::testing::HasSubstr, ::testing::Not;

class ViewFiles : public Desktop {
 protected:
  void SetUp() override {
    display_["XDG_CACHE_HOME"] = folder_.path("cache");
    Desktop::SetUp();
  }

  void open_view(const std::string& size = "800x600") {
    open({"view", kCharacter, "--size", size, "--clip", "walk", "--speed", "0", "--validate"});
  }

  /// A small model beside the test's other files.
  std::string small_model(const std::string& name) {
    GltfFile file = two_joints();
    file.add_channel(1, "translation", {0, 1}, {0, 0, 0, 0, 1, 0});
    file.json["animations"][0]["name"] = "nod";
    file.json["buffers"] = {{{"byteLength", file.buffer.size()}}};
    write(folder_.path(name), file.binary());
    return folder_.path(name);
  }

  std::string title() { return run({"xdotool", "search", "--name", " - Sinew$", "getwindowname"}, display_).out; }
  void expect_title(const std::string& wanted) {
    EXPECT_TRUE(eventually(60, [&] { return title() == wanted + "\n"; })) << title();
  }
  void drop(const std::vector<std::string>& paths) { EXPECT_TRUE(drop_files(display_["DISPLAY"], paths)); }

  std::string errors() { return without_warnings(read(folder_.path("sinew.err"))); }

  void close_without_messages() {
    close();
    EXPECT_THAT(read(folder_.path("sinew.out")), HasSubstr("0 validation messages"));
  }
};

#define SINEW_SKIP_WITHOUT_DROPS() \
  if (!can_drop()) GTEST_SKIP() << "NO X11 (libx11-dev): nothing was dropped on the window here"

TEST_F(ViewFiles, ADroppedFileIsShownAndNamedInTheTitle) {
  SINEW_SKIP_WITHOUT_DROPS();
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  expect_title("character.glb - Sinew");
  const Picture before = still_screen();
  drop({small_model("two joints.glb")});
  expect_title("two joints.glb - Sinew");
  EXPECT_TRUE(eventually(20, [&] { return difference(before, screen()).share > 0.05; }));
  EXPECT_FALSE(has_control("loading"));
  close_without_messages();
}

TEST_F(ViewFiles, AFileThatCannotBeLoadedLeavesTheCharacter) {
  SINEW_SKIP_WITHOUT_DROPS();
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  control("time line");  // after ground and sky
  wait_for_mouse();
  const Picture before = still_screen();
  write(folder_.path("broken.glb"), "glTF, but not really");
  drop({folder_.path("broken.glb")});
  control("message");
  EXPECT_THAT(errors(), HasSubstr("broken.glb"));
  EXPECT_EQ(std::ranges::count(errors(), '\n'), 1) << errors();
  expect_title("character.glb - Sinew");
  constexpr Area kMiddle{275, 200, 525, 520};  // below the message
  EXPECT_LT(difference(cut(before, kMiddle), cut(still_screen(), kMiddle)).share, 0.0005);
  drop({small_model("good.glb")});
  expect_title("good.glb - Sinew");
  press({"Escape"});
  EXPECT_TRUE(eventually(60, [&] { return !program_->running(); }));
  EXPECT_EQ(program_->exit_code(), 0);
}

TEST_F(ViewFiles, TheListOpensFilesAndKnowsTheLastOnes) {
  small_model("alpha.glb"), small_model("beta.glb");
  write(folder_.path("notes.txt"), "not a character");
  open({"view", folder_.path("alpha.glb"), "--size", "800x600", "--validate"});
  if (IsSkipped() || HasFatalFailure()) return;
  press({"ctrl+o"});
  control("file beta.glb");
  control("file " + folder_.path("alpha.glb"));
  EXPECT_FALSE(has_control("file notes.txt"));
  press({"Escape"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("file filter"); })) << "Escape does not close the list";
  click("open");
  control("file beta.glb");
  wait_for_mouse();
  press({"b", "e", "t"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("file ../") && !has_control("file alpha.glb"); }));
  press({"Return"});
  expect_title("beta.glb - Sinew");
  press({"ctrl+o"});
  control("file " + folder_.path("beta.glb"));
  press({"BackSpace"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("file beta.glb"); })) << "the folder above has none";
  press({"Escape"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("file filter"); }));
  close_without_messages();
}

TEST_F(ViewFiles, ALastFileThatIsGoneLeavesTheList) {
  const std::string gone = small_model("gone.glb");
  open({"view", gone, "--size", "800x600"});
  if (IsSkipped() || HasFatalFailure()) return;
  wait_for_mouse();
  std::filesystem::remove(gone);
  press({"ctrl+o"});
  control("file " + gone);
  press({"Return"});
  control("problem");
  EXPECT_TRUE(eventually(20, [&] { return !has_control("file " + gone); }));
  press({"Escape"});
  close();
}

TEST_F(ViewFiles, HelpOpensAndCloses) {
  open_view();
  if (IsSkipped() || HasFatalFailure()) return;
  for (const char* key : {"F1", "question"}) {
    press({key});
    control("help");
    press({key});
    EXPECT_TRUE(eventually(20, [&] { return !has_control("help"); })) << key;
  }
  click("Help");
  control("help");
  press({"Escape"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("help"); })) << "Escape closes the help first";
  EXPECT_TRUE(program_->running());
  close_without_messages();
}

TEST_F(ViewFiles, PanelsOfASmallWindowAreTitles) {
  open_view("640x420");
  if (IsSkipped() || HasFatalFailure()) return;
  control("panel Playing"), control("panel View");
  EXPECT_FALSE(has_control("bones"));
  const Picture with = still_screen();
  press({"h"});
  EXPECT_TRUE(eventually(20, [&] { return !has_control("panel View"); }));
  const Picture without = still_screen();
  constexpr Area kWholeWindow{0, 0, 640, 420};
  EXPECT_LT(difference(cut(with, kWholeWindow), cut(without, kWholeWindow)).share, 0.4) << "they cover the character";
  press({"h"});
  const Area title = control("panel View");
  drag(title.left + 10, (title.top + title.bottom) / 2, 0, 0);
  control("bones");
  close_without_messages();
}

TEST_F(ViewFiles, TheImportPanelSaysWhatWasComputed) {
  open({"view", small_model("model.glb"), "--size", "800x600"});
  if (IsSkipped() || HasFatalFailure()) return;
  click("tab Import");
  control("import item");
  control("Computed");
  close();
}

}  // namespace
}  // namespace sinew::test
