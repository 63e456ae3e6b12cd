// What a character of the viewer plays: its base clip, cross-fades, layers, root motion, and what a pause stops.
#include "viewer/playing.h"

#include <gtest/gtest.h>

#include "view/moving_character.h"

namespace sinew::app {
namespace {

constexpr uint32_t kWalk = 0, kIdle = 1, kSlide = 2, kNod = 3;
constexpr uint32_t kHips = 1, kSpine = 2, kHead = 3;

class PlayingTest : public ::testing::Test {
 protected:
  /// The share of a clip on a joint, of all layers that play it.
  float share(uint32_t clip, uint32_t joint = 0) {
    const Playback playback = playing.playback(masks);
    float sum = 0;
    for (const Layer& layer : playback.layers) {
      if (layer.clip != clip || !(layer.weight > 0)) continue;
      sum += layer.mask == 0 ? layer.weight : layer.weight * masks[layer.mask - 1].factors[joint];
    }
    return sum;
  }

  Character character = make_moving_character();
  Playing playing{character};
  std::vector<NamedMask> masks{kMaxLayers, NamedMask{"", std::vector<float>(character.skeleton.joint_count())}};
};

TEST_F(PlayingTest, BeginsWithTheFirstClip) {
  EXPECT_EQ(playing.clip(), kWalk);
  EXPECT_EQ(playing.clip_count(), 4u);
  playing.advance(0.25);
  const Playback playback = playing.playback(masks);
  EXPECT_EQ(playback.layers[0].clip, kWalk);
  EXPECT_FLOAT_EQ(playback.layers[0].time_seconds, 1.25f);
  EXPECT_EQ(playback.layers[0].weight, 1);
  EXPECT_EQ(playback.layers[0].mask, 0u);
}

TEST(Playing, WithoutClipsShowsTheRestPose) {
  Character character = make_moving_character();
  character.clips.clear();
  Playing playing(character);
  playing.advance(1);
  EXPECT_FALSE(playing.clip());
  EXPECT_FALSE(playing.choose(0, 0));
  EXPECT_FALSE(playing.add_layer({}));
  EXPECT_TRUE(playing.set_root_motion(RootMotion::kApplied));
  std::vector<NamedMask> masks(kMaxLayers, {"", std::vector<float>(character.skeleton.joint_count())});
  for (const Layer& layer : playing.playback(masks).layers) EXPECT_EQ(layer.weight, 0);
}

TEST_F(PlayingTest, CrossFadeMovesFromOneClipToTheOther) {
  playing.advance(0.5);
  ASSERT_TRUE(playing.choose(kIdle, 0.4));
  EXPECT_EQ(playing.clip(), kIdle);
  EXPECT_FLOAT_EQ(share(kWalk), 1);
  EXPECT_FLOAT_EQ(share(kIdle), 0);
  playing.advance(0.1);
  EXPECT_FLOAT_EQ(share(kWalk), 0.75f);
  EXPECT_FLOAT_EQ(share(kIdle), 0.25f);
  EXPECT_FLOAT_EQ(playing.playback(masks).layers[0].time_seconds, 1.6f) << "the clip before plays on";
  EXPECT_FLOAT_EQ(playing.playback(masks).layers[1].time_seconds, 1.1f);
  playing.advance(0.35);
  EXPECT_FLOAT_EQ(share(kWalk), 0);
  EXPECT_FLOAT_EQ(share(kIdle), 1);
}

TEST_F(PlayingTest, CrossFadeCountsSecondsAtAnySpeed) {
  for (const float speed : {-1.0f, 0.0f, 0.5f, 2.0f}) {
    ASSERT_TRUE(playing.choose(kWalk, 0));
    playing.time_line().speed = speed;
    ASSERT_TRUE(playing.choose(kIdle, 0.4));
    playing.advance(0.1);
    EXPECT_FLOAT_EQ(share(kWalk), 0.75f) << speed;
    EXPECT_EQ(playing.time_line().speed, speed);
  }
}

TEST_F(PlayingTest, SpeedIsThatOfBothClipsOfACrossFade) {
  ASSERT_TRUE(playing.choose(kIdle, 1));
  playing.time_line().speed = 0.5f;
  playing.advance(0.5);
  EXPECT_FLOAT_EQ(playing.playback(masks).layers[0].time_seconds, 1.25f);
  EXPECT_FLOAT_EQ(playing.playback(masks).layers[1].time_seconds, 1.25f);
}

TEST_F(PlayingTest, CrossFadeDuringACrossFadeKeepsAllThree) {
  ASSERT_TRUE(playing.choose(kIdle, 0.4));
  playing.advance(0.2);
  ASSERT_TRUE(playing.choose(kSlide, 0.4));
  EXPECT_FLOAT_EQ(share(kWalk), 0.5f);
  EXPECT_FLOAT_EQ(share(kIdle), 0.5f);
  playing.advance(0.1);
  EXPECT_FLOAT_EQ(share(kSlide), 0.25f);
  EXPECT_FLOAT_EQ(share(kIdle), 0.75f * 0.75f);
  EXPECT_FLOAT_EQ(share(kWalk), 0.75f * 0.25f);
  playing.advance(0.1);
  EXPECT_FLOAT_EQ(share(kWalk), 0) << "the second clip has faded in completely";
  EXPECT_FLOAT_EQ(share(kIdle), 0.5f);
  playing.advance(0.2);
  EXPECT_FLOAT_EQ(share(kSlide), 1);
}

TEST_F(PlayingTest, ManyCrossFadesAtOnceKeepTheNewestFour) {
  for (const uint32_t clip : {kIdle, kSlide, kNod, kWalk, kIdle, kSlide}) {
    ASSERT_TRUE(playing.choose(clip, 1));
    playing.advance(0.1);
    float sum = 0;
    for (uint32_t each = 0; each < 4; ++each) sum += share(each);
    EXPECT_NEAR(sum, 1, 1e-6);
  }
  EXPECT_EQ(playing.clip(), kSlide);
}

TEST_F(PlayingTest, CrossFadeIsImmediateWhereLayersLeaveNoRoom) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  ASSERT_TRUE(playing.choose(kIdle, 0.4));
  EXPECT_FLOAT_EQ(share(kIdle), 1);
}

TEST_F(PlayingTest, LayerThatNeedsTheRoomEndsACrossFade) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  ASSERT_TRUE(playing.choose(kIdle, 0.4));
  playing.advance(0.1);
  EXPECT_FLOAT_EQ(share(kWalk), 0.75f);
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  EXPECT_FLOAT_EQ(share(kWalk), 0);
  EXPECT_FLOAT_EQ(share(kIdle), 1);
}

