#include "sinew/animation/player.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "rig.h"
#include "sinew/animation/pose.h"

namespace sinew {
namespace {

/// Clips "a" from 0 to 2 s, "b" from 1 to 2 s, "c" from 0 to 4 s, and the additive clip "added" from 0 to 1 s.
Character four_clips() {
  Character character = test::random_rig({.joints = 2, .clips = 0});
  character.clips = {{"a", 0, 2, {}}, {"b", 1, 2, {}}, {"c", 0, 4, {}}, {"added", 0, 1, {}, true}};
  return character;
}

/// The layer of positive weight that plays `clip`, or null.
const Layer* layer_of(const Playback& playback, uint32_t clip) {
  for (const Layer& layer : playback.layers) {
    if (layer.weight > 0 && layer.clip == clip) return &layer;
  }
  return nullptr;
}

float time_of(const Player& player, uint32_t clip, uint32_t instance = 0) {
  const Playback playback = player.playback(instance);
  const Layer* layer = layer_of(playback, clip);
  return layer == nullptr ? NAN : layer->time_seconds;
}

float weight_of(const Player& player, uint32_t clip, uint32_t instance = 0) {
  const Playback playback = player.playback(instance);
  const Layer* layer = layer_of(playback, clip);
  return layer == nullptr ? 0 : layer->weight;
}

TEST(Player, InstancesRestUntilTheyPlay) {
  Player player(four_clips(), 2);
  ASSERT_TRUE(player.play(1, 0));
  EXPECT_EQ(weight_of(player, 0, 0), 0);
  EXPECT_EQ(weight_of(player, 0, 1), 1);
  for (const Layer& layer : player.playback(0).layers) EXPECT_EQ(layer.weight, 0);
}

TEST(Player, LoopsClampsAndPingPongs) {
  Player player(four_clips(), 3);
  ASSERT_TRUE(player.play(0, 1, {.looping = Looping::kLoop}));
  ASSERT_TRUE(player.play(1, 1, {.looping = Looping::kClamp}));
  ASSERT_TRUE(player.play(2, 1, {.looping = Looping::kPingPong}));
  ASSERT_TRUE(player.advance(1.25));
  EXPECT_FLOAT_EQ(time_of(player, 1, 0), 1.25f);
  EXPECT_FLOAT_EQ(time_of(player, 1, 1), 2);
  EXPECT_FLOAT_EQ(time_of(player, 1, 2), 1.75f);
}

TEST(Player, PingPongsOverManySteps) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 1, {.looping = Looping::kPingPong}));  // from 1 to 2 s
  for (const float expected : {1.75f, 1.5f, 1.25f, 2.0f, 1.25f}) {
    ASSERT_TRUE(player.advance(0.75));
    EXPECT_FLOAT_EQ(time_of(player, 1), expected);
  }
}

TEST(Player, PlaysAtAnySpeedFromAnyStart) {
  Player player(four_clips(), 3);
  ASSERT_TRUE(player.play(0, 0, {.speed = -1}));
  ASSERT_TRUE(player.play(1, 0, {.start_seconds = 1.5, .speed = 0.5f}));
  ASSERT_TRUE(player.play(2, 0, {.start_seconds = -0.5, .speed = 3}));
  ASSERT_TRUE(player.set_speed(2, -2));
  ASSERT_TRUE(player.advance(0.25));
  EXPECT_FLOAT_EQ(time_of(player, 0, 0), 1.75f);
  EXPECT_FLOAT_EQ(time_of(player, 0, 1), 1.625f);
  EXPECT_FLOAT_EQ(time_of(player, 0, 2), 0);  // -0.5 - 1.5 is one loop back
}

TEST(Player, CrossFadesLinearly) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.advance(1));
  ASSERT_TRUE(player.cross_fade(0, 2, 0.5));
  EXPECT_EQ(weight_of(player, 0), 1);
  EXPECT_EQ(weight_of(player, 2), 0);
  ASSERT_TRUE(player.advance(0.125));
  EXPECT_FLOAT_EQ(weight_of(player, 0), 0.75f);
  EXPECT_FLOAT_EQ(weight_of(player, 2), 0.25f);
  EXPECT_FLOAT_EQ(time_of(player, 0), 1.125f) << "a clip that fades out plays on";
  EXPECT_FLOAT_EQ(time_of(player, 2), 0.125f);
  ASSERT_TRUE(player.advance(10));
  EXPECT_EQ(weight_of(player, 0), 0);
  EXPECT_EQ(weight_of(player, 2), 1);
}

