// Morph weights move vertices: update rates, shared poses and paths of clips know it.
#include "crowd/morph_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/scene/exact_poses.h"
#include "asset/larger_error.h"
#include "crowd/motion_paths.h"
#include "crowd/pose_sharing.h"

namespace sinew::crowd::internal {
namespace {

/// A joint that does not move, twice the size, and two morph targets. The first moves one vertex from 0 to 1 and back
/// in two seconds, the second, of smaller size, is a step at half a second.
Character still_face() {
  Character character;
  character.skeleton = {{"head"}, {kNoJoint}, {{{}, {0, 0, 0, 1}, {2, 2, 2}}}, {}};
  character.skin.entries = {{0, {}}};
  Mesh& mesh = character.mesh;
  mesh.positions = {{-3, 0, 0}, {3, 0, 0}, {0, 1, 0}};
  mesh.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  mesh.uvs.resize(3);
  mesh.indices = {0, 1, 2};
  mesh.first_influence = {0, 1, 2, 3};
  mesh.influences = {{0, 1}, {0, 1}, {0, 1}};
  mesh.parts = {{"face", PartKind::kRigid, 0, 0, 3, 0, 3}};
  mesh.targets = {{"open", 0, {2}, {{0, 0, 1}}, {}, {}}, {"blink", 0, {1, 2}, {{0, 0.1f, 0}, {0, 0.2f, 0}}, {}, {}}};
  Clip clip{"talk", 0, 2, {}};
  clip.weights = {{0, {{0, 1, 2}, {0, 1, 0}}}, {1, {{0, 0.5f}, {0, 1}, Interpolation::kStep}}};
  character.clips = {clip};
  return character;
}

ModelInfo info_of(const Character& character) {
  static const uint32_t clips[] = {0};
  ModelInfo info;
  info.character = &character, info.clips = clips, info.height = 2;
  return info;
}

Playback at(float seconds) { return Playback{{{0, seconds, 1}}}; }

TEST(MorphMotion, NoVertexMovesFurtherThanTheMotionPath) {
  const Character character = still_face();
  const MotionPaths motions(info_of(character), {});
  double largest_share = 0;
  for (float a = 0; a < 2; a += 0.093f) {
    for (const float step : {0.01f, 0.1f, 0.7f}) {
      const std::vector<Vec3> from = app::exact_positions(character, at(a)),
                              to = app::exact_positions(character, at(std::min(a + step, 2.0f)));
      float moved = 0;
      for (size_t v = 0; v < from.size(); ++v) moved = std::max(moved, length(to[v] - from[v]));
      const float bound = motions.max_distance_between(at(a), at(std::min(a + step, 2.0f)));
      EXPECT_LE(moved, bound * 1.001f + 1e-5f) << a << " " << step;
      if (moved > 0) largest_share = sinew::internal::larger_error(largest_share, double(moved / bound));
    }
  }
  EXPECT_GT(largest_share, 0.95) << "the bound is too loose";
  EXPECT_NEAR(motions.max_distance_between(at(0.49f), at(0.51f)), 2 * (0.02f + 0.2f), 1e-3) << "the step";
}

TEST(MorphMotion, BoxesOfPaletteEntriesHoldWhatWeightsMove) {
  const Character character = still_face();
  const uint32_t clips[] = {0};
  const std::vector<Box> boxes = boxes_of_entries(character, clips);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(length(boxes[0].low - Vec3{-3, 0, 0}), 0);
  EXPECT_LT(length(boxes[0].high - Vec3{3, 1.2f, 1}), 1e-6f);
  EXPECT_EQ(length(boxes_of_entries(character, {})[0].high - Vec3{3, 1, 0}), 0);
}

TEST(MorphMotion, SharedPosesFollowAFaceWhoseJointsAreStill) {
  const Character character = still_face();
  const ModelInfo info = info_of(character);
  const std::vector<ClipPath> paths = measure_motion({&info, 1}, {.turned = true}, {})[0].turned;
  ASSERT_EQ(paths.size(), 1u);
  // Two ways of length 1 and a step of 0.2 around the middle of a box of 6 x 1.
  EXPECT_NEAR(paths[0].length(), 2.2 / (std::hypot(6.0, 1.0) / 2), 1e-3);
  EXPECT_GT(PoseBuckets(info, paths, 16).count(), 10u);
}

TEST(MorphMotion, LargestScaleIsExactWithoutShearAndABoundWithIt) {
  EXPECT_FLOAT_EQ(max_scale({{{0, 3, 0, 9}, {2, 0, 0, 9}, {0, 0, 1, 9}}}), 3);
  const float golden = (1 + std::sqrt(5.0f)) / 2;  // of the shear that adds y to x
  EXPECT_GE(max_scale({{{1, 1, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}), golden);
}

}  // namespace
}  // namespace sinew::crowd::internal
