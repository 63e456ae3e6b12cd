// Markers that a player passes: each as often as a search in tiny steps finds it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "heap_faults.h"
#include "out_of_memory.h"
#include "rig.h"
#include "sinew/animation/player.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/retarget.h"
#include "sinew/animation/root_motion.h"

namespace sinew {
namespace {

using Names = std::vector<std::string>;

/// "a" from 1 to 3 s has markers at its start, at 1.5, at 2.25 (two) and at its end; "b" from 0 to 1 s one at 0.5;
/// "plain" has none; "still" lasts no time.
Character marked() {
  Character character;
  character.clips = {{"a", 1, 3, {}}, {"b", 0, 1, {}}, {"plain", 0, 1, {}}, {"still", 2, 2, {}}};
  character.clips[0].markers = {{1, "start"}, {1.5f, "left"}, {2.25f, "right"}, {2.25f, "clap"}, {3, "end"}};
  character.clips[1].markers = {{0.5f, "middle"}};
  character.clips[3].markers = {{2, "only"}};
  return character;
}

Names names_of(const Player& player, const Character& character) {
  Names names;
  for (const MarkerEvent& event : player.events())
    names.push_back(character.clips[event.clip].markers[event.marker].name);
  return names;
}

/// The names that instance 0 passes in a step.
Names passed(Player& player, double seconds) {
  EXPECT_TRUE(player.advance(seconds));
  return names_of(player, marked());
}

Player playing(uint32_t clip, const PlayOptions& options = {}) {
  Player player(marked(), 1);
  EXPECT_TRUE(player.play(0, clip, options));
  return player;
}

TEST(PlayerEvents, PassesEachMarkerOnceInOrder) {
  Player player = playing(0);
  EXPECT_EQ(passed(player, 0.25), Names({"start"}));
  EXPECT_EQ(passed(player, 0.125), Names());
  EXPECT_EQ(passed(player, 0.125), Names({"left"})) << "a step that ends on it";
  EXPECT_EQ(passed(player, 0), Names());
  EXPECT_EQ(passed(player, 1), Names({"right", "clap"}));
  EXPECT_EQ(passed(player, 0.5), Names({"end", "start"})) << "a step that ends on the end of the loop";
  EXPECT_EQ(passed(player, 4),
            Names({"left", "right", "clap", "end", "start", "left", "right", "clap", "end", "start"}));
}

TEST(PlayerEvents, PassesMarkersBackward) {
  Player player = playing(0, {.start_seconds = 1});
  ASSERT_TRUE(player.set_speed(0, -1));
  EXPECT_EQ(passed(player, 0.5), Names({"left"})) << "a step that ends on it";
  EXPECT_EQ(passed(player, 0.75), Names({"start", "end"}));
  EXPECT_EQ(passed(player, 0.625), Names({"clap", "right"}));
  ASSERT_TRUE(player.set_speed(0, 1));
  EXPECT_EQ(passed(player, 0.5), Names({"right", "clap"})) << "turned around";
}

TEST(PlayerEvents, AClipThatStartsOnAMarkerPassesIt) {
  Player middle = playing(0, {.start_seconds = 0.5});
  EXPECT_EQ(passed(middle, 0), Names({"left"}));
  EXPECT_EQ(passed(middle, 0.25), Names()) << "once";
  Player backward = playing(0, {.speed = -1});
  EXPECT_EQ(passed(backward, 0.25), Names({"start"})) << "not the end, which it leaves";
  Player still = playing(3);
  EXPECT_EQ(passed(still, 0.5), Names({"only"}));
  EXPECT_EQ(passed(still, 0.5), Names());
}

TEST(PlayerEvents, AStepThatRoundingSwallowsPassesNothing) {
  Player player = playing(0);
  EXPECT_EQ(passed(player, 0), Names({"start"}));
  EXPECT_EQ(passed(player, -1e-20), Names()) << "the end of a loop minus so little is the end";
  EXPECT_EQ(passed(player, 0.25), Names());
}

TEST(PlayerEvents, AClampedClipPassesItsEndOnce) {
  Player player = playing(0, {.looping = Looping::kClamp});
  EXPECT_EQ(passed(player, 5), Names({"start", "left", "right", "clap", "end"}));
  EXPECT_EQ(passed(player, 5), Names());
  EXPECT_EQ(passed(player, -8.25), Names()) << "its time leaves the end and reaches no other marker";
  EXPECT_EQ(passed(player, -8), Names({"clap", "right", "left", "start"}));
}

TEST(PlayerEvents, APingPongPassesItsEndsOncePerRound) {
  Player player = playing(0, {.looping = Looping::kPingPong});
  const Names round = {"left", "right", "clap", "end", "right", "clap", "left", "start"};
  EXPECT_EQ(passed(player, 0), Names({"start"}));
  EXPECT_EQ(passed(player, 4), round);
}

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

TEST(PlayerEvents, BothClipsOfACrossFadeReportWithTheirWeights) {
  Player player = playing(0);
  ASSERT_TRUE(player.advance(0.25));
  ASSERT_TRUE(player.cross_fade(0, 1, 1));
  ASSERT_TRUE(player.advance(0.5));
  ASSERT_EQ(player.events().size(), 2u);
  EXPECT_EQ(player.events()[0].clip, 0u);
  EXPECT_EQ(player.events()[1].clip, 1u);
  for (const MarkerEvent& event : player.events()) EXPECT_FLOAT_EQ(event.weight, 0.5f);
  ASSERT_TRUE(player.advance(0.75));
  ASSERT_EQ(player.events().size(), 2u) << "of the step in which it fades out";
  EXPECT_EQ(player.events()[0].weight, 0);
  ASSERT_TRUE(player.advance(10));
  for (const MarkerEvent& event : player.events()) EXPECT_EQ(event.clip, 1u) << "the other is gone";
}

TEST(PlayerEvents, EventsAreThoseOfTheirInstance) {
  Player player(marked(), 4);
  ASSERT_TRUE(player.play(1, 1));
  ASSERT_TRUE(player.play(2, 2));
  ASSERT_TRUE(player.play(3, 1, {.start_seconds = 0.25, .speed = 2}));
  ASSERT_TRUE(player.advance(0.25));
  ASSERT_EQ(player.events().size(), 1u);
  EXPECT_EQ(player.events()[0].instance, 3u);
  ASSERT_TRUE(player.advance(0.25));
  ASSERT_EQ(player.events().size(), 1u);
  EXPECT_EQ(player.events()[0].instance, 1u);
  EXPECT_EQ(player.events()[0].weight, 1);
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

// --- against tiny steps ---

/// How often each marker lies between the clip's own times before and after a step of at most one grid unit.
void count_tiny_step(const Clip& clip, Looping looping, double before, double after, std::vector<int>& counts) {
  const float from = clip_time(clip, before, looping), to = clip_time(clip, after, looping);
  const bool wraps = looping == Looping::kLoop && from != to && (after > before) != (to > from);
  for (size_t i = 0; i < clip.markers.size(); ++i) {
    const float time = clip.markers[i].time_seconds;
    const bool between = time > std::min(from, to) && time < std::max(from, to);
    counts[i] += wraps ? !between && from != to : between;
  }
}

constexpr double kGrid = 1.0 / 256;

/// Of 0.25 to 2 s, with markers between the times of the grid.
Clip random_clip(std::mt19937& random) {
  Clip clip{"random", float(int(random() % 512)) / 256, 0, {}};
  const int intervals = 64 + int(random() % 448);
  clip.end_seconds = clip.start_seconds + float(intervals) / 256;
  for (unsigned i = random() % 6; i > 0; --i) {
    const float interval = float(int(random() % unsigned(intervals))) + 0.25f + 0.5f * float(random() % 2);
    clip.markers.push_back({clip.start_seconds + interval / 256, "m"});
  }
  std::sort(clip.markers.begin(), clip.markers.end(),
            [](const Marker& a, const Marker& b) { return a.time_seconds < b.time_seconds; });
  return clip;
}

/// Speeds from -3 to 3, steps of up to 4 s, up to a few dozen loops in all.
TEST(PlayerEvents, AreAsManyAsASearchInTinyStepsFinds) {
  std::mt19937 random(7);
  const auto between = [&](int low, int high) { return low + int(random() % unsigned(high - low + 1)); };
  size_t events = 0;
  for (int run = 0; run < 300; ++run) {
    Character character;
    character.clips = {random_clip(random)};
    const Clip& clip = character.clips[0];
    const auto looping = Looping(random() % 3);
    Player player(character, 1);
    double position = between(-128, 512) * kGrid;
    ASSERT_TRUE(player.play(0, 0, {.start_seconds = position, .looping = looping}));
    for (int step = 0; step < 20; ++step) {
      const double speed = between(-12, 12) / 4.0, seconds = between(0, random() % 4 == 0 ? 256 : 8) / 64.0;
      ASSERT_TRUE(player.set_speed(0, float(speed)));
      ASSERT_TRUE(player.advance(seconds));
      std::vector<int> expected(clip.markers.size()), found(clip.markers.size());
      for (int tiny = int(std::abs(speed * seconds) / kGrid); tiny > 0; --tiny) {
        const double next = position + std::copysign(kGrid, speed);
        count_tiny_step(clip, looping, position, next, expected);
        position = next;
      }
      for (const MarkerEvent& event : player.events()) ++found[event.marker];
      ASSERT_EQ(found, expected) << "run " << run << ", step " << step << ", speed " << speed << ", " << seconds
                                 << " s";
      events += player.events().size();
    }
  }
  EXPECT_GT(events, 10000u);
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

TEST(PlayerEvents, AllocateNothingWhereThereWereAsManyBefore) {
  Player player(marked(), 100);
  for (uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(player.play(i, i % 3));
  ASSERT_TRUE(player.advance(2));
  const int64_t before = test::heap_allocations();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(player.advance(2));
  EXPECT_EQ(test::heap_allocations(), before);
}

TEST(PlayerEvents, InstancesWithoutMarkersAllocateNothing) {
  Player player(marked(), 100);
  for (uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(player.play(i, 2));
  const int64_t before = test::heap_allocations();
  ASSERT_TRUE(player.advance(7));
  EXPECT_EQ(test::heap_allocations(), before);
  EXPECT_TRUE(player.events().empty());
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
    EXPECT_EQ(passed(player, 0.5), Names({"start", "left"}));
    before = start();
  };
  test::expect_out_of_memory([&] { return player.advance(0.5); }, unchanged);
}

}  // namespace
}  // namespace sinew
