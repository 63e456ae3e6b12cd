// Footsteps: feet by name, and the moments at which they are set down.
#include "sinew/animation/footsteps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "message.h"
#include "out_of_memory.h"

namespace sinew {
namespace {

Skeleton named(std::vector<std::string> names) {
  Skeleton skeleton;
  for (size_t i = 0; i < names.size(); ++i) skeleton.parents.push_back(i == 0 ? kNoJoint : 0);
  skeleton.rest_pose.resize(names.size());
  skeleton.joint_names = std::move(names);
  return skeleton;
}

std::string feet_of(std::vector<std::string> names) {
  const Skeleton skeleton = named(std::move(names));
  const auto feet = find_feet(skeleton).value();
  return feet ? skeleton.joint_names[feet->left] + " " + skeleton.joint_names[feet->right] : "none";
}

TEST(FindFeet, ReadsTheWordsOfNames) {
  EXPECT_EQ(feet_of({"root", "toe_l", "foot_l", "toe_r", "foot_r"}), "foot_l foot_r");
  EXPECT_EQ(feet_of({"mixamorig:RightFoot", "mixamorig:LeftFoot", "mixamorig:LeftToeBase"}),
            "mixamorig:LeftFoot mixamorig:RightFoot");
  EXPECT_EQ(feet_of({"Bip01 L Foot", "Bip01 R Foot"}), "Bip01 L Foot Bip01 R Foot");
  EXPECT_EQ(feet_of({"foot.L", "foot.R"}), "foot.L foot.R");
  EXPECT_EQ(feet_of({"leftfoot", "rightfoot"}), "leftfoot rightfoot");
  EXPECT_EQ(feet_of({"IKLFoot", "LFoot", "RFoot"}), "LFoot RFoot");
  EXPECT_EQ(feet_of({"LEFT_FOOT", "RIGHT_FOOT"}), "LEFT_FOOT RIGHT_FOOT");
  EXPECT_EQ(feet_of({"foot_ik_l", "FootRoll_l", "foot_l", "foot_r"}), "foot_l foot_r") << "controls";
  EXPECT_EQ(feet_of({"ankle_l", "foot_l", "ankle_r"}), "foot_l ankle_r");
  EXPECT_EQ(feet_of({"foot_l", "hand_r"}), "none");
  EXPECT_EQ(feet_of({"football_l", "football_r", "Lfoot"}), "none");
  EXPECT_EQ(feet_of({}), "none");
}

// --- gaits whose contacts are known ---

/// The height of a foot over time, between these moments: seconds, and shares of the highest lift.
struct Height {
  double seconds = 0, share = 0;
};

/// A foot that is lifted and set down evenly, some times in a clip. On the ground it taps: lower than a step, but fast.
struct Foot {
  std::vector<Height> heights{{0, 0}};
  std::vector<double> downs, ups;  // seconds from the start of the clip

  void stay(double seconds, bool taps) {
    const double start = heights.back().seconds;
    if (taps) {
      for (const auto& [after, share] : {std::pair(0.1, 0.0), {0.15, 0.3}, {0.16, 0.3}, {0.18, 0.0}})
        heights.push_back({start + after, share});
    }
    heights.push_back({start + seconds, 0});
  }
  void rise(double seconds, double share) {
    ups.push_back(heights.back().seconds);
    heights.push_back({heights.back().seconds + seconds, share});
  }
  void fall(double seconds) {
    heights.push_back({heights.back().seconds + seconds, 0});
    downs.push_back(heights.back().seconds);
  }

  double at(double seconds) const {
    size_t i = 1;
    while (i + 1 < heights.size() && heights[i].seconds < seconds) ++i;
    const Height &a = heights[i - 1], &b = heights[i];
    return a.share + (b.share - a.share) * std::clamp((seconds - a.seconds) / (b.seconds - a.seconds), 0.0, 1.0);
  }
};

/// A character that goes in any space, on feet with the names of one program or on paws.
class RandomGait {
 public:
  explicit RandomGait(uint32_t seed) : random_(seed) {
    for (Foot& foot : feet_) foot = random_foot();
    is_loop_ = seed % 3 > 0;
    seconds_ = 0;
    for (Foot& foot : feet_) seconds_ = std::max(seconds_, foot.heights.back().seconds);
    seconds_ = std::ceil(seconds_ * 60) / 60;
    for (Foot& foot : feet_)
      is_loop_ ? foot.stay(seconds_ - foot.heights.back().seconds + 1e-9, false) : end_in_air(foot);
    if (!is_loop_) seconds_ += 0.5;
    shift_ = is_loop_ ? between(0, seconds_) : 0;
    make_character();
  }

