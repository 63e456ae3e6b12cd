// The viewer without a picture: its list of clips, words of --show, numbers that are typed, and what actions do to its
// characters.
#include "viewer/viewer.h"

#include "scene/names.h"
#include "viewer/drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "view/viewer_fixture.h"

namespace sinew::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Clip> clips_of(std::vector<std::string> names) {
  std::vector<Clip> clips;
  for (std::string& name : names) clips.emplace_back().name = std::move(name);
  return clips;
}

TEST(ClipFilter, LeavesTheClipsWhoseNamesContainIt) {
  const auto clips = clips_of({"Walk", "Run", "walk_back", "Sidewalk", "idle"});
  EXPECT_THAT(filtered_clips(clips, "walk"), ElementsAre(0, 2, 3));
  EXPECT_THAT(filtered_clips(clips, "WALK_"), ElementsAre(2));
  EXPECT_THAT(filtered_clips(clips, ""), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(filtered_clips(clips, "xyz"), IsEmpty());
  EXPECT_THAT(filtered_clips({}, ""), IsEmpty());
}

TEST(ClipFilter, NeighborsAreThoseOfTheFilter) {
  const uint32_t left[] = {2, 5, 9};
  EXPECT_EQ(neighbor(left, 5, 1), 9u);
  EXPECT_EQ(neighbor(left, 5, -1), 2u);
  EXPECT_EQ(neighbor(left, 9, 1), 2u) << "after the last comes the first";
  EXPECT_EQ(neighbor(left, 2, -1), 9u);
  EXPECT_EQ(neighbor(left, 6, 1), 9u) << "of a clip that the filter hides";
  EXPECT_EQ(neighbor(left, 6, -1), 5u);
  EXPECT_EQ(neighbor(left, 0, -1), 9u);
  EXPECT_EQ(neighbor(left, 20, 1), 2u);
}

TEST(ClipFilter, TheSharedFrontEndsAtABar) {
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Rig|Wave"})), 4u);
  EXPECT_EQ(shared_front(clips_of({"Rig|a|Walk", "Rig|a|Idle"})), 6u);
  EXPECT_EQ(shared_front(clips_of({"Walk", "Wave"})), 0u) << "letters that two names share by chance";
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Idle"})), 0u);
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk", "Rig|Walk"})), 4u);
  EXPECT_EQ(shared_front(clips_of({"Rig|Walk"})), 0u) << "one name";
  EXPECT_EQ(shared_front({}), 0u);
}

TEST(Shown, EachWordTurnsOnOneThing) {
  std::istringstream words{show_words()};
  std::set<std::pair<uint32_t, DataColors>> all;
  for (std::string word; std::getline(words >> std::ws, word, ',');) {
    Shown shown;
    EXPECT_TRUE(show(shown, word)) << word;
    uint32_t flags = 0;
    for (const ShownSwitch& each : kShownSwitches) flags = flags * 2 + (shown.*each.flag);
    EXPECT_EQ(std::popcount(flags) + (shown.colors != DataColors::kMaterials), 1) << word;
    EXPECT_TRUE(all.insert({flags, shown.colors}).second) << word;
  }
  EXPECT_EQ(all.size(), 13u);
  Shown shown;
  EXPECT_FALSE(show(shown, "bone"));
  EXPECT_FALSE(show(shown, ""));
}

TEST(UpperBodyJoint, IsTheFirstThatIsNamedSo) {
  Skeleton skeleton;
  const auto first_of = [&](std::vector<std::string> names) {
    skeleton.joint_names = std::move(names);
    skeleton.parents.assign(skeleton.joint_names.size(), kNoJoint);
    return upper_body_joint(skeleton);
  };
  EXPECT_EQ(first_of({"Hips", "mixamorig:Spine", "mixamorig:Spine1"}), 1);
  EXPECT_EQ(first_of({"root", "pelvis", "UpperBody", "chest"}), 2);
  EXPECT_EQ(first_of({"root", "porcupine", "leg"}), kNoJoint);
}

class ViewerTest : public test::ViewerFixture {
 protected:
  void SetUp() override {
    open(60);
    viewer_->fade_seconds = 0;
  }

  size_t lines_through() { return viewer_->lines().through.size(); }
  size_t lines_tested() { return viewer_->lines().tested.size(); }

  /// Goes to another pose, and expects that lines go too: both ends, as normals turn.
  void expect_lines_move() {
    const Lines before = viewer_->lines();
    seek(viewer_->playing().time_line(), clip_seconds(viewer_->playing().time_line()) + 0.2f);
    viewer_->update();
    const Lines after = viewer_->lines();
    ASSERT_EQ(before.tested.size(), after.tested.size());
    size_t moved = 0, turned = 0;
    for (size_t i = 0; i < before.tested.size(); ++i) {
      const Line &a = before.tested[i], &b = after.tested[i];
      moved += !std::equal(a.from, a.from + 3, b.from);
      for (int k = 0; k < 3; ++k) turned += std::abs((a.to[k] - a.from[k]) - (b.to[k] - b.from[k])) > 1e-4f;
    }
    EXPECT_GT(moved, before.tested.size() / 2);
    EXPECT_GT(turned, before.tested.size() / 4);
  }
};

TEST_F(ViewerTest, ALevelAtItsOwnSizeIsWhereACrowdBeginsToDrawIt) {
  for (const float error : {0.02f, 0.1f}) {  // model units, which are meters
    ModelLevel level;
    level.mesh = viewer_->model().character.mesh, level.error = error;
    viewer_->models()[0].levels.push_back(level);
  }
  const auto pixels_of_error = [&](float error) {
    return double(error * view_of(viewer_->camera, 1600, 900).pixels_per_radian / viewer_->camera.distance);
  };
  viewer_->picture_height = 900, viewer_->free_aspect = 1.2f;
  viewer_->frame_selected();
  const float framed = viewer_->camera.distance;
  viewer_->set_level(1);
  EXPECT_EQ(viewer_->camera.distance, framed) << "enlarged";
  viewer_->set_own_size(true);
  EXPECT_NEAR(pixels_of_error(0.02f), 0.9, 1e-3);
  viewer_->set_level(2);
  EXPECT_NEAR(pixels_of_error(0.1f), 0.9, 1e-3) << "it follows the level";
  const std::optional<Inset> inset = inset_of(*viewer_, {1600, 900});
  ASSERT_TRUE(inset);
  EXPECT_EQ(inset->to.extent.width % inset->from.extent.width, 0u);
  EXPECT_LE(inset->to.offset.x + int32_t(inset->to.extent.width), inset->from.offset.x) << "they do not overlap";
  viewer_->set_level(0);
  EXPECT_EQ(viewer_->camera.distance, framed) << "the finest level has no size of its own";
  EXPECT_FALSE(inset_of(*viewer_, {1600, 900})) << "it is as large as the picture";
  viewer_->set_level(2);
  viewer_->frame_selected();
  EXPECT_FALSE(viewer_->shown.own_size);
  viewer_->models()[0].levels.clear();
}

TEST_F(ViewerTest, ALayerIsForTheSelectedJointOrTheUpperBody) {
  const Skeleton& skeleton = viewer_->model().character.skeleton;
  viewer_->add_layer(0);
  viewer_->shown.selected_joint = int32_t(*find_joint(skeleton, "head"));
  viewer_->add_layer(1);
  const auto layers = viewer_->playing().layers();
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].joint, upper_body_joint(skeleton));
  EXPECT_NE(layers[0].joint, kNoJoint);
  EXPECT_EQ(layers[1].joint, viewer_->shown.selected_joint);
  EXPECT_EQ(viewer_->message.text(), "");
}

