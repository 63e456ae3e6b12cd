// Players against a slow walk through time, one tick after the other; and what such a walk does not reach.
#include "sinew/animation/player.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "heap_faults.h"
#include "message.h"
#include "out_of_memory.h"
#include "rig.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/retarget.h"
#include "sinew/animation/root_motion.h"

namespace sinew {
namespace {

using test::message_of;

// --- the walk: all times are whole ticks ---

constexpr double kTick = 1.0 / 256;

int64_t ticks_of(double seconds) { return std::llround(seconds / kTick); }
int64_t duration_of(const Clip& clip) { return ticks_of(double(clip.end_seconds) - double(clip.start_seconds)); }

/// Where a clip is after `time` ticks of playback, in ticks from its start.
int64_t place_in(const Clip& clip, Looping looping, int64_t time) {
  const int64_t duration = duration_of(clip), period = looping == Looping::kPingPong ? 2 * duration : duration;
  if (looping == Looping::kClamp || duration == 0) return std::clamp<int64_t>(time, 0, duration);
  const int64_t rest = (time % period + period) % period;
  return rest <= duration ? rest : period - rest;
}

struct SlowLayer {
  uint32_t clip = 0;
  PlayOptions options = {};
  int64_t before = 0, now = 0;  // ticks of playback
  bool has_started = false;     // since the last advance
  double from = 0, to = 0;      // weights at the ends of the fade
  double elapsed = 0, fade_seconds = 0;

  bool fades() const { return elapsed < fade_seconds; }
  double weight() const { return fades() ? from + (to - from) * (elapsed / fade_seconds) : to; }
  bool plays() const { return weight() != 0 || fades(); }
  void fade(double weight_then, double seconds) {
    from = weight(), to = weight_then, elapsed = 0;
    fade_seconds = from == to || seconds < 1e-300 ? 0 : seconds;
  }
};

class SlowPlayer {
 public:
  SlowPlayer(const Character& character, std::vector<double> rates)
      : clips_(character.clips), rates_(std::move(rates)) {}

  void resize(uint32_t count) {
    instances_.resize(count);
    std::erase_if(events_, [&](const MarkerEvent& event) { return event.instance >= count; });
  }

  void reset(uint32_t instance) {
    instances_[instance] = {};
    for (MarkerEvent& event : events_) event.weight = event.instance == instance ? 0 : event.weight;
  }

  void set_speed(uint32_t instance, float speed) { instances_[instance].speed = double(speed); }

  void stop(uint32_t instance, uint32_t clip, double seconds) {
    for (SlowLayer& layer : instances_[instance].layers) {
      if (layer.clip == clip) layer.fade(0, seconds);
    }
  }

  /// False if no layer is left.
  bool cross_fade(uint32_t instance, uint32_t clip, double seconds, const PlayOptions& options) {
    auto& layers = instances_[instance].layers;
    std::vector<SlowLayer*> group;  // what the clip replaces
    for (SlowLayer& layer : layers) {
      const bool same = layer.options.mask == options.mask && clips_[layer.clip].additive == clips_[clip].additive &&
                        (!clips_[clip].additive || layer.clip == clip);
      if (same && layer.plays()) group.push_back(&layer);
    }
    SlowLayer* chosen = std::ranges::find_if_not(layers, &SlowLayer::plays);
    if (chosen == std::end(layers)) {
      if (group.empty()) return false;
      chosen = *std::ranges::min_element(group, {}, &SlowLayer::weight);
    }
    std::erase(group, chosen);
    for (SlowLayer* other : group) other->fade(0, seconds);
    const bool at_once = group.empty() && options.mask == 0 && !clips_[clip].additive;
    const int64_t start = ticks_of(options.start_seconds);
    *chosen = {clip, options, start, start, true};
    chosen->fade(double(options.weight), at_once ? 0 : seconds);
    return true;
  }

  void advance(double seconds) {
    events_.clear();
    for (uint32_t i = 0; i < instances_.size(); ++i) {
      for (SlowLayer& layer : instances_[i].layers) {
        if (!layer.plays()) continue;
        const std::vector<uint32_t> passed =
            walk(layer, ticks_of(seconds * double(layer.options.speed) * instances_[i].speed));
        layer.elapsed += std::abs(seconds), layer.has_started = false;
        for (size_t m = 0; m < std::min<size_t>(passed.size(), kMaxEventsPerLayer); ++m)
          events_.push_back({i, layer.clip, passed[m], float(layer.weight())});
      }
    }
  }