  void expect_found() const {
    for (const bool with_ups : {false, true}) {
      const std::vector<uint32_t> paws = has_paws_ ? std::vector<uint32_t>{2, 3} : std::vector<uint32_t>();
      const auto moments = with_ups ? StepMoments::kDownAndUp : StepMoments::kDown;
      const auto markers = find_footsteps(character_, 0, paws, moments);
      ASSERT_TRUE(markers) << markers.error().message;
      EXPECT_TRUE(std::ranges::is_sorted(*markers, {}, &Marker::time_seconds));
      size_t expected = 0;
      for (size_t f = 0; f < 2; ++f) {
        expected += feet_[f].downs.size() + (with_ups ? feet_[f].ups.size() : 0);
        for (const double down : feet_[f].downs) expect_marker(*markers, name_of(f, false), down);
        for (const double up : feet_[f].ups)
          if (with_ups) expect_marker(*markers, name_of(f, true), up);
      }
      EXPECT_EQ(markers->size(), expected);
    }
  }

 private:
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  Foot random_foot() {
    Foot foot;
    for (size_t steps = 1 + random_() % 2, i = 0; i < steps; ++i) {
      foot.stay(between(0.3, 0.6), random_() % 2 == 0);
      foot.rise(between(0.5, 0.8), i == 0 ? 1 : between(0.5, 1));
      foot.fall(between(0.5, 0.8));
    }
    foot.stay(between(0.3, 0.5), random_() % 2 == 0);
    return foot;
  }

  /// So that the clip is no loop.
  void end_in_air(Foot& foot) const {
    foot.stay(seconds_ - foot.heights.back().seconds + 1e-9, false);
    foot.rise(0.5, 0.8);
  }

  std::string name_of(size_t foot, bool up) const {
    if (has_paws_) return std::string(foot == 0 ? "paw a" : "paw b") + (up ? " up" : "");
    return std::string(foot == 0 ? "left foot" : "right foot") + (up ? " up" : " down");
  }

  void make_character() {
    has_paws_ = random_() % 3 == 0, start_ = float(random_() % 5) - 2;
    const float scale = float(between(0.1, 100));
    const Quat turn = normalize(Quat{float(between(-1, 1)), float(between(-1, 1)), float(between(-1, 1)), 1});
    const auto placed = [&](Vec3 p) { return transform_point(to_matrix({{}, turn, {1, 1, 1}}), p) * scale; };
    character_.space = {normalize(placed({0, 1, 0})), normalize(placed({0, 0, 1})), 1};
    character_.skeleton = named(has_paws_ ? std::vector<std::string>{"root", "head", "paw a", "paw b"}
                                          : std::vector<std::string>{"root", "head", "foot.L", "foot.R"});
    character_.skeleton.rest_pose[1].translation = placed({0, 2, 0});
    Clip clip{"gait", start_, float(double(start_) + seconds_), {}};
    for (size_t f = 0; f < 2; ++f) {
      JointTracks tracks;
      tracks.joint = uint32_t(f) + 2;
      for (int key = 0, keys = int(seconds_ * 480); key <= keys; ++key) {
        const double seconds = seconds_ * key / keys;
        const float height = 0.2f * float(feet_[f].at(is_loop_ ? std::fmod(seconds + shift_, seconds_) : seconds));
        tracks.translation.times_seconds.push_back(float(double(start_) + seconds));
        tracks.translation.values.push_back(placed({float(std::sin(3 * seconds)), height, float(seconds)}));
      }
      clip.tracks.push_back(std::move(tracks));
    }
    character_.clips = {std::move(clip)};
  }

  /// Heights are looked at 120 times a second.
  void expect_marker(const std::vector<Marker>& markers, const std::string& name, double seconds) const {
    double nearest = INFINITY;
    for (const Marker& marker : markers) {
      const double off = double(marker.time_seconds) - double(start_) - (seconds - shift_);
      if (marker.name == name) nearest = std::min(nearest, std::abs(is_loop_ ? std::remainder(off, seconds_) : off));
    }
    EXPECT_LT(nearest, 0.02) << name << " at " << seconds - shift_;
  }

