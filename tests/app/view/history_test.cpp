// Undo and redo, of a number and of the viewer's settings.
#include "viewer/settings.h"

#include <gtest/gtest.h>

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

/// Panels and keys set the others: view_panels_test.cpp.
TEST_F(ViewerHistory, ADraggedHandIsUndoneAndRedone) {
  viewer_->drag_handle(view_of(viewer_->camera, 640, 480), 2, 30, 10);
  const Settings dragged = viewer_->settings();
  viewer_->end_change();
  viewer_->let_go_of_limbs();
  viewer_->undo();
  EXPECT_TRUE(viewer_->settings() == dragged);
  viewer_->undo();
  EXPECT_TRUE(viewer_->held(0).empty());
  viewer_->redo();
  EXPECT_TRUE(viewer_->settings() == dragged);
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