TEST_F(PlayingTest, ChosenClipKeepsSpeedAndLoopingAndStartsWhereTheSpeedSays) {
  playing.time_line().speed = -0.5f;
  set_looping(playing.time_line(), Looping::kPingPong);
  set_range(playing.time_line(), 1.2f, 1.4f);
  ASSERT_TRUE(playing.choose(kIdle, 0));
  EXPECT_EQ(clip_seconds(playing.time_line()), 2);
  EXPECT_EQ(playing.time_line().start_seconds, 1) << "the range is that of the new clip";
  EXPECT_EQ(playing.time_line().looping, Looping::kPingPong);
  EXPECT_FALSE(playing.choose(4, 0)) << "no such clip";
  EXPECT_EQ(playing.clip(), kIdle);
}

TEST_F(PlayingTest, BlendSharesThePoseBetweenTwoClips) {
  EXPECT_EQ(playing.blend(), nullptr);
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  ASSERT_TRUE(playing.blend_with(kIdle));
  ASSERT_TRUE(playing.blend());
  EXPECT_EQ(playing.blend(), &playing.layers()[0]) << "below other layers";
  EXPECT_FLOAT_EQ(share(kWalk), 0.5f);
  EXPECT_FLOAT_EQ(share(kIdle), 0.5f);
  playing.blend()->weight = 0.25f;
  ASSERT_TRUE(playing.blend_with(kSlide)) << "another clip in its place";
  EXPECT_FLOAT_EQ(share(kWalk), 0.75f);
  EXPECT_FLOAT_EQ(share(kSlide), 0.25f);
  EXPECT_FLOAT_EQ(share(kIdle), 0);
  playing.drop_layer(0);
  EXPECT_EQ(playing.blend(), nullptr);
  EXPECT_FLOAT_EQ(share(kWalk), 1);
  EXPECT_FALSE(playing.blend_with(9)) << "no such clip";
}