  void expect_same(const Player& player) const {
    ASSERT_EQ(player.instance_count(), instances_.size());
    for (uint32_t i = 0; i < instances_.size(); ++i) {
      ASSERT_EQ(std::memcmp(&player.playbacks()[i], player.playback(i).layers, sizeof(Playback)), 0);
      for (size_t l = 0; l < kMaxLayers; ++l) expect_layer(instances_[i].layers[l], player.playbacks()[i].layers[l]);
      expect_motion(instances_[i], player.root_motion(i));
    }
    ASSERT_EQ(player.events().size(), events_.size());
    for (size_t e = 0; e < events_.size(); ++e) {
      const MarkerEvent &event = player.events()[e], &expected = events_[e];
      ASSERT_EQ(event.instance, expected.instance);
      ASSERT_EQ(event.clip, expected.clip);
      ASSERT_EQ(event.marker, expected.marker) << "event " << e;
      ASSERT_NEAR(event.weight, expected.weight, 1e-5) << "event " << e;
    }
  }

 private:
  struct Instance {
    double speed = 1;
    SlowLayer layers[kMaxLayers];
  };

  int64_t place_of(const SlowLayer& layer, int64_t time) const {
    return place_in(clips_[layer.clip], layer.options.looping, time);
  }

  /// Markers at a place in the order of time. The end of a loop is passed with its start, and before it.
  std::vector<uint32_t> markers_at(const SlowLayer& layer, int64_t place, bool with_end) const {
    const Clip& clip = clips_[layer.clip];
    std::vector<uint32_t> found, at_end;
    const bool loops = layer.options.looping == Looping::kLoop && duration_of(clip) > 0;
    for (uint32_t m = 0; m < clip.markers.size(); ++m) {
      const int64_t at = ticks_of(double(clip.markers[m].time_seconds) - double(clip.start_seconds));
      if (loops && at == duration_of(clip)) {
        if (place == 0 && with_end) at_end.push_back(m);
      } else if (at == place) {
        found.push_back(m);
      }
    }
    at_end.insert(at_end.end(), found.begin(), found.end());
    return at_end;
  }

  /// Tick by tick. Returns the markers that are passed.
  std::vector<uint32_t> walk(SlowLayer& layer, int64_t ticks) const {
    const bool loops = layer.options.looping == Looping::kLoop && duration_of(clips_[layer.clip]) > 0;
    std::vector<uint32_t> passed;
    layer.before = layer.now;
    if (layer.has_started) passed = markers_at(layer, place_of(layer, layer.now), false);
    for (const int64_t end = layer.now + ticks, step = ticks < 0 ? -1 : 1; layer.now != end; layer.now += step) {
      const int64_t place = place_of(layer, layer.now + step);
      if (!loops && place == place_of(layer, layer.now)) continue;  // it stands at an end
      std::vector<uint32_t> here = markers_at(layer, place, true);
      if (step < 0) std::ranges::reverse(here);
      passed.insert(passed.end(), here.begin(), here.end());
    }
    return passed;
  }

  void expect_layer(const SlowLayer& layer, const Layer& shown) const {
    ASSERT_NEAR(shown.weight, layer.weight(), 1e-5);
    if (!(layer.weight() > 1e-5)) return;
    ASSERT_EQ(shown.clip, layer.clip);
    ASSERT_EQ(shown.mask, layer.options.mask);
    const double place = double(place_of(layer, layer.now)) * kTick;
    ASSERT_NEAR(shown.time_seconds, double(clips_[layer.clip].start_seconds) + place, 1e-5);
  }

  /// Of tracks that move evenly: clips with an even index along x, others about the up axis.
  void expect_motion(const Instance& instance, const GroundMotion& motion) const {
    double sums[2] = {}, weights = 0;
    for (const SlowLayer& layer : instance.layers) {
      if (!(layer.weight() > 0) || clips_[layer.clip].additive) continue;
      const bool loops = layer.options.looping == Looping::kLoop && duration_of(clips_[layer.clip]) > 0;
      const int64_t way = loops ? layer.now - layer.before : place_of(layer, layer.now) - place_of(layer, layer.before);
      sums[layer.clip % 2] += layer.weight() * double(way) * rates_[layer.clip];
      weights += layer.weight();
    }
    ASSERT_NEAR(motion.translation.x, weights > 0 ? sums[0] / weights : 0, 1e-4);
    ASSERT_NEAR(motion.heading_radians, weights > 0 ? sums[1] / weights : 0, 1e-4);
  }

