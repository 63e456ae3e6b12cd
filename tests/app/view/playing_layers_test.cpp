// Layers over the base clip: what they replace, how they fade, and how many there may be.
#include "view/playing_fixture.h"

namespace sinew::app {
namespace {

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
  std::vector<std::vector<float>> masks(kMaxLayers, std::vector<float>(character.skeleton.joint_count()));
  ASSERT_TRUE(playing.add_layer({.clip = 4, .weight = 0.5f}));
  EXPECT_EQ(playing.playback(masks).layers[0].weight, 1);
  EXPECT_EQ(playing.playback(masks).layers[1].clip, 4u);
  EXPECT_EQ(playing.playback(masks).layers[1].weight, 0.5f);
  ASSERT_TRUE(playing.choose(4, 1));
  EXPECT_EQ(playing.playback(masks).layers[0].clip, 4u) << "an additive clip does not fade";
  EXPECT_TRUE(playing.set_root_motion(RootMotion::kApplied));
}

}  // namespace
}  // namespace sinew::app