TEST_F(PlayingTest, BlendInPhasePlaysBothClipsInTheSameTime) {
  character.clips[kIdle].end_seconds = 3;  // 2 s, twice as long as the walk
  ASSERT_TRUE(playing.blend_with(kIdle));
  const auto seconds = [&](size_t layer) { return playing.playback(masks).layers[layer].time_seconds; };
  playing.blend()->weight = 0;
  playing.advance(0.25);
  EXPECT_FLOAT_EQ(seconds(0), 1.25f);
  EXPECT_FLOAT_EQ(seconds(1), 1.5f);
  playing.blend()->weight = 1;
  playing.advance(0.5);
  EXPECT_FLOAT_EQ(seconds(0), 1.5f) << "in the time of the other clip";
  EXPECT_FLOAT_EQ(seconds(1), 2);
  playing.blend()->weight = 0.5f;
  playing.advance(0.9);  // the cycle takes 1.5 s
  EXPECT_FLOAT_EQ(seconds(0), 1.1f);
  EXPECT_FLOAT_EQ(seconds(1), 1.2f);
  ASSERT_TRUE(playing.choose(kSlide, 0));
  EXPECT_FLOAT_EQ(seconds(0), 1.1f) << "another base clip goes on in the same phase";
  playing.blend()->in_phase = false;
  playing.advance(0.2);
  EXPECT_FLOAT_EQ(seconds(0), 1.3f) << "each in its own time";
}

TEST_F(PlayingTest, BlendMovesOverTheGroundByTheShareOfEachClip) {
  ASSERT_TRUE(playing.choose(kSlide, 0));
  ASSERT_TRUE(playing.set_root_motion(RootMotion::kApplied));
  ASSERT_TRUE(playing.blend_with(kIdle));
  playing.blend()->weight = 0.75f;
  playing.advance(0.4);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.25 * 0.4, 1e-5) << "the other clip stands";
  ASSERT_TRUE(playing.choose(kIdle, 0));
  ASSERT_TRUE(playing.blend_with(kSlide));
  playing.advance(0.2);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.25 * 0.4 + 0.75 * 0.2, 1e-5) << "goes on from there";
}

TEST_F(PlayingTest, PausedNothingMovesAndChangesAreImmediate) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}, 1));
  ASSERT_TRUE(playing.choose(kIdle, 1));
  playing.advance(0.25);
  playing.time_line().playing = false;
  playing.advance(10);
  EXPECT_FLOAT_EQ(share(kWalk), 0.75f);
  EXPECT_FLOAT_EQ(playing.layers()[0].presence, 0.25f);
  EXPECT_FLOAT_EQ(float(playing.layers()[0].seconds), 0.25f);
  EXPECT_FLOAT_EQ(clip_seconds(playing.time_line()), 1.25f);
  ASSERT_TRUE(playing.choose(kSlide, 1));
  EXPECT_EQ(share(kSlide), 1);
  EXPECT_FALSE(playing.time_line().playing);
  ASSERT_TRUE(playing.add_layer({.clip = kNod}, 1));
  EXPECT_EQ(playing.layers()[1].presence, 1);
  playing.drop_layer(0, 1);
  EXPECT_EQ(playing.layers().size(), 1u);
}

TEST_F(PlayingTest, PlayedOnceFinishesFadesAtItsEndAndANewClipPlays) {
  set_looping(playing.time_line(), Looping::kClamp);
  ASSERT_TRUE(playing.choose(kIdle, 3));
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}, 3));
  playing.advance(0.9);
  EXPECT_FLOAT_EQ(share(kWalk), 0.7f);
  playing.advance(0.2);
  EXPECT_FALSE(playing.time_line().playing);
  EXPECT_FLOAT_EQ(share(kIdle), 1);
  EXPECT_EQ(playing.layers()[0].presence, 1);
  ASSERT_TRUE(playing.choose(kSlide, 0.5));
  EXPECT_TRUE(playing.time_line().playing) << "it was not the user that stopped";
  EXPECT_EQ(share(kSlide), 0);
}

TEST_F(PlayingTest, IsDeterministic) {
  Character other = make_moving_character();
  Playing again(other);
  for (Playing* each : {&playing, &again}) {
    ASSERT_TRUE(each->set_root_motion(RootMotion::kApplied));
    ASSERT_TRUE(each->add_layer({.clip = kNod, .weight = 0.7f, .joint = kHead}, 0.3));
    each->advance(0.17);
    ASSERT_TRUE(each->choose(kSlide, 0.5));
    each->advance(0.21);
  }
  EXPECT_EQ(difference(playing.model_from_moved(), again.model_from_moved()), 0);
  const Playback a = playing.playback(masks), b = again.playback(masks);
  for (size_t i = 0; i < kMaxLayers; ++i) {
    EXPECT_EQ(a.layers[i].clip, b.layers[i].clip);
    EXPECT_EQ(a.layers[i].time_seconds, b.layers[i].time_seconds);
    EXPECT_EQ(a.layers[i].weight, b.layers[i].weight);
  }
}