  std::vector<Clip> clips_;
  std::vector<double> rates_;  // of root motion, per tick of each clip
  std::vector<Instance> instances_;
  std::vector<MarkerEvent> events_;
};

/// A player and a slow one that do the same at random: clips, fades, masks, speeds; time that goes both ways;
/// instances that come and go.
class Walk {
 public:
  explicit Walk(uint32_t seed) : random_(seed), character_(make_clips(seed % 5 > 0)), slow_(character_, rates_) {
    player_ = Player(character_, 0, 2);
    for (uint32_t clip = 0; clip < character_.clips.size(); ++clip) {
      const Clip& own = character_.clips[clip];
      const double whole = rates_[clip] * double(duration_of(own));
      const GroundMotion end = clip % 2 == 0 ? GroundMotion{{float(whole), 0, 0}, 0} : GroundMotion{{}, whole};
      EXPECT_TRUE(player_.set_root_track(clip, {{0, 1, 0}, own.start_seconds, own.end_seconds, {{}, end}}));
    }
    resize(3);
  }

  void step() {
    const uint32_t kind = below(20), count = player_.instance_count();
    if (kind < 8) {
      const double seconds = double(between(-12, below(8) == 0 ? 300 : 24)) / 64;
      ASSERT_TRUE(player_.advance(seconds));
      slow_.advance(seconds);
    } else if (kind == 8 || count == 0) {
      resize(below(3) > 0 ? count + 1 : below(6));
    } else {
      act(kind, below(count));
    }
    ASSERT_NO_FATAL_FAILURE(slow_.expect_same(player_));
  }

 private:
  uint32_t below(uint32_t end) { return random_() % end; }
  int between(int low, int high) { return low + int(below(uint32_t(high - low + 1))); }

  Character make_clips(bool has_markers) {
    Character character;
    for (uint32_t i = 0; i < 6; ++i) {
      const uint32_t ticks = i == 5 ? 0 : 1 + below(i == 4 ? 8 : 600);
      Clip& clip = character.clips.emplace_back(Clip{"clip", float(between(-4, 4)) / 4, 0, {}, i == 3});
      clip.end_seconds = clip.start_seconds + float(ticks) / 256;
      for (uint32_t m = has_markers ? below(5) : 0; m > 0; --m) {
        const uint32_t at[] = {0, ticks, below(ticks + 1)};
        clip.markers.push_back({clip.start_seconds + float(at[below(3)]) / 256, "m"});
      }
      std::ranges::sort(clip.markers, {}, &Marker::time_seconds);
      rates_.push_back(double(between(-50, 50)) / 5000);
    }
    return character;
  }

  void resize(uint32_t count) {
    ASSERT_TRUE(player_.resize(count));
    slow_.resize(count);
  }

  void act(uint32_t kind, uint32_t instance) {
    const float speeds[] = {-2, -1, -0.5f, 0, 0.5f, 1, 1, 2, 3};
    const uint32_t clip = below(uint32_t(character_.clips.size()));
    const double fades[] = {0, 5e-324, 0.1, 0.3, 0.77, 1.51}, fade = fades[below(6)];
    if (kind == 9) {
      ASSERT_TRUE(player_.reset(instance));
      slow_.reset(instance);
    } else if (kind == 10) {
      const float speed = speeds[below(9)];
      ASSERT_TRUE(player_.set_speed(instance, speed));
      slow_.set_speed(instance, speed);
    } else if (kind == 11) {
      ASSERT_TRUE(player_.stop(instance, clip, fade));
      slow_.stop(instance, clip, fade);
    } else {
      const PlayOptions options{.start_seconds = between(-200, 800) * kTick,
                                .speed = speeds[below(9)],
                                .looping = Looping(below(3)),
                                .weight = 0.5f + float(below(3)) + float(below(100)) / 1000,
                                .mask = below(3) > 0 ? 0 : below(3)};
      ASSERT_EQ(bool(player_.cross_fade(instance, clip, fade, options)),
                slow_.cross_fade(instance, clip, fade, options));
    }
  }