TEST(Player, FadeFromTheRestPoseHasFullWeightAtOnce) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.cross_fade(0, 0, 5));
  EXPECT_EQ(weight_of(player, 0), 1);
}

TEST(Player, LongFadesAdvanceInSmallSteps) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 2, 36000));
  for (int i = 0; i < 18000; ++i) ASSERT_TRUE(player.advance(1e-3));
  EXPECT_NEAR(weight_of(player, 2), 18.0 / 36000, 1e-9);
}

TEST(Player, InterruptedFadeContinuesFromItsCurrentWeights) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 1, 1));
  ASSERT_TRUE(player.advance(0.5));
  ASSERT_TRUE(player.cross_fade(0, 2, 1));
  ASSERT_TRUE(player.advance(0.5));
  EXPECT_FLOAT_EQ(weight_of(player, 0), 0.25f);
  EXPECT_FLOAT_EQ(weight_of(player, 1), 0.25f);
  EXPECT_FLOAT_EQ(weight_of(player, 2), 0.5f);
}

TEST(Player, AClipThatHasJustBegunToFadeInIsReplaced) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 2, 0.5));
  ASSERT_TRUE(player.cross_fade(0, 1, 0.5));
  ASSERT_TRUE(player.advance(1));
  EXPECT_EQ(weight_of(player, 2), 0);
  EXPECT_EQ(weight_of(player, 1), 1);
}

TEST(Player, AFadeOfNearlyNoTimeIsOverAtOnce) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 2, 5e-324));
  EXPECT_EQ(weight_of(player, 0), 0);
  EXPECT_EQ(weight_of(player, 2), 1);
}

/// With all layers in use: weights are 0.729, 0.081, 0.09 and 0.1.
TEST(Player, NewClipTakesTheLayerOfTheLeastWeight) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  for (const uint32_t clip : {1u, 2u, 0u}) {
    ASSERT_TRUE(player.cross_fade(0, clip, 10));
    ASSERT_TRUE(player.advance(1));
  }
  ASSERT_TRUE(player.cross_fade(0, 2, 10));
  ASSERT_TRUE(player.advance(1));
  const Playback playback = player.playback(0);
  EXPECT_FLOAT_EQ(playback.layers[0].weight, 0.6561f);
  EXPECT_EQ(playback.layers[1].clip, 2u);
  EXPECT_FLOAT_EQ(playback.layers[1].weight, 0.1f);
  EXPECT_FLOAT_EQ(playback.layers[2].weight, 0.081f);
  EXPECT_FLOAT_EQ(playback.layers[3].weight, 0.09f);
}

TEST(Player, NewClipReplacesTheLightestLayerOfItsMask) {
  Player player(four_clips(), 1);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(player.cross_fade(0, uint32_t(i % 3), 1));
    ASSERT_TRUE(player.advance(0.1));
    const Playback playback = player.playback(0);
    float sum = 0;
    for (const Layer& layer : playback.layers) sum += layer.weight;
    EXPECT_GT(sum, 0.1f);
  }
}

TEST(Player, LayersOfOtherMasksPlayOn) {
  Player player(four_clips(), 1, 2);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 1, 1, {.weight = 5, .mask = 2}));
  ASSERT_TRUE(player.advance(0.5));
  EXPECT_EQ(weight_of(player, 0), 1);
  EXPECT_FLOAT_EQ(weight_of(player, 1), 2.5f);
  EXPECT_EQ(layer_of(player.playback(0), 1)->mask, 2u);
  ASSERT_TRUE(player.cross_fade(0, 2, 0.25));
  ASSERT_TRUE(player.advance(0.5));
  EXPECT_EQ(weight_of(player, 0), 0);
  EXPECT_EQ(weight_of(player, 2), 1);
  EXPECT_EQ(weight_of(player, 1), 5);
}

