// What a character of the viewer plays: its base clip, cross-fades, and what a pause stops.
#include "view/playing_fixture.h"

namespace sinew::app {
namespace {

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
  std::vector<std::vector<float>> masks(kMaxLayers, std::vector<float>(character.skeleton.joint_count()));
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

}  // namespace
}  // namespace sinew::app