  std::mt19937 random_;
  Foot feet_[2];
  bool is_loop_ = true, has_paws_ = false;
  float start_ = 0;
  double seconds_ = 0, shift_ = 0;
  Character character_;
};

TEST(Footsteps, AreTheContactsOfRandomGaits) {
  for (uint32_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomGait(seed).expect_found();
    if (testing::Test::HasFailure()) return;
  }
}

// --- what they do not have ---

/// A head 2 m up, and two feet that a clip of 2 s lifts by `lift` in a half sine: the left one from 0.5 to 1 s and the
/// right one from 1.5 to 2 s. Z is up; a unit is a centimeter.
Character walker(float lift, float start_seconds = 0) {
  Character character;
  character.name = "walker";
  character.space = {{0, 0, 1}, {0, -1, 0}, 0.01f};
  character.skeleton = named({"root", "head", "foot_l", "foot_r"});
  character.skeleton.rest_pose[1].translation = {0, 0, 200};
  Clip clip{"walk", start_seconds, start_seconds + 2, {}};
  for (const uint32_t joint : {2u, 3u}) {
    JointTracks tracks;
    tracks.joint = joint;
    for (int key = 0; key <= 120; ++key) {
      const float seconds = float(key) / 60, phase = (seconds - (joint == 2 ? 0.5f : 1.5f)) * 2;
      const float up = phase > 0 && phase < 1 ? std::sin(phase * std::numbers::pi_v<float>) : 0;
      tracks.translation.times_seconds.push_back(start_seconds + seconds);
      tracks.translation.values.push_back({seconds, float(joint), lift * up});
    }
    clip.tracks.push_back(std::move(tracks));
  }
  character.clips.push_back(std::move(clip));
  return character;
}

/// The right foot of the walker has toes that stay down until 1.75 s; the left one has a toe of the right side's name.
TEST(Footsteps, AreLiftedWithTheLastToe) {
  Character character = walker(20);
  character.skeleton.parents = {kNoJoint, 0, 0, 0, 3};
  character.skeleton.joint_names.push_back("toe_r");
  character.skeleton.rest_pose.emplace_back();
  JointTracks toes;
  toes.joint = 4;
  const auto down = character.clips[0].tracks[1].translation;
  for (size_t key = 0; key < down.values.size(); ++key) {
    toes.translation.times_seconds.push_back(down.times_seconds[key]);
    toes.translation.values.push_back({0, 0, down.times_seconds[key] < 1.75f ? -down.values[key].z : 0});
  }
  character.clips[0].tracks.push_back(toes);
  const auto markers = find_footsteps(character, 0, {}, StepMoments::kDownAndUp).value();
  ASSERT_EQ(markers.size(), 4u);
  EXPECT_EQ(markers[3].name, "right foot up");
  EXPECT_NEAR(markers[3].time_seconds, 1.75f, 0.03f);
  EXPECT_EQ(markers[1].name, "left foot up");
  EXPECT_NEAR(markers[1].time_seconds, 0.5f, 0.02f);
}

TEST(Footsteps, FeetThatHardlyMoveHaveNone) {
  EXPECT_EQ(find_footsteps(walker(1.9f), 0).value().size(), 0u);
  EXPECT_EQ(find_footsteps(walker(2.1f), 0).value().size(), 2u);
}

TEST(Footsteps, BadInputGetsALine) {
  const auto message = [](const Character& character, uint32_t clip, std::vector<uint32_t> joints = {}) {
    return test::message_of(find_footsteps(character, clip, joints));
  };
  Character character = walker(20);
  EXPECT_EQ(message(character, 1), "footsteps: there is no clip 1");
  EXPECT_EQ(message(character, 0, {4}), "footsteps: there is no joint 4, of 4");
  EXPECT_EQ(message(character, 0, {1, 1, 1, 1, 4}), "footsteps: 5 joints were given, and the character has 4");
  character.clips[0].additive = true;
  EXPECT_EQ(message(character, 0), "footsteps: clip 'walk' is additive");
  character = walker(20);
  character.skeleton.joint_names[2] = "hand_l";
  EXPECT_EQ(message(character, 0), "footsteps: no joint of 'walker' has the name of a foot");
  EXPECT_EQ(message(character, 0, {2}), "");
  character.clips[0].tracks[0].translation.values[0].x = NAN;
  EXPECT_NE(message(character, 0, {2}).find("not finite"), std::string::npos);
  character = walker(20);
  character.clips[0].end_seconds = 1e9f;
  EXPECT_EQ(message(character, 0), "footsteps: clip 'walk' is too long");
  character.skeleton.joint_names.pop_back();
  EXPECT_NE(message(character, 0), "");
  EXPECT_EQ(message({}, 0), "footsteps: there is no clip 0");
}

TEST(Footsteps, WithoutMemoryTheErrorIsReturned) {
  const Character character = walker(20);
  test::expect_out_of_memory([&] { return find_footsteps(character, 0, {}, StepMoments::kDownAndUp); });
  test::expect_out_of_memory([&] { return find_feet(character.skeleton); });
}

}  // namespace
}  // namespace sinew