TEST_F(PlayingTest, LayerReplacesItsJoints) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kSpine}));
  EXPECT_EQ(share(kWalk, kHips), 1);
  EXPECT_EQ(share(kWalk, kSpine), 0);
  EXPECT_EQ(share(kNod, kHead), 1);
  EXPECT_EQ(share(kNod, 4), 0) << "the foot is not below the spine";
  playing.layers()[0].weight = 0.25f;
  EXPECT_EQ(share(kNod, kHead), 0.25f);
  playing.layers()[0].joint = kHead;
  EXPECT_EQ(share(kWalk, kSpine), 1);
  playing.layers()[0].weight = 0;
  EXPECT_EQ(share(kWalk, kHead), 1);
}

TEST_F(PlayingTest, LayersFadeInAndOut) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .weight = 0.8f, .joint = kHead}, 0.5));
  EXPECT_EQ(share(kNod, kHead), 0);
  playing.advance(0.25);
  EXPECT_FLOAT_EQ(share(kNod, kHead), 0.4f);
  EXPECT_FLOAT_EQ(share(kWalk, kHead), 0.6f);
  playing.advance(1);
  EXPECT_FLOAT_EQ(share(kNod, kHead), 0.8f);
  playing.drop_layer(0, 1);
  EXPECT_EQ(playing.layers().size(), 1u);
  playing.advance(0.5);
  EXPECT_FLOAT_EQ(share(kNod, kHead), 0.4f);
  playing.drop_layer(0, 100);  // has no effect: it is dropped already
  playing.advance(0.5);
  EXPECT_EQ(playing.layers().size(), 0u);
  EXPECT_EQ(share(kWalk, kHead), 1);
  playing.drop_layer(0, 1);
}

TEST_F(PlayingTest, LayersLoopAtTheSpeedOfTheTimeLine) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead, .seconds = 0.5}));
  playing.time_line().speed = 0.5f;
  playing.advance(1.5);
  EXPECT_FLOAT_EQ(playing.playback(masks).layers[1].time_seconds, 1.25f);
}

TEST_F(PlayingTest, FifthLayerIsRefused) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  const Status fifth = playing.add_layer({.clip = kNod});
  ASSERT_FALSE(fifth);
  EXPECT_EQ(fifth.error().message, "at most 4 layers, the base included");
  EXPECT_EQ(playing.layers().size(), 3u);
  playing.drop_layer(1, 1);  // still there, but a new layer takes its place
  EXPECT_EQ(playing.layers().size(), 3u);
  EXPECT_TRUE(playing.add_layer({.clip = kIdle}));
  ASSERT_EQ(playing.layers().size(), 3u);
  EXPECT_EQ(playing.layers()[2].clip, kIdle);
  EXPECT_FALSE(playing.layers()[1].dropped);
}

TEST_F(PlayingTest, LayersOfUnknownClipsAreRefused) {
  EXPECT_FALSE(playing.add_layer({.clip = 4}));
  EXPECT_EQ(playing.layers().size(), 0u);
}

TEST_F(PlayingTest, ModeOfALayerMayChangeAtAnyTime) {
  ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  playing.layers()[0].mode = LayerMode::kAdditive;
  const Playback playback = playing.playback(masks);
  ASSERT_EQ(character.clips.size(), 5u);
  EXPECT_EQ(playback.layers[1].clip, 4u);
  EXPECT_EQ(character.clips[4].name, "Nod (additive)");
  EXPECT_EQ(share(kWalk, kHead), 1);
  EXPECT_EQ(share(4, kHead), 1);
  EXPECT_EQ(share(4, kSpine), 0);
  EXPECT_EQ(playing.clip_count(), 4u);
}

TEST(Playing, AdditiveClipOfAFileIsAlwaysAdded) {
  Character character = make_moving_character();
  {
    DerivedClips derived(character);
    ASSERT_TRUE(derived.additive(kNod));
  }
  Playing playing(character);
  std::vector<NamedMask> masks(kMaxLayers, {"", std::vector<float>(character.skeleton.joint_count())});
  ASSERT_TRUE(playing.add_layer({.clip = 4, .weight = 0.5f}));
  EXPECT_EQ(playing.playback(masks).layers[0].weight, 1);
  EXPECT_EQ(playing.playback(masks).layers[1].clip, 4u);
  EXPECT_EQ(playing.playback(masks).layers[1].weight, 0.5f);
  ASSERT_TRUE(playing.choose(4, 1));
  EXPECT_EQ(playing.playback(masks).layers[0].clip, 4u) << "an additive clip does not fade";
  EXPECT_TRUE(playing.set_root_motion(RootMotion::kApplied));
}