  std::mt19937 random_;
  std::vector<double> rates_;
  Character character_;
  Player player_;
  SlowPlayer slow_;
};

TEST(Player, PlaysAsASlowWalkThroughTime) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Walk walk(seed);
    for (int i = 0; i < 300; ++i) {
      ASSERT_NO_FATAL_FAILURE(walk.step()) << "seed " << seed << ", step " << i;
    }
  }
}

// --- what the walk does not reach ---

/// Clips "a" from 0 to 2 s with a marker at its start and at 0.5 s, "b" from 0 to 1 s with one at 0.5 s, "plain" and
/// the additive clip "added" without.
Character marked() {
  Character character;
  character.clips = {{"a", 0, 2, {}}, {"b", 0, 1, {}}, {"plain", 0, 4, {}}, {"added", 0, 1, {}, true}};
  character.clips[0].markers = {{0, "start"}, {0.5f, "left"}};
  character.clips[1].markers = {{0.5f, "middle"}};
  return character;
}

Player playing(uint32_t clip) {
  Player player(marked(), 1);
  EXPECT_TRUE(player.play(0, clip));
  return player;
}

size_t passed(Player& player, double seconds) {
  EXPECT_TRUE(player.advance(seconds));
  return player.events().size();
}

TEST(Player, LongFadesAdvanceInSmallSteps) {
  Player player(marked(), 1);
  ASSERT_TRUE(player.play(0, 0));
  ASSERT_TRUE(player.cross_fade(0, 2, 36000));
  for (int i = 0; i < 18000; ++i) ASSERT_TRUE(player.advance(1e-3));
  EXPECT_NEAR(player.playback(0).layers[1].weight, 18.0 / 36000, 1e-9);
}

TEST(Player, HasALimitOfInstances) {
  Player player(marked(), 1);
  ASSERT_TRUE(player.play(0, 0));
  EXPECT_EQ(message_of(player.resize(UINT32_MAX)), "player: 4294967295 instances, but at most 16777216");
  EXPECT_EQ(message_of(player.resize(kMaxPlayerInstances + 1)), "player: 16777217 instances, but at most 16777216");
  EXPECT_EQ(player.instance_count(), 1u);
  EXPECT_EQ(player.playback(0).layers[0].weight, 1);
  Player huge(marked(), UINT32_MAX);
  EXPECT_EQ(huge.instance_count(), 0u);
  for (const Status& status : {huge.advance(0), huge.play(0, 0), huge.reset(0), huge.resize(1), huge.set_speed(0, 1),
                               huge.stop(0, 0), huge.set_root_track(0, {})}) {
    EXPECT_EQ(message_of(status), "player: 4294967295 instances, but at most 16777216");
  }
}

