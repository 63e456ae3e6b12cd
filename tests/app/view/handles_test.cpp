// Handles of limbs in the viewer, and the markers of its time line.
#include <gtest/gtest.h>

#include "view/viewer_fixture.h"

namespace sinew::app {
namespace {

class Handles : public test::ViewerFixture {
 protected:
  void SetUp() override {
    open();
    viewer_->frame_selected();
    viewer_->camera.yaw = 0.4f, viewer_->camera.pitch = 0.1f;
    hand_ = *find_joint(viewer_->model().character.skeleton, "hand_l");
  }

  View view() const { return view_of(viewer_->camera, 640, 480); }
  Vec2 in_picture(uint32_t joint) const { return *to_picture(view(), joint_position(viewer_->posed(0), joint)); }
  std::optional<uint32_t> at_hand() const {
    const Vec2 at = in_picture(hand_);
    return viewer_->handle_at(view(), at.x + 3, at.y - 2, 10);
  }

  uint32_t hand_ = 0;
};

TEST_F(Handles, AreAtHandsAndFeet) {
  const auto chain = must(at_hand());
  EXPECT_EQ(viewer_->model().chains[chain].name, "left arm");
  const Vec2 foot = in_picture(*find_joint(viewer_->model().character.skeleton, "foot_r"));
  EXPECT_EQ(viewer_->model().chains[*viewer_->handle_at(view(), foot.x, foot.y, 10)].name, "right leg");
  const Vec2 head = in_picture(*find_joint(viewer_->model().character.skeleton, "head"));
  EXPECT_FALSE(viewer_->handle_at(view(), head.x, head.y - 60, 10)) << "a head is aimed, not dragged";
  const size_t before = viewer_->lines().through.size();
  viewer_->shown.handles = true;
  EXPECT_EQ(viewer_->lines().through.size(), before + 4);
}

/// The hand follows the mouse, pixel by pixel, while it is within reach; then it stays while the clip plays on.
TEST_F(Handles, AHandFollowsTheMouseAndStays) {
  const uint32_t chain = *at_hand();
  const Vec2 from = in_picture(hand_);
  for (int step = 0; step < 10; ++step) viewer_->drag_handle(view(), chain, 2, -3);
  Vec2 to = in_picture(hand_);
  EXPECT_NEAR(to.x, from.x + 20, 1.5f);
  EXPECT_NEAR(to.y, from.y - 30, 1.5f);
  const Vec3 placed = joint_position(viewer_->posed(0), hand_);
  viewer_->advance(0.7);
  EXPECT_LT(length(joint_position(viewer_->posed(0), hand_) - placed), 0.01f);
  ASSERT_EQ(viewer_->scene().targets.size(), 1u);
  EXPECT_EQ(viewer_->scene().targets[0].chain, chain);
  const uint32_t foot = *find_joint(viewer_->model().character.skeleton, "foot_l");
  const Playback played = viewer_->scene().playbacks[0];
  const PoseData free = pose_data(viewer_->model(), played);
  EXPECT_EQ(free.model_from_joint[foot].m[1][3], viewer_->pose(0).model_from_joint[foot].m[1][3])
      << "others do not move";

  viewer_->let_go_of_limbs();
  EXPECT_TRUE(viewer_->scene().targets.empty());
  EXPECT_EQ(free.model_from_joint[hand_].m[1][3], viewer_->pose(0).model_from_joint[hand_].m[1][3]);
}

TEST_F(Handles, OutOfReachTheLimbIsStretchedTowardsTheMouse) {
  const uint32_t chain = *at_hand();
  viewer_->drag_handle(view(), chain, 0, -2000);
  const uint32_t elbow = *find_joint(viewer_->model().character.skeleton, "forearm_l");
  const uint32_t shoulder = *find_joint(viewer_->model().character.skeleton, "upper_arm_l");
  const auto at = [&](uint32_t joint) { return joint_position(viewer_->posed(0), joint); };
  EXPECT_GT(dot(normalize(at(hand_) - at(elbow)), normalize(at(elbow) - at(shoulder))), 0.9f);
  EXPECT_TRUE(is_finite(at(hand_)));
}

TEST_F(Handles, ClipsWithoutMarkersShowTheirFootsteps) {
  for (uint32_t clip = 0; clip < viewer_->playing().clip_count(); ++clip) {
    viewer_->choose_clip(clip);
    const std::string& name = viewer_->model().character.clips[clip].name;
    if (name != "walk" && name != "idle") continue;
    EXPECT_EQ(viewer_->markers().size(), name == "walk" ? 4u : 0u) << name;
  }
}

TEST(Markers, TheNearestWithinReachIsFound) {
  const std::vector<Marker> markers = {{0.1f, "a"}, {0.5f, "b"}, {0.6f, "c"}};
  EXPECT_EQ(marker_at(markers, 0.52f, 0.1f)->name, "b");
  EXPECT_EQ(marker_at(markers, 0.57f, 0.1f)->name, "c");
  EXPECT_EQ(marker_at(markers, 0.3f, 0.1f), nullptr);
  EXPECT_EQ(marker_at({}, 0.3f, 10), nullptr);
}

}  // namespace
}  // namespace sinew::app