class RootMotionTest : public PlayingTest {
 protected:
  /// The hips, moved by root motion.
  Matrix3x4d moved_hips() {
    return playing.model_from_moved() * model_from_joint(character, playing.playback(masks), kHips);
  }

  Matrix3x4d hips_of_clip(float seconds) { return model_from_joint(character, kWalk, seconds, kHips); }

  /// The motion of the hips in the clip, which has no part in height between these times.
  Matrix3x4d loop(float from, float to) { return hips_of_clip(to) * inverse(hips_of_clip(from)); }

  void set_root_motion(RootMotion mode) {
    const Status set = playing.set_root_motion(mode);
    ASSERT_TRUE(set) << set.error().message;
  }
};

TEST_F(RootMotionTest, RemovedRootMotionStaysInPlace) {
  set_root_motion(RootMotion::kRemoved);
  const Matrix3x4d first = moved_hips();
  playing.advance(0.75);
  const Matrix3x4d later = moved_hips();
  EXPECT_NEAR(later.m[0][3], first.m[0][3], 1e-4);
  EXPECT_NEAR(later.m[2][3], first.m[2][3], 1e-4);
  EXPECT_LT(difference(playing.model_from_moved(), Matrix3x4d()), 1e-12);
  EXPECT_EQ(playing.clip(), kWalk);
  set_root_motion(RootMotion::kKept);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.75f)), 1e-5);
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnWhereTheClipEnds) {
  set_root_motion(RootMotion::kApplied);
  for (int i = 0; i < 250; ++i) playing.advance(0.01);
  const Matrix3x4d expected = loop(1, 2) * loop(1, 2) * hips_of_clip(1.5f);
  EXPECT_LT(difference(moved_hips(), expected), 2e-3);
  EXPECT_GT(expected.m[0][3] * expected.m[0][3] + expected.m[2][3] * expected.m[2][3], 9);
}

TEST_F(RootMotionTest, AppliedRootMotionFollowsTheRange) {
  set_range(playing.time_line(), 1.2f, 1.6f);
  set_root_motion(RootMotion::kApplied);
  for (int i = 0; i < 100; ++i) playing.advance(0.01);
  // Relative to the start of the range, where the clip in place has not moved yet.
  Matrix3x4d expected =
      hips_of_clip(1) * inverse(hips_of_clip(1.2f)) * loop(1.2f, 1.6f) * loop(1.2f, 1.6f) * hips_of_clip(1.4f);
  expected.m[1][3] = hips_of_clip(1.4f).m[1][3];
  EXPECT_LT(difference(moved_hips(), expected), 2e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionRunsBackward) {
  set_root_motion(RootMotion::kApplied);
  playing.time_line().speed = -1;
  for (int i = 0; i < 150; ++i) playing.advance(0.01);
  EXPECT_LT(difference(moved_hips(), inverse(loop(1, 2)) * inverse(loop(1, 2)) * hips_of_clip(1.5f)), 2e-3);
}

TEST_F(RootMotionTest, SeekSetsTheMotionFromTheStartOfTheRange) {
  set_root_motion(RootMotion::kApplied);
  playing.advance(3.3);
  seek(playing.time_line(), 1.6f);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.6f)), 1e-3);
  playing.advance(0.2);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.8f)), 1e-3);
  seek(playing.time_line(), 1.1f);
  playing.advance(0.1);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.2f)), 1e-3);
  step(playing.time_line(), 3);
  EXPECT_LT(difference(moved_hips(), hips_of_clip(1.3f)), 1e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnThroughACrossFade) {
  set_root_motion(RootMotion::kApplied);
  ASSERT_TRUE(playing.choose(kSlide, 0));
  playing.advance(0.5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.5, 1e-3);
  ASSERT_TRUE(playing.choose(kIdle, 1));
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 0.5, 1e-3) << "a new clip does not move the character back";
  for (int i = 0; i < 1000; ++i) playing.advance(0.001);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 1, 5e-3) << "its share falls from 1 to 0 in 1 s at 1 m/s";
  playing.advance(5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3], 1, 5e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionIsFullWhereACrossFadeHasEndedEarly) {
  set_root_motion(RootMotion::kApplied);
  ASSERT_TRUE(playing.choose(kSlide, 1));
  playing.advance(0.1);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(playing.add_layer({.clip = kNod, .joint = kHead}));
  const double before = playing.model_from_moved().m[0][3];
  playing.advance(0.5);
  EXPECT_NEAR(playing.model_from_moved().m[0][3] - before, 0.5, 1e-3);
}

}  // namespace
}  // namespace sinew::app