TEST(Player, WithoutACharacterHasNoInstances) {
  Player player;
  EXPECT_TRUE(player.playbacks().empty());
  EXPECT_EQ(player.play(0, 0).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(player.advance(1));
  player = Player(marked(), 1);
  EXPECT_TRUE(player.play(0, 0));
}

TEST(Player, RefusesInvalidArguments) {
  Player player(marked(), 2, 1);
  ASSERT_TRUE(player.play(0, 0));
  EXPECT_EQ(message_of(player.play(2, 0)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message_of(player.reset(2)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message_of(player.set_speed(2, 1)), "player: there is no instance 2, of 2");
  EXPECT_EQ(message_of(player.play(0, 4)), "player: there is no clip 4 in this character, which has 4");
  EXPECT_EQ(message_of(player.play(0, 1, {.mask = 2})), "player: there is no mask 2, of 1");
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    EXPECT_NE(message_of(player.play(0, 1, {.start_seconds = double(bad)})).find("start"), std::string::npos);
    EXPECT_NE(message_of(player.play(0, 1, {.speed = bad})).find("speed"), std::string::npos);
    EXPECT_NE(message_of(player.play(0, 1, {.weight = bad})).find("weight"), std::string::npos);
    EXPECT_NE(message_of(player.cross_fade(0, 1, double(bad))).find("fade"), std::string::npos);
    EXPECT_NE(message_of(player.stop(0, 1, double(bad))).find("fade"), std::string::npos);
    EXPECT_NE(message_of(player.set_speed(0, bad)).find("speed"), std::string::npos);
    EXPECT_NE(message_of(player.advance(double(bad))).find("advance"), std::string::npos);
  }
  EXPECT_NE(message_of(player.play(0, 1, {.weight = 0})).find("weight"), std::string::npos);
  EXPECT_NE(message_of(player.cross_fade(0, 1, -1)).find("fade"), std::string::npos);
  EXPECT_NE(message_of(player.set_root_track(0, {{0, 1, 0}, 0, 7, {}})).find("another clip"), std::string::npos);
  EXPECT_EQ(player.playback(0).layers[0].weight, 1) << "nothing has changed";
  EXPECT_EQ(player.playback(0).layers[0].time_seconds, 0);
}

// --- the clip's own time of very long playback ---

TEST(ClipTime, WrapsExactly) {
  std::mt19937 random(5);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 200000; ++i) {
    const float duration = float(std::exp(between(-9, 6)));
    const Clip clip{"any", 0, duration, {}};
    // Near a multiple of the duration, or anywhere; some of them very far away.
    const double rounds = std::floor(std::exp(between(0, 24)));
    double seconds = i % 2 == 0 ? rounds * double(duration) : between(-1, 1) * rounds;
    if (i % 4 == 0) seconds = std::nextafter(seconds, 0.0);
    double expected = std::fmod(seconds, double(duration));
    if (expected < 0) expected += double(duration);
    ASSERT_EQ(clip_time(clip, seconds, Looping::kLoop), std::min(float(expected), duration)) << seconds;
  }
}

TEST(ClipTime, ClipWithoutDurationAndInvalidTimesGiveTheStart) {
  EXPECT_EQ(clip_time({"still", 2, 2, {}}, 5, Looping::kLoop), 2);
  for (const Looping looping : {Looping::kClamp, Looping::kLoop, Looping::kPingPong}) {
    for (const double seconds : {double(NAN), double(INFINITY)})
      EXPECT_EQ(clip_time({"walk", 1, 3, {}}, seconds, looping), 1);
  }
}

// --- markers ---

TEST(PlayerEvents, OfAVeryLongStepTheFirstAreReported) {
  Player player = playing(1);
  ASSERT_TRUE(player.advance(200));
  EXPECT_EQ(player.events().size(), 200u);
  for (const double seconds : {257.0, 1e15, 1e300, -1e300}) {
    ASSERT_TRUE(player.advance(seconds));
    EXPECT_EQ(player.events().size(), kMaxEventsPerLayer) << seconds;
  }
  ASSERT_TRUE(player.set_speed(0, 1e30f));
  ASSERT_TRUE(player.advance(1e300));
  EXPECT_EQ(player.events().size(), kMaxEventsPerLayer);
}

TEST(PlayerEvents, AStepThatRoundingSwallowsPassesNothing) {
  Player player = playing(0);
  EXPECT_EQ(passed(player, 0), 1u);
  EXPECT_EQ(passed(player, -1e-20), 0u) << "the end of a loop minus so little is the end";
  EXPECT_EQ(passed(player, 0.25), 0u);
}

TEST(PlayerEvents, CopiesOfAClipKeepItsMarkers) {
  Character character = test::random_rig({.joints = 3, .clips = 1});
  character.clips[0].markers = {{0.25f, "left"}, {0.75f, "right"}};
  const auto expect_markers = [](const Clip& clip) {
    ASSERT_EQ(clip.markers.size(), 2u);
    EXPECT_EQ(clip.markers[1].time_seconds, 0.75f);
    EXPECT_EQ(clip.markers[1].name, "right");
  };
  expect_markers(make_additive(character.clips[0], character.skeleton, character.skeleton.rest_pose).value());
  expect_markers(extract_root_motion(character, 0, 0).value().clip);
  const std::vector<JointPair> pairs = pair_joints(character.skeleton, character.skeleton).value();
  expect_markers(retarget(character.clips[0], character, character, pairs).value());
}

/// With markers at any place, also the ends, and any steps: one step passes what its parts pass.
TEST(PlayerEvents, AStepPassesWhatItsPartsPass) {
  std::mt19937 random(9);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int run = 0; run < 300; ++run) {
    Character character;
    character.clips = {{"a", 0.1f, 0.1f + float(between(0.05, 1)), {}}};
    Clip& clip = character.clips[0];
    clip.markers = {
        {clip.start_seconds, "s"}, {(clip.start_seconds + clip.end_seconds) / 2, "m"}, {clip.end_seconds, "e"}};
    const auto looping = Looping(random() % 3);
    Player whole(character, 1), parts(character, 1);
    for (Player* player : {&whole, &parts}) ASSERT_TRUE(player->play(0, 0, {.looping = looping}));
    std::vector<int> of_whole(3), of_parts(3);
    for (int step = 0; step < 20; ++step) {
      // Parts of a power of two, and a length of few digits: the sum of the parts is the whole.
      const double seconds = std::ldexp(std::round(between(-3, 3) * 1024), -10);
      ASSERT_TRUE(whole.advance(seconds));
      for (const MarkerEvent& event : whole.events()) ++of_whole[event.marker];
      for (int part = 0; part < 64; ++part) {
        ASSERT_TRUE(parts.advance(seconds / 64));
        for (const MarkerEvent& event : parts.events()) ++of_parts[event.marker];
      }
    }
    EXPECT_EQ(of_whole, of_parts) << "run " << run;
  }
}