TEST(Player, AdditiveClipsReplaceOnlyThemselves) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 3, 1, {.weight = 0.5f}));
  ASSERT_TRUE(player.advance(0.5));
  EXPECT_EQ(weight_of(player, 0), 1);
  EXPECT_FLOAT_EQ(weight_of(player, 3), 0.25f);
  ASSERT_TRUE(player.play(0, 1));
  EXPECT_FLOAT_EQ(weight_of(player, 3), 0.25f);
  EXPECT_EQ(weight_of(player, 0), 0);
}

TEST(Player, StopsOneClip) {
  Player player(four_clips(), 1, 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.play(0, 1, {.mask = 1}));
  ASSERT_TRUE(player.stop(0, 1, 1));
  ASSERT_TRUE(player.advance(0.25));
  EXPECT_FLOAT_EQ(weight_of(player, 1), 0.75f);
  ASSERT_TRUE(player.advance(1));
  EXPECT_EQ(weight_of(player, 1), 0);
  EXPECT_EQ(weight_of(player, 0), 1);
  ASSERT_TRUE(player.stop(0, 0));
  for (const Layer& layer : player.playback(0).layers) EXPECT_EQ(layer.weight, 0);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.play(0, 0, {.mask = 1}));
  ASSERT_TRUE(player.stop(0, 0));
  for (const Layer& layer : player.playback(0).layers) EXPECT_EQ(layer.weight, 0) << "in every layer";
}

TEST(Player, PlaybacksOfAllInstancesAreContiguous) {
  Player player(four_clips(), 5);
  for (uint32_t i = 0; i < 5; ++i) ASSERT_TRUE(player.play(i, 2, {.start_seconds = i * 0.25}));
  ASSERT_TRUE(player.cross_fade(3, 0, 1));
  ASSERT_TRUE(player.advance(0.5));
  ASSERT_TRUE(player.stop(1, 2));
  const std::span<const Playback> playbacks = player.playbacks();
  ASSERT_EQ(playbacks.size(), 5u);
  EXPECT_EQ(playbacks[1].layers[0].weight, 0);
  EXPECT_FLOAT_EQ(playbacks[2].layers[0].time_seconds, 1);
  EXPECT_FLOAT_EQ(playbacks[3].layers[0].weight, 0.5f);
  EXPECT_FLOAT_EQ(playbacks[3].layers[1].weight, 0.5f);
  EXPECT_EQ(playbacks[3].layers[1].clip, 0u);
}