TEST_F(ViewerTest, SaysWhyALayerOrAClipIsRefused) {
  viewer_->choose_clip(1000);
  EXPECT_NE(viewer_->message.text(), "");
  EXPECT_EQ(viewer_->playing().clip(), 0u);
  for (int i = 0; i < 3; ++i) viewer_->add_layer(0);
  EXPECT_EQ(viewer_->message.text(), "") << "an action that works clears the message";
  viewer_->add_layer(0);
  EXPECT_THAT(viewer_->message.text(), HasSubstr("layer"));
  EXPECT_EQ(viewer_->playing().layers().size(), 3u);
}

TEST_F(ViewerTest, ClipsFollowEachOtherInBothDirections) {
  const uint32_t count = viewer_->playing().clip_count();
  viewer_->choose_neighbor(1);
  EXPECT_EQ(viewer_->playing().clip(), 1u);
  viewer_->choose_neighbor(-1);
  viewer_->choose_neighbor(-1);
  EXPECT_EQ(viewer_->playing().clip(), count - 1);
  viewer_->set_root_motion(RootMotion::kApplied);  // derives clips, which are not among those of the user
  viewer_->choose_neighbor(1);
  EXPECT_EQ(viewer_->playing().clip(), 0u);
}

TEST_F(ViewerTest, ATypedNumberIsCompleteWhereNoFurtherDigitFitsOrAfterAWhile) {
  const auto clip_after = [&](std::vector<uint32_t> digits, double seconds = 0) {
    viewer_->choose_clip(59);
    for (uint32_t digit : digits) {
      viewer_->type_digit(digit);
      viewer_->take_number(digit == digits.back() ? seconds : 0);
    }
    return viewer_->playing().clip();
  };
  EXPECT_EQ(clip_after({7}), 7u) << "70 is no clip";
  EXPECT_EQ(clip_after({4, 2}), 42u);
  EXPECT_EQ(clip_after({1}, 0.5), 59u) << "it may become 10 to 19";
  viewer_->take_number(0.5);
  EXPECT_EQ(viewer_->playing().clip(), 1u);
  viewer_->take_number(9);
  EXPECT_EQ(viewer_->playing().clip(), 1u) << "nothing was typed";
  viewer_->typing_layer = true;
  EXPECT_EQ(clip_after({6}), 59u);
  ASSERT_EQ(viewer_->playing().layers().size(), 1u);
  EXPECT_EQ(viewer_->playing().layers()[0].clip, 6u);
  EXPECT_FALSE(viewer_->typing_layer);
}