/// A walk of 1 s whose steps are not binary fractions, at 60 frames a second for an hour.
TEST(PlayerEvents, CountLoopsExactlyOverAnHour) {
  Character character;
  character.clips = {{"walk", 0, 1, {}}};
  character.clips[0].markers = {{0, "left"}, {0.5f, "right"}};
  Player player(character, 1);
  ASSERT_TRUE(player.play(0, 0, {.start_seconds = 0.25}));
  std::vector<int> found(2);
  for (int frame = 0; frame < 60 * 3600; ++frame) {
    ASSERT_TRUE(player.advance(1.0 / 60));
    for (const MarkerEvent& event : player.events()) ++found[event.marker];
  }
  EXPECT_EQ(found, std::vector<int>({3600, 3600}));
}

// --- memory ---

TEST(PlayerEvents, AllocateNothingWhereThereAreNoneOrWereAsManyBefore) {
  for (const bool has_markers : {true, false}) {
    Player player(marked(), 100);
    for (uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(player.play(i, has_markers ? i % 3 : 2));
    if (has_markers) {
      ASSERT_TRUE(player.advance(2));
    }
    const int64_t before = test::heap_allocations();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(player.advance(2));
    EXPECT_EQ(test::heap_allocations(), before);
    EXPECT_EQ(player.events().empty(), !has_markers);
  }
}

TEST(PlayerEvents, AnAdvanceWithoutMemoryChangesNothing) {
  Player player;
  const auto start = [&] {
    player = playing(0);
    return player.playback(0).layers[0].time_seconds;
  };
  float before = start();
  const auto unchanged = [&] {
    EXPECT_EQ(player.playback(0).layers[0].time_seconds, before);
    EXPECT_TRUE(player.events().empty());
    EXPECT_EQ(passed(player, 0.5), 2u);
    before = start();
  };
  test::expect_out_of_memory([&] { return player.advance(0.5); }, unchanged);
}

// --- playbacks that a host writes ---

/// A layer that a host writes plays; those that it leaves out do not.
TEST(Playback, LayersThatAreGivenHaveFullWeight) {
  const auto weights_of = [](const Playback& playback) {
    std::vector<float> weights;
    for (const Layer& layer : playback.layers) weights.push_back(layer.weight);
    return weights;
  };
  using Weights = std::vector<float>;
  EXPECT_EQ(Layer().weight, 1);
  EXPECT_EQ(weights_of({}), Weights(4));
  EXPECT_EQ(weights_of(Playback()), Weights(4));
  EXPECT_EQ(weights_of({{{.clip = 1, .time_seconds = 0.25f}}}), (Weights{1, 0, 0, 0}));
  EXPECT_EQ(weights_of({{{1, 0.25f}, {0, 0.25f, 0.5f}}}), (Weights{1, 0.5f, 0, 0}));
  EXPECT_EQ(weights_of({{{}, {}, {}, {}}}), Weights(4, 1.0f));
  const Playback one = Playback::of(1, 0.25f), wanted{{{1, 0.25f, 1, 0}}};
  EXPECT_EQ(std::memcmp(&one, &wanted, sizeof one), 0);
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