TEST(Player, WithoutACharacterHasNoInstances) {
  Player player;
  EXPECT_TRUE(player.playbacks().empty());
  EXPECT_EQ(player.play(0, 0).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(player.advance(1));
  player = Player(four_clips(), 1);
  EXPECT_TRUE(player.play(0, 0));
}

TEST(Player, ResizeKeepsThoseThatStay) {
  Player player(four_clips(), 2);
  ASSERT_TRUE(player.play(1, 0, {.speed = 0.5f}));
  ASSERT_TRUE(player.set_speed(1, 2));
  ASSERT_TRUE(player.cross_fade(1, 2, 1));
  ASSERT_TRUE(player.resize(1000));
  ASSERT_EQ(player.instance_count(), 1000u);
  ASSERT_EQ(player.playbacks().size(), 1000u);
  ASSERT_TRUE(player.play(999, 2));
  ASSERT_TRUE(player.advance(0.25));
  EXPECT_FLOAT_EQ(time_of(player, 0, 1), 0.25f);
  EXPECT_FLOAT_EQ(weight_of(player, 0, 1), 0.75f);
  EXPECT_FLOAT_EQ(time_of(player, 2, 999), 0.25f) << "a new instance has a speed of 1";
  ASSERT_TRUE(player.resize(2));
  EXPECT_FALSE(player.play(2, 0));
  ASSERT_TRUE(player.resize(1000));
  for (const Layer& layer : player.playback(999).layers) EXPECT_EQ(layer.weight, 0) << "of the one before";
  EXPECT_FLOAT_EQ(weight_of(player, 0, 1), 0.75f);
  ASSERT_TRUE(player.resize(0));
  EXPECT_TRUE(player.playbacks().empty());
  EXPECT_TRUE(player.advance(1));
}

TEST(Player, HasALimitOfInstances) {
  const auto message = [](const Status& status) { return status ? "" : status.error().message; };
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  EXPECT_EQ(message(player.resize(UINT32_MAX)), "player: 4294967295 instances, but at most 16777216");
  EXPECT_EQ(message(player.resize(kMaxPlayerInstances + 1)), "player: 16777217 instances, but at most 16777216");
  EXPECT_EQ(player.instance_count(), 1u);
  EXPECT_EQ(weight_of(player, 0), 1);
  Player huge(four_clips(), UINT32_MAX);
  EXPECT_EQ(huge.instance_count(), 0u);
  for (const Status& status : {huge.advance(0), huge.play(0, 0), huge.reset(0), huge.resize(1), huge.set_speed(0, 1),
                               huge.stop(0, 0), huge.set_root_track(0, {})}) {
    EXPECT_EQ(message(status), "player: 4294967295 instances, but at most 16777216");
  }
}

TEST(Player, TimeIsExactAfterAWeek) {
  Player player(four_clips(), 1);
  ASSERT_TRUE(player.play(0, 0));
  const uint32_t frames = 7 * 24 * 3600 * 30;
  for (uint32_t i = 0; i < frames; ++i) ASSERT_TRUE(player.advance(1.0 / 30));
  ASSERT_TRUE(player.advance(0.75));
  EXPECT_NEAR(time_of(player, 0), 0.75, 1e-5);
}

TEST(Player, RefusesInvalidArguments) {
  Player player(four_clips(), 2, 1);
  ASSERT_TRUE(player.play(0, 0));
  const auto message = [](const Status& status) {
    EXPECT_FALSE(status);
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(message(player.play(2, 0)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message(player.reset(2)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message(player.set_speed(2, 1)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message(player.play(0, 4)), "player: there is no clip 4 in this character, which has 4");
  EXPECT_EQ(message(player.play(0, 1, {.mask = 2})), "player: there is no mask 2, of 1");
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    EXPECT_NE(message(player.play(0, 1, {.start_seconds = double(bad)})).find("start"), std::string::npos);
    EXPECT_NE(message(player.play(0, 1, {.speed = bad})).find("speed"), std::string::npos);
    EXPECT_NE(message(player.play(0, 1, {.weight = bad})).find("weight"), std::string::npos);
    EXPECT_NE(message(player.cross_fade(0, 1, double(bad))).find("fade"), std::string::npos);
    EXPECT_NE(message(player.stop(0, 1, double(bad))).find("fade"), std::string::npos);
    EXPECT_NE(message(player.set_speed(0, bad)).find("speed"), std::string::npos);
    EXPECT_NE(message(player.advance(double(bad))).find("advance"), std::string::npos);
  }
  EXPECT_NE(message(player.play(0, 1, {.weight = 0})).find("weight"), std::string::npos);
  EXPECT_NE(message(player.cross_fade(0, 1, -1)).find("fade"), std::string::npos);
  EXPECT_NE(message(player.set_root_track(0, {{0, 1, 0}, 0, 7, {}})).find("another clip"), std::string::npos);
  EXPECT_EQ(weight_of(player, 0), 1) << "nothing has changed";
  EXPECT_EQ(time_of(player, 0), 0);
}

TEST(Player, RefusesAFifthMask) {
  Player player(four_clips(), 1, 9);
  for (uint32_t mask = 0; mask < 4; ++mask) ASSERT_TRUE(player.play(0, 0, {.mask = mask}));
  EXPECT_FALSE(player.play(0, 0, {.mask = 4}));
  EXPECT_TRUE(player.play(0, 1, {.mask = 3})) << "replaces the layer of its own mask";
  EXPECT_TRUE(player.cross_fade(0, 2, 5));
  EXPECT_EQ(weight_of(player, 2), 1) << "takes the only layer of its mask: there is none to fade from";
}

bool operator==(const Layer& a, const Layer& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Three clips, one that is additive and one without time.
Character marked_walker(bool has_markers) {
  Character character;
  character.clips = {
      {"a", 0, 2, {}}, {"b", 1, 2.5f, {}}, {"c", 0, 0.7f, {}}, {"added", 0, 1, {}, true}, {"d", 3, 3, {}}};
  if (!has_markers) return character;
  character.clips[0].markers = {{0, "start"}, {1.5f, "step"}};
  character.clips[1].markers = {{1.25f, "left"}, {1.75f, "right"}, {2.5f, "end"}};
  character.clips[3].markers = {{0.5f, "added"}};
  return character;
}

RootTrack track_of(const Clip& clip) {
  return {{0, 1, 0}, clip.start_seconds, clip.end_seconds, {{}, {{0.1f, 0, 1}, 0.2}, {{0.5f, 0, 1.5f}, -0.3}}};
}

/// A player whose instances come and go, beside players of one instance each, made anew for each newcomer.
class Session {
 public:
  explicit Session(uint32_t seed) : random_(seed), character_(marked_walker(seed % 4 > 0)), player_(make(3)) {
    for (int i = 0; i < 3; ++i) alone_.push_back({make(1), {}});
  }

  void step() {
    switch (below(8)) {
      case 0:
        resize(below(3) > 0 ? uint32_t(alone_.size() + 1) : below(12));
        break;
      case 1:
        if (!alone_.empty()) reset(below(uint32_t(alone_.size())));
        break;
      case 2:
        advance(double(below(100)) / 100 - 0.2);
        break;
      default:
        if (!alone_.empty()) change(below(uint32_t(alone_.size())));
    }
  }

  void compare() const {
    std::vector<MarkerEvent> events;
    ASSERT_EQ(player_.instance_count(), alone_.size());
    for (uint32_t i = 0; i < alone_.size(); ++i) {
      const Playback playback = player_.playback(i), expected = alone_[i].player.playback(0);
      for (uint32_t l = 0; l < kMaxLayers; ++l) ASSERT_TRUE(playback.layers[l] == expected.layers[l]) << i;
      ASSERT_EQ(std::memcmp(&player_.playbacks()[i], &playback, sizeof playback), 0);
      const GroundMotion motion = player_.root_motion(i), wanted = alone_[i].player.root_motion(0);
      ASSERT_EQ(motion.heading_radians, wanted.heading_radians) << i;
      ASSERT_EQ(length(motion.translation - wanted.translation), 0) << i;
      for (MarkerEvent event : alone_[i].events) event.instance = i, events.push_back(event);
    }
    ASSERT_EQ(player_.events().size(), events.size());
    for (size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(std::memcmp(&player_.events()[i], &events[i], sizeof events[i]), 0) << i;
    }
  }

 private:
  struct Alone {
    Player player;
    std::vector<MarkerEvent> events;  // of the last advance(), with weight 0 if the instance was reset since
  };

  uint32_t below(uint32_t end) { return random_() % end; }

  Player make(uint32_t instances) const {
    Player player(character_, instances, 2);
    for (uint32_t clip : {0u, 1u}) EXPECT_TRUE(player.set_root_track(clip, track_of(character_.clips[clip])));
    return player;
  }

  void resize(uint32_t count) {
    ASSERT_TRUE(player_.resize(count));
    while (alone_.size() > count) alone_.pop_back();
    while (alone_.size() < count) alone_.push_back({make(1), {}});
  }

  void reset(uint32_t instance) {
    ASSERT_TRUE(player_.reset(instance));
    alone_[instance].player = make(1);
    for (MarkerEvent& event : alone_[instance].events) event.weight = 0;
  }

  void advance(double seconds) {
    ASSERT_TRUE(player_.advance(seconds));
    for (Alone& each : alone_) {
      ASSERT_TRUE(each.player.advance(seconds));
      each.events.assign(each.player.events().begin(), each.player.events().end());
    }
  }

  /// Starts, fades, stops or speeds up a clip, with a mask or backward now and then. Both may refuse it.
  void change(uint32_t instance) {
    const uint32_t clip = below(uint32_t(character_.clips.size()));
    const double fade = below(2) > 0 ? double(below(10)) / 10 : 0;
    const float speed = float(below(5)) - 1;
    const PlayOptions options{.start_seconds = double(below(8)) / 4,
                              .speed = speed,
                              .looping = Looping(below(3)),
                              .weight = 0.5f + float(below(3)),
                              .mask = below(4) > 0 ? 0 : below(3)};
    const uint32_t kind = below(6);
    const auto act = [&](Player& player, uint32_t of) {
      if (kind == 0) return player.set_speed(of, speed);
      return kind == 1 ? player.stop(of, clip, fade) : player.cross_fade(of, clip, fade, options);
    };
    ASSERT_EQ(bool(act(player_, instance)), bool(act(alone_[instance].player, 0)));
  }

  std::mt19937 random_;
  Character character_;
  Player player_;
  std::vector<Alone> alone_;
};

TEST(PlayerSession, InstancesThatComeAndGoAreAsPlayersOfTheirOwn) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    Session session(seed);
    for (int i = 0; i < 600; ++i) {
      session.step();
      ASSERT_NO_FATAL_FAILURE(session.compare()) << "seed " << seed << ", step " << i;
    }
  }
}

/// A layer that a host writes plays; those that it leaves out do not.
TEST(Playback, LayersThatAreGivenHaveFullWeight) {
  const auto weights_of = [](const Playback& playback) {
    std::vector<float> weights;
    for (const Layer& layer : playback.layers) weights.push_back(layer.weight);
    return weights;
  };
  const std::vector<float> rest{0, 0, 0, 0}, alone{1, 0, 0, 0}, two{1, 0.5f, 0, 0};
  EXPECT_EQ(Layer().weight, 1);
  EXPECT_EQ(weights_of({}), rest);
  EXPECT_EQ(weights_of(Playback()), rest);
  EXPECT_EQ(weights_of({{{.clip = 1, .time_seconds = 0.25f}}}), alone);
  EXPECT_EQ(weights_of({{{1, 0.25f}, {0, 0.25f, 0.5f}}}), two);
  EXPECT_EQ(weights_of({{{}, {}, {}, {}}}), std::vector<float>(4, 1.0f));
  const Playback one = Playback::of(1, 0.25f);
  EXPECT_EQ(weights_of(one), alone);
  EXPECT_EQ(one.layers[0].clip, 1u);
  EXPECT_EQ(one.layers[0].time_seconds, 0.25f);
  EXPECT_EQ(one.layers[0].mask, 0u);
  // Hosts copy playbacks as bytes, and C reads them.
  static_assert(std::is_trivially_copyable_v<Playback> && std::is_standard_layout_v<Playback>);
  static_assert(sizeof(Playback) == 64 && sizeof(Layer) == 16);
}

TEST(Playback, InvalidValuesAreRefused) {
  EXPECT_TRUE(validate(Playback{{{0, 0.5f, 1}, {1, 0, 2, 1}}}, 2, 1));
  EXPECT_FALSE(validate(Playback{{{2, 0, 1}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, NAN, 1}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, INFINITY, 1}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, 0, -1}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, 0, 1}, {0, 0, NAN}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, 0, 0}}}, 2));
  EXPECT_FALSE(validate(Playback{{{0, 0, 1, 1}}}, 2));
}

TEST(BakedCharacter, OfAnotherCharacterIsRefused) {
  const Character character = test::random_rig({.joints = 3, .clips = 2});
  const Result<BakedCharacter> baked = bake(character);
  EXPECT_TRUE(validate(*baked, character));
  EXPECT_FALSE(validate(*baked, test::random_rig({.joints = 4, .clips = 2})));
  EXPECT_FALSE(validate(*baked, test::random_rig({.joints = 3, .clips = 1})));
  EXPECT_FALSE(validate(*baked, test::random_rig({.joints = 3, .clips = 2, .duration_seconds = 2})));
}

}  // namespace
}  // namespace sinew
