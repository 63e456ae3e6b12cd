// The poses that the viewer draws: its skinned vertices, read back from the device, against `sinew pose` and against a
// blend that is computed joint by joint.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "child.h"
#include "crowd/report/validate.h"
#include "distance.h"
#include "merged_level.h"
#include "ply_file.h"
#include "scene/exact_poses.h"
#include "scene/names.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/skinned_vertex.h"
#include "viewer/drawing.h"

namespace sinew::app {
namespace {

using test::shared;

constexpr float kAllowed = 1e-5f;  // of the model's diagonal

class ViewPoses : public ::testing::Test {
 protected:
  void SetUp() override {
    SINEW_SKIP_WITHOUT_DEVICE();
    GraphicsOptions graphics;
    graphics.validate = true;
    must(set_up(graphics, graphics_));
    load(test::kCharacter);
  }

  void load(const std::string& path) {
    ModelOptions options;
    options.order = VertexOrder::kOfFile;
    std::vector<Model> models;
    models.push_back(must(load_model(path, {}, options)));
    viewer_ = std::make_unique<Viewer>(std::move(models));
  }

  uint32_t clip(const std::string& name) { return must(find_clip_by_name(viewer_->model().character.clips, name)); }

  /// Brings the drawing up to date with the viewer; makes it first.
  void fit() {
    viewer_->update();
    if (drawing_) {
      must(drawing_->fit());
    } else {
      drawing_ = must(ViewDrawing::create(graphics_, interface_, *viewer_, {160, 120, 1}));
    }
  }

  /// Draws the viewer as it is, and reads back what the device has skinned.
  std::vector<Vec3> drawn() {
    fit();
    Renderer& renderer = drawing_->renderer();
    EXPECT_TRUE(renderer.begin_frame());
    EXPECT_TRUE(renderer.draw_frame({.camera = frame_scene(viewer_->scene(), 1)}));
    EXPECT_TRUE(renderer.finish());
    std::vector<Vec3> positions;
    for (const GroupRange& placed : renderer.skinning().all_ranges()) {
      const vulkan::InstanceRange& range = *placed.range;
      const auto buffer = must(read_back(graphics_.device, range));
      const auto* vertices = static_cast<const SkinnedVertex*>(buffer.mapped);
      for (uint32_t i = 0; i < range.vertex_count; ++i)
        positions.push_back({vertices[i].position[0], vertices[i].position[1], vertices[i].position[2]});
    }
    EXPECT_EQ(validation_messages(graphics_.instance), 0u);
    return positions;
  }

  /// The positions of a local pose, by the exact stages.
  std::vector<Vec3> skinned(const std::vector<Transform>& pose) {
    const Character& character = viewer_->model().character;
    std::vector<Matrix3x4d> joints(character.skeleton.joint_count());
    walk_hierarchy(character.skeleton, pose, joints);
    std::vector<Matrix3x4> palette(character.skin.palette_size());
    build_palette(character.skin, joints, palette);
    return posed_vertices(viewer_->model(), 0, palette, {}).positions;
  }

  std::vector<Transform> sampled(uint32_t index, float seconds) {
    const Character& character = viewer_->model().character;
    std::vector<Transform> pose(character.skeleton.joint_count());
    sample_clip(character.clips[index], character.skeleton, seconds, pose);
    return pose;
  }

  void expect_same(const std::vector<Vec3>& found, const std::vector<Vec3>& expected) {
    EXPECT_LT(test::largest_distance(found, expected), kAllowed * viewer_->model().diagonal);
  }

