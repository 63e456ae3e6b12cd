// Undo and redo, of a number and of the viewer's settings.
#include "viewer/settings.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "view/viewer_fixture.h"

namespace sinew::app {
namespace {

TEST(History, GoesBackAndForthThroughChanges) {
  History<int> history(1);
  EXPECT_EQ(history.undo(), nullptr);
  for (int state : {1, 2, 2, 3}) history.add(state);
  EXPECT_EQ(*history.undo(), 2);
  EXPECT_EQ(*history.undo(), 1);
  EXPECT_EQ(history.undo(), nullptr);
  EXPECT_EQ(*history.redo(), 2);
  history.add(2);
  EXPECT_EQ(*history.redo(), 3) << "no change forgets nothing";
  EXPECT_EQ(history.redo(), nullptr);
  EXPECT_EQ(*history.undo(), 2);
  history.add(7);
  EXPECT_EQ(history.redo(), nullptr) << "a change forgets what was undone";
  EXPECT_EQ(*history.undo(), 2);
}

TEST(History, ForgetsTheOldest) {
  History<int> history(0, 3);
  for (int state = 1; state <= 10; ++state) history.add(state);
  for (const int state : {9, 8, 7}) EXPECT_EQ(*history.undo(), state);
  EXPECT_EQ(history.undo(), nullptr);
}

class ViewerHistory : public test::ViewerFixture {
 protected:
  void SetUp() override {
    open();
    ASSERT_TRUE(viewer_);
    viewer_->end_change();
  }
};

/// What was switched while the files were loaded counts, and a list that is open stays open.
TEST_F(ViewerHistory, WhatIsSetForTheWindowOutlivesALoad) {
  viewer_->shown.bones = true, viewer_->shown.selected_joint = 3, viewer_->fade_seconds = 0.75f;
  viewer_->show_file_list();
  Viewer next({viewer_->model()});
  next.take_over(*viewer_);
  EXPECT_TRUE(next.shown.bones);
  EXPECT_EQ(next.shown.selected_joint, kNoJoint) << "it was one of the other character";
  EXPECT_EQ(next.fade_seconds, 0.75f);
  EXPECT_TRUE(next.file_list);
}

/// Each with what it does.
TEST_F(ViewerHistory, EachSettingIsUndoneAndRedone) {
  using V = Viewer;
  const std::pair<const char*, void (*)(V&)> kChanges[] = {
      {"clip", [](V& v) { v.choose_clip(3); }},
      {"speed", [](V& v) { v.playing().time_line().speed = -0.5f; }},
      {"repeat", [](V& v) { set_looping(v.playing().time_line(), Looping::kPingPong); }},
      {"range", [](V& v) { set_range(v.playing().time_line(), 0.1f, 0.4f); }},
      {"root motion", [](V& v) { v.set_root_motion(RootMotion::kApplied); }},
      {"blend", [](V& v) { v.blend_with(4); }},
      {"its weight", [](V& v) { v.playing().blend()->weight = 0.8f; }},
      {"layer", [](V& v) { v.add_layer(5); }},
      {"its mode", [](V& v) { v.playing().layers()[1].mode = LayerMode::kAdditive; }},
      {"dropped layer", [](V& v) { v.drop_layer(0); }},
      {"morph weight", [](V& v) { v.set_weight(1, 0.7f); }},
      {"dragged hand", [](V& v) { v.drag_handle(view_of(v.camera, 640, 480), 2, 30, 10); }},
      {"hand that is let go of", [](V& v) { v.let_go_of_limbs(); }},
      {"bones", [](V& v) { v.shown.bones = true; }},
      {"colors", [](V& v) { v.shown.colors = DataColors::kInfluences; }},
      {"selected joint", [](V& v) { v.shown.selected_joint = 7; }},
      {"fade", [](V& v) { v.fade_seconds = 1; }},
  };
  std::vector<Settings> states = {viewer_->settings()};
  for (const auto& [what, change] : kChanges) {
    change(*viewer_);
    EXPECT_EQ(viewer_->message, "") << what;
    EXPECT_FALSE(viewer_->settings() == states.back()) << what;
    states.push_back(viewer_->settings());
    viewer_->advance(0.05);
    EXPECT_TRUE(viewer_->settings() == states.back()) << what << ": time is no change";
    viewer_->end_change();
  }
  for (size_t i = states.size() - 1; i-- > 0;) {
    viewer_->undo();
    EXPECT_TRUE(viewer_->settings() == states[i]) << kChanges[i].first;
  }
  viewer_->undo();
  EXPECT_EQ(viewer_->message, "nothing to undo");
  for (size_t i = 1; i < states.size(); ++i) {
    viewer_->redo();
    EXPECT_TRUE(viewer_->settings() == states[i]) << kChanges[i - 1].first;
  }
  viewer_->redo();
  EXPECT_EQ(viewer_->message, "nothing to redo");
}

TEST_F(ViewerHistory, ADragIsOneChange) {
  for (int i = 0; i < 20; ++i) viewer_->set_weight(0, float(i) / 20);
  viewer_->end_change();
  viewer_->undo();
  EXPECT_FALSE(viewer_->weight_overrides()[0]);
}

TEST_F(ViewerHistory, AChangeThatHasNotEndedIsUndoneToo) {
  viewer_->shown.bones = true;
  viewer_->undo();
  EXPECT_FALSE(viewer_->shown.bones);
}

TEST_F(ViewerHistory, AClipIsAgainWhereItWas) {
  TimeLine& line = viewer_->playing().time_line();
  line.playing = false;
  seek(line, 0.9f);
  viewer_->end_change();
  viewer_->choose_clip(2);
  viewer_->end_change();
  viewer_->undo();
  EXPECT_FLOAT_EQ(clip_seconds(viewer_->playing().time_line()), 0.9f);
  seek(viewer_->playing().time_line(), 0.3f);
  viewer_->shown.bones = true;
  viewer_->undo();
  EXPECT_FLOAT_EQ(clip_seconds(viewer_->playing().time_line()), 0.3f) << "other changes leave time alone";
}

TEST_F(ViewerHistory, TheCameraStaysWhereItIsLooking) {
  viewer_->camera.yaw = 1.5f, viewer_->camera.distance = 7;
  viewer_->set_level(1);
  viewer_->end_change();
  viewer_->undo();
  EXPECT_EQ(viewer_->shown.level, 0u);
  EXPECT_EQ(viewer_->camera.distance, 7);
}

}  // namespace
}  // namespace sinew::app
