// Bounding boxes contain what dual quaternions carry out of the boxes of linear blending.
#include <gtest/gtest.h>

#include <numbers>
#include <string>

#include "bounds_subject.h"
#include "sinew/animation/pose.h"

namespace sinew {
namespace {

using test::diagonal;
using test::expect_clip_inside;
using test::expect_layers_inside;
using test::overhang;
using test::Subject;

void make_additive_to_rest(Character& character, size_t clip) {
  character.clips[clip] = *make_additive(character.clips[clip], character.skeleton, character.skeleton.rest_pose);
}

/// An arm and a hand, and a vertex at the wrist that follows both.
Character wrist() {
  Character character;
  character.skeleton = {{"arm", "hand"}, {kNoJoint, 0}, {{}, {}}, {}};
  character.skin.entries = {{0, {}}, {1, {}}};
  Mesh& mesh = character.mesh;
  mesh.positions = {{0, 0.5f, 0}};
  mesh.normals = {{0, 1, 0}};
  mesh.uvs.resize(1);
  mesh.first_influence = {0, 2};
  mesh.influences = {{0, 0.5f}, {1, 0.5f}};
  mesh.parts = {{"mesh", PartKind::kSkinned, 0, 0, 1, 0, 0}};
  mesh.blend = Blend::kDualQuaternion;
  character.materials = {{}};
  return character;
}

Quat bent(double degrees) { return test::about_z(degrees * std::numbers::pi / 180); }

/// Linear blending leaves the vertex between the positions that its influences give it; dual quaternions carry it
/// around the joint. The hand bends for 0.4 s of 10 s: few samples of the clip would miss it.
TEST(BlendBounds, ContainTheBulgeOfAShortFidget) {
  Character character = wrist();
  const JointTracks hand{1, {}, {{0, 4.8f, 5, 5.2f, 10}, {bent(0), bent(0), bent(175), bent(0), bent(0)}}, {}};
  character.clips = {{"fidget", 0, 10, {hand}}};
  const Subject subject(character);
  const Playback sharpest{{{0, 5, 1}}};
  EXPECT_LT(subject.skinned(sharpest).low.x, -0.45f) << "the bulge";
  EXPECT_LE(overhang(subject.skinned(sharpest), bounds_of(subject.bounds, subject.baked, sharpest)), 0);
  expect_clip_inside(subject, 0, 2000);
}

/// Neither clip alone bends the hand against the arm, but their blend with a mask does; so does an additive layer.
TEST(BlendBounds, ContainTheBulgeOfABlendOnly) {
  Character character = wrist();
  const auto turned = [](double arm, double hand) {
    return std::vector<JointTracks>{{0, {}, {{0, 1}, {bent(arm), bent(arm)}}, {}},
                                    {1, {}, {{0, 1}, {bent(hand), bent(hand)}}, {}}};
  };
  character.clips = {{"a", 0, 1, turned(0, 0)}, {"b", 0, 1, turned(0, 88)}, {"c", 0, 1, turned(0, 88)}};
  make_additive_to_rest(character, 2);
  Subject subject(character);
  const Playback added{{{1, 0, 1}, {2, 0, 1}}}, half{{{0, 0, 0.5f}, {1, 0, 0.5f}}};
  EXPECT_LT(subject.skinned(added).low.x, -0.45f) << "the bulge";
  for (const Playback& playback : {added, half}) {
    EXPECT_LE(overhang(subject.skinned(playback), bounds_of(subject.bounds, subject.baked, playback)), 0);
  }
  for (size_t layers = 1; layers <= kMaxLayers; ++layers) expect_layers_inside(subject, layers, 1000);
}

/// Translations that differ by much, and half turns: the quaternions of both joints are almost perpendicular.
TEST(BlendBounds, ContainVerticesOfJointsFarApartAndAlmostOpposite) {
  for (const double degrees : {170.0, 179.9, 180.0, 180.1, 190.0, 359.0}) {
    Character character = wrist();
    const std::vector<float> times = {0, 1};
    const JointTracks hand{1, {times, {{2, 0, 0}, {0, 3, -1}}}, {times, {bent(degrees), bent(degrees)}}, {}};
    character.clips = {{"far", 0, 1, {hand}}};
    for (const float weight : {0.5f, 0.6f, 0.95f}) {
      character.mesh.influences = {{0, weight}, {1, 1 - weight}};
      const Subject subject(character);
      expect_clip_inside(subject, 0, 200);
      expect_layers_inside(subject, 2, 100);
    }
  }
}

/// A joint that shares vertices with more others than are looked at one by one.
TEST(BlendBounds, ContainTheVerticesOfAnArmWithVeryManyHands) {
  Character character = wrist();
  Mesh& mesh = character.mesh;
  JointTracks turn{1, {}, {{0, 1}, {bent(170), bent(170)}}, {}};
  character.clips = {{"turn", 0, 1, {turn}}};
  mesh.positions[0] = {};
  for (uint16_t hand = 2; hand < 80; ++hand) {
    character.skeleton.joint_names.push_back("hand " + std::to_string(hand));
    character.skeleton.parents.push_back(0), character.skeleton.rest_pose.push_back({});
    character.skin.entries.push_back({hand, {}});
    mesh.positions.push_back({hand == 40 ? 0.5f : 0, 0, 0});
    mesh.normals.push_back({0, 1, 0}), mesh.uvs.push_back({});
    mesh.influences.push_back({0, 0.5f}), mesh.influences.push_back({hand, 0.5f});
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    turn.joint = hand;
    character.clips[0].tracks.push_back(turn);
  }
  mesh.parts[0].vertex_count = mesh.vertex_count();
  const Subject subject(character);
  expect_clip_inside(subject, 0, 300);
  expect_layers_inside(subject, 2, 100);
}

TEST(BlendBounds, OfDualQuaternionsAddNothingWhereJointsMoveAsOne) {
  Character character = wrist();
  character.clips = {{"turn", 0, 1, {{0, {}, {{0, 1}, {bent(0), bent(90)}}, {}}}}};
  const Subject rigid(character);
  character.mesh.blend = Blend::kLinear;
  const Subject linear(character);
  EXPECT_LT(diagonal(rigid.bounds.clips[0]), 1.001 * diagonal(linear.bounds.clips[0]));
  EXPECT_LT(diagonal(rigid.bounds.blended), 1.001 * diagonal(linear.bounds.blended));
}

}  // namespace
}  // namespace sinew