  std::unique_ptr<Viewer> viewer_;
  GraphicsContext graphics_;
  Interface interface_{1};
  std::unique_ptr<ViewDrawing> drawing_;
};

TEST_F(ViewPoses, AreThoseOfTheCommandPose) {
  test::Folder folder;
  for (const double time : {0.21, 0.77}) {
    ASSERT_TRUE(viewer_->playing().choose(clip("walk"), 0));
    seek(viewer_->playing().time_line(), float(time));
    const test::Outcome posed = test::sinew({"pose", test::kCharacter, "--clip", "walk", "--time", std::to_string(time),
                                             "--output", folder.path("pose.ply"), "--skinning", "cpu"});
    ASSERT_EQ(posed.exit_code, 0) << posed.err;
    expect_same(drawn(), test::read_ply(folder.path("pose.ply")).positions);
  }
}

/// With both evaluators, which write the weights of the clips before.
TEST_F(ViewPoses, MorphWeightsThatAreSetTakeThePlaceOfTheClips) {
  ASSERT_TRUE(viewer_->playing().choose(clip("idle"), 0));
  const MorphTarget& smile = viewer_->model().character.mesh.targets[1];
  ASSERT_EQ(smile.name, "smile");
  for (const bool crowd_evaluator : {false, true}) {
    viewer_->shown.crowd_evaluator = crowd_evaluator;
    viewer_->set_weight(1, 0);
    const std::vector<Vec3> flat = drawn();
    viewer_->set_weight(1, 1);
    const std::vector<Vec3> smiling = drawn();
    ASSERT_EQ(flat.size(), smiling.size());
    if (!crowd_evaluator) expect_same(smiling, viewer_->vertices(0).positions);
    size_t moved = 0;
    for (size_t v = 0; v < flat.size(); ++v) {
      const bool is_in_target = std::ranges::binary_search(smile.vertices, uint32_t(v));
      moved += length(smiling[v] - flat[v]) > 1e-4f;
      EXPECT_TRUE(is_in_target || length(smiling[v] - flat[v]) == 0) << v;
    }
    EXPECT_GT(moved, smile.vertices.size() / 2) << "evaluator " << crowd_evaluator;
    viewer_->reset_weights();
    const std::vector<Vec3> played = drawn();
    viewer_->set_weight(1, viewer_->pose(0).weights[1]);
    expect_same(drawn(), played);
    viewer_->reset_weights();
  }
}

/// With a weight of 1, the legs are those of one clip and the arms those of the other.
TEST_F(ViewPoses, LayersAreThoseOfTheExactStages) {
  const std::string knight = shared("models/kaykit/Knight.glb");
  SINEW_SKIP_WITHOUT(knight);
  load(knight);
  const uint32_t run = clip("Running_A");
  const Skeleton& skeleton = viewer_->model().character.skeleton;
  struct Over {
    const char *clip, *joint;
    float weight, seconds;
  };
  for (const Over& over : {Over{"1H_Melee_Attack_Chop", "spine", 1, 0.45f}, Over{"Cheer", "chest", 0.4f, 0.2f}}) {
    const uint32_t above_clip = clip(over.clip), joint = *find_joint(skeleton, over.joint);
    ASSERT_TRUE(viewer_->playing().choose(run, 0));
    seek(viewer_->playing().time_line(), 0.3f);
    ViewLayer layer;
    layer.clip = above_clip, layer.joint = int32_t(joint), layer.weight = over.weight, layer.seconds = over.seconds;
    ASSERT_TRUE(viewer_->playing().add_layer(layer));
    const std::vector<Transform> below = sampled(run, 0.3f);
    const std::vector<Transform> above =
        sampled(above_clip, viewer_->model().character.clips[above_clip].start_seconds + over.seconds);
    std::vector<float> rest_of(skeleton.joint_count(), 1.0f), share(skeleton.joint_count(), 0.0f);
    const JointRange moved = joints_below(skeleton, int32_t(joint));
    for (uint32_t j = moved.begin; j < moved.end; ++j) rest_of[j] = 1 - over.weight, share[j] = over.weight;
    std::vector<Transform> expected(below.size());
    const PoseLayer layers[] = {{below, 1, rest_of}, {above, 1, share}};
    blend_poses(layers, skeleton.rest_pose, expected);
    SCOPED_TRACE(over.clip);
    expect_same(drawn(), skinned(expected));
    viewer_->playing().drop_layer(0);
  }
}

TEST_F(ViewPoses, TheCrowdEvaluatorIsWithinTheBoundOfItsBake) {
  ASSERT_TRUE(viewer_->playing().choose(clip("walk"), 0));
  viewer_->shown.crowd_evaluator = true;
  for (const char* name : {"wave", "cheer"}) {  // each layer appends a clip: the bake must contain it
    ViewLayer layer{.clip = clip(name), .mode = LayerMode::kAdditive};
    layer.joint = int32_t(*find_joint(viewer_->model().character.skeleton, "clavicle_r"));
    ASSERT_TRUE(viewer_->playing().add_layer(layer));
    viewer_->advance(0.4);
    fit();
    EXPECT_GT(viewer_->difference_meters, 0);
    EXPECT_LT(viewer_->difference_meters, 0.002f * viewer_->model().diagonal * viewer_->model().meters_per_unit())
        << "as if a clip was missing in the bake";
  }
}

/// One drawing goes from each state to the next, and back: the picture is that of the state, whatever was before.
TEST_F(ViewPoses, APictureFollowsWhatIsShown) {
  ASSERT_TRUE(add_levels(viewer_->models()[0]));
  viewer_->camera = frame_scene(viewer_->scene(), 1);
  viewer_->hidden = true;
  viewer_->playing().time_line().playing = false;
  fit();
  static const Skeleton& skeleton = viewer_->model().character.skeleton;
  const auto select = [](Viewer& v, const char* joint) {
    v.shown.selected_joint = int32_t(*find_joint(skeleton, joint));
  };
  using V = Viewer;
  std::vector<std::pair<std::string, std::function<void(V&)>>> states = {
      {"nothing", [](V&) {}},
      {"weights of the head", [&](V& v) { v.shown.colors = DataColors::kJointWeight, select(v, "head"); }},
      {"weights of the spine", [&](V& v) { select(v, "spine_1"); }},
      {"a coarse level", [&](V& v) { v.shown.level = 3; }},
      {"its influences", [](V& v) { v.shown.colors = DataColors::kInfluences; }},
      {"its color", [](V& v) { v.shown.colors = DataColors::kLevel; }},
      {"another clip", [](V& v) { v.shown = {}, v.choose_clip(3); }},
      {"its end", [](V& v) { seek(v.playing().time_line(), 0.5f), v.update(); }},
      {"a blend", [](V& v) { v.blend_with(5); }},
      {"its weight", [](V& v) { v.playing().blend()->weight = 0.9f, v.update(); }},
      {"a smile", [](V& v) { v.set_weight(2, 1); }},
      {"a dragged hand", [](V& v) { v.drag_handle(view_of(v.camera, 160, 120), 2, 30, 10); }},
      {"another camera", [](V& v) { turn_to(kCameraPresets[2], v.camera); }},
  };
  for (const ShownSwitch& each : kShownSwitches) {
    if (each.flag == &Shown::tangents) continue;  // the file has none
    if (each.flag == &Shown::wireframe && !viewer_->can_draw_wireframe) continue;
    states.push_back({each.word, [&each](V& v) { v.shown.*each.flag = true; }});
  }
  std::vector<std::vector<uint8_t>> pictures;
  std::vector<std::pair<Settings, Orbit>> settings;
  const auto picture = [&] { return must(drawing_->picture()); };
  for (const auto& [what, change] : states) {
    change(*viewer_);
    viewer_->end_change();
    pictures.push_back(picture());
    settings.emplace_back(viewer_->settings(), viewer_->camera);
    EXPECT_EQ(std::ranges::count(pictures, pictures.back()), 1) << what << " is not seen";
  }
  for (size_t i = states.size() - 1; i-- > 0;) {  // time and camera are not undone
    if (!(settings[i].first == settings[i + 1].first)) viewer_->undo();
    if (i > 3 && i != 5 && i != 7 && i != 9) continue;
    viewer_->camera = settings[i].second;
    EXPECT_TRUE(picture() == pictures[i]) << states[i].first << ", again";
  }
  EXPECT_EQ(validation_messages(graphics_.instance), 0u);
}

TEST_F(ViewPoses, ALevelOfDetailIsTheOneThatWasAskedFor) {
  ASSERT_TRUE(add_levels(viewer_->models()[0]));
  const uint32_t last = viewer_->model().level_count() - 1;
  for (const uint32_t level : {0u, 1u, last, 200u}) {  // none is so coarse
    viewer_->shown.level = level;
    EXPECT_EQ(drawn().size(), viewer_->model().mesh(std::min(level, last)).vertex_count());
  }
}

TEST_F(ViewPoses, ALevelWithAPaletteOfItsOwnIsPosedByIt) {
  Model& model = viewer_->models()[0];
  model.levels = test::with_merged_level(model).levels;
  model.levels[1].baked.clips.clear();  // as if the model had got new clips since
  viewer_->shown.level = 2;
  ASSERT_TRUE(viewer_->playing().choose(clip("walk"), 0));
  seek(viewer_->playing().time_line(), 0.4f);
  const std::vector<Vec3> found = drawn();  // updates the playbacks
  expect_same(found, exact_positions(model, 2, viewer_->scene().playbacks[0]));
  viewer_->shown.crowd_evaluator = true;
  const std::vector<Vec3> baked = drawn();
  const float largest = test::largest_distance(baked, exact_positions(model, 2, viewer_->scene().playbacks[0]));
  EXPECT_GT(largest, 0);
  EXPECT_LT(largest, 1e-3f * model.diagonal);
}

}  // namespace
}  // namespace sinew::app