TEST_F(ViewerTest, LinesAreOfJointsThatMoveVertices) {
  const auto& moving = viewer_->moving_joints(0);
  const size_t count = size_t(std::count(moving.begin(), moving.end(), true));
  EXPECT_EQ(lines_through(), 0u);
  viewer_->shown.axes = true;
  EXPECT_EQ(lines_through(), 3 * count);
  viewer_->shown.selected_joint = 3;
  EXPECT_EQ(lines_through(), 3u) << "the axes of the selected joint only";
  viewer_->shown.axes = false, viewer_->shown.bones = true;
  EXPECT_EQ(lines_through(), 2 * count - 1) << "a dot each, and a line to each parent";
}

TEST_F(ViewerTest, NormalsAndBoxesAreOfThePoseThatIsShown) {
  viewer_->shown.normals = true;
  EXPECT_EQ(lines_tested(), viewer_->model().mesh(0).vertex_count());
  expect_lines_move();
  viewer_->shown.normals = false, viewer_->shown.tangents = true;
  EXPECT_EQ(lines_tested(), 0u) << "the file has none";
  viewer_->shown.tangents = false, viewer_->shown.pose_bounds = true;
  EXPECT_EQ(lines_tested(), 12u);
  expect_lines_move();
}

TEST_F(ViewerTest, ASetMorphWeightStaysWhileClipsPlay) {
  viewer_->set_weight(2, 0.5f);
  viewer_->advance(0.3);
  EXPECT_EQ(viewer_->pose(0).weights[2], 0.5f);
  viewer_->choose_clip(1);
  EXPECT_EQ(viewer_->pose(0).weights[2], 0.5f);
}

TEST_F(ViewerTest, TheFrameIsAroundThePoseAtTheTimeOfTheTimeLine) {
  viewer_->choose_clip(*find_clip_by_name(viewer_->source_clips(), "cheer"));
  std::set<float> heights;
  for (const float seconds : {0.0f, 0.4f, 0.8f}) {
    seek(viewer_->playing().time_line(), seconds);
    viewer_->update();
    viewer_->camera = {};
    viewer_->frame_selected();
    const Box box = bounding_box(viewer_->vertices(0).positions);  // model space is in meters
    EXPECT_NEAR(viewer_->camera.target.y, (box.low.y + box.high.y) / 2, 1e-4) << seconds;
    heights.insert(std::round(viewer_->camera.target.y * 100));
    const View view = view_of(viewer_->camera, 600, 600);
    EXPECT_GT(to_picture(view, {0, box.high.y, 0})->y, 0) << seconds;
    EXPECT_LT(to_picture(view, {0, box.low.y, 0})->y, 600) << seconds;
  }
  EXPECT_GT(heights.size(), 1u) << "arms go up";
}

TEST_F(ViewerTest, ZoomKeepsTheHeadInThePicture) {
  const auto positions = viewer_->vertices(0).positions;  // in meters, as the world
  const Vec3 top = *std::ranges::max_element(positions, {}, &Vec3::y);
  for (const float factor : {1.5f, 2.0f, 3.0f}) {
    viewer_->camera = frame_scene(viewer_->scene(), viewer_->free_aspect);
    viewer_->zoom(factor);
    const auto at = must(to_picture(view_of(viewer_->camera, 600, 600), top));
    EXPECT_GT(at.y, 0) << factor;
    EXPECT_LT(at.y, 200) << factor;
  }
}

TEST_F(ViewerTest, FindsTheJointUnderAPoint) {
  const View view = view_of(frame_scene(viewer_->scene(), 1), 600, 600);
  const uint32_t head = *find_joint(viewer_->model().character.skeleton, "head");
  const auto at = must(to_picture(view, joint_position(viewer_->posed(0), head)));
  EXPECT_EQ(viewer_->joint_at(view, at.x + 2, at.y, 10), int32_t(head));
  EXPECT_EQ(viewer_->joint_at(view, at.x + 2, at.y, 300), int32_t(head)) << "the nearest of many";
  EXPECT_EQ(viewer_->joint_at(view, 2, 2, 10), kNoJoint);
}

}  // namespace
}  // namespace sinew::app
