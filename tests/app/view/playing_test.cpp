// What a character of the viewer plays: its time line, base clip, cross-fades, layers, root motion, and what a pause
// stops. Most of it are scripts: playing.rows.
#include "viewer/playing.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "child.h"
#include "view/moving_character.h"

namespace sinew::app {
namespace {

using sinew::test::largest_difference;

constexpr uint32_t kWalk = 0, kNod = 3, kHips = 1;

std::vector<std::string> split_at(std::string rest, const std::string& between) {
  std::vector<std::string> parts;
  for (size_t end; (end = rest.find(between)) != rest.npos; rest.erase(0, end + between.size()))
    parts.push_back(rest.substr(0, end));
  parts.push_back(rest);
  return parts;
}

/// A number, or the number of a clip, a joint, a way to repeat or of root motion.
double number_of(const std::string& word) {
  static const std::map<std::string, double> kNames = {
      {"Walk", 0},
      {"Idle", 1},
      {"Slide", 2},
      {"Nod", 3},
      {"hips", 1},
      {"spine", 2},
      {"head", 3},
      {"foot", 4},
      {"once", double(Looping::kClamp)},
      {"loop", double(Looping::kLoop)},
      {"ping-pong", double(Looping::kPingPong)},
      {"removed", double(RootMotion::kRemoved)},
      {"applied", double(RootMotion::kApplied)},
  };
  const auto name = kNames.find(word);
  return name == kNames.end() ? std::stod(word) : name->second;
}

/// Plays the moving character.
class Player {
 public:
  void run(const std::string& script) {
    for (const std::string& line : split_at(script, "\n")) {
      if (!line.starts_with("#")) run_line(line);
    }
  }

  Character character = make_moving_character();
  Playing playing{character};

 private:
  using Words = std::vector<std::string>;

  void run_line(const std::string& line) {
    const std::vector<std::string> sides = split_at(line, "->");
    for (const std::string& command : split_at(sides[0], ",")) act(command);
    for (const std::string& expected : sides.size() > 1 ? split_at(sides[1], ",") : Words()) {
      Words words = words_in(expected);
      const double wanted = number_of(words.back());
      words.pop_back();
      EXPECT_NEAR(value(words), wanted, words[0] == "moved" ? 1e-4 : 2e-6) << line << ": " << expected;
    }
  }

  static Words words_in(const std::string& part) {
    std::istringstream stream(part);
    return {std::istream_iterator<std::string>(stream), {}};
  }

  static bool set(double& to, double value) { return to = value, true; }
  static bool set(float& to, double value) { return to = float(value), true; }

  void act(const std::string& command) {
    Words words = words_in(command);
    if (words.empty()) return;
    const bool succeeds = words[0] != "no";
    if (!succeeds) words.erase(words.begin());
    EXPECT_EQ(done(words), succeeds) << command;
  }

  bool done(const Words& words) {
    const std::string& what = words[0];
    const std::vector<std::string> name = words.size() > 1 ? split_at(words[1], "@") : Words(1);
    const auto at = [&](size_t i) { return i < words.size() ? number_of(words[i]) : 0; };
    const double first = words.size() > 1 && name.size() == 1 ? at(1) : 0, second = at(2);
    TimeLine& line = playing.time_line();
    const auto layer = [&]() -> ViewLayer& { return playing.layers()[size_t(first)]; };
    if (what == "choose") return bool(playing.choose(uint32_t(first), second));
    if (what == "blend") return bool(playing.blend_with(uint32_t(first), second));
    if (what == "root") return bool(playing.set_root_motion(RootMotion(first)));
    if (what == "layer") {
      const int32_t joint = name.size() > 1 ? int32_t(number_of(name[1])) : kNoJoint;
      return bool(playing.add_layer({.clip = uint32_t(number_of(name[0])), .joint = joint}, second));
    }
    if (what == "drop") return playing.drop_layer(size_t(first), second), true;
    if (what == "weight") return set(layer().weight, second);
    if (what == "seconds") return set(layer().seconds, second);
    if (what == "joint") return layer().joint = int32_t(second), true;
    if (what == "additive") return layer().mode = LayerMode::kAdditive, true;
    if (what == "apart") return layer().in_phase = false, true;
    if (what == "advance") return playing.advance(first), true;
    if (what == "end") return set(character.clips[uint32_t(first)].end_seconds, second);
    if (what == "speed") return set(line.speed, first);
    if (what == "shift") return set(line.seconds, line.seconds + first);
    if (what == "pause") return line.playing = false, true;
    if (what == "repeat") return set_looping(line, Looping(first)), true;
    if (what == "range") return set_range(line, float(first), float(second)), true;
    if (what == "seek") return seek(line, float(first)), true;
    if (what == "step") return step(line, int(first)), true;
    if (what == "line") return line = TimeLine(), fit_to(line, {"", float(first), float(second), {}}), true;
    if (what == "fit") return fit_to(line, {"", float(first), float(second), {}}), true;
    if (what == "go") return app::advance(line, first), true;
    if (what == "restart") return restart(line), true;
    if (what == "toggle") return toggle_playing(line), true;
    if (what == "follow") return follow_phase(line, first), true;
    return ADD_FAILURE() << what, false;
  }

  double value(const Words& words) {
    const std::string& what = words[0];
    const size_t index = words.size() > 1 ? size_t(number_of(words[1])) : 0;
    const TimeLine& line = playing.time_line();
    const Playback playback = playing.playback(masks_);
    if (what == "clip") return playing.clip().value_or(99);
    if (what == "clips") return playing.clip_count();
    if (what == "all-clips") return double(character.clips.size());
    if (what == "layers") return double(playing.layers().size());
    if (what == "blended") return playing.blend() ? double(playing.blend() - playing.layers().data()) : -1;
    if (what == "presence") return double(playing.layers()[index].presence);
    if (what == "seconds") return playing.layers()[index].seconds;
    if (what == "layer-clip") return playing.layers()[index].clip;
    if (what == "dropped") return playing.layers()[index].dropped;
    if (what == "played") return playback.layers[index].clip;
    if (what == "time") return double(playback.layers[index].time_seconds);
    if (what == "mask") return playback.layers[index].mask;
    if (what == "moved") return playing.model_from_moved().m[0][3];
    if (what == "at") return double(clip_seconds(line));
    if (what == "start") return double(line.start_seconds);
    if (what == "end") return double(line.end_seconds);
    if (what == "speed") return double(line.speed);
    if (what == "offset") return line.seconds;
    if (what == "repeats") return double(line.looping);
    if (what == "playing") return line.playing;
    if (what == "ended") return is_at_end(line);
    if (what == "phase") return phase(line);
    if (what != "sum") return share(playback, split_at(what, "@"));
    double sum = 0;
    for (const char* clip : {"Walk", "Idle", "Slide", "Nod"}) sum += share(playback, {clip});
    return sum;
  }

  /// The share of a clip on a joint, of all layers that play it: Nod@head.
  double share(const Playback& playback, const Words& clip_and_joint) const {
    const auto clip = uint32_t(number_of(clip_and_joint[0]));
    const auto joint = size_t(clip_and_joint.size() > 1 ? number_of(clip_and_joint[1]) : 0);
    float sum = 0;
    for (const Layer& layer : playback.layers) {
      if (layer.clip != clip || !(layer.weight > 0)) continue;
      sum += layer.mask == 0 ? layer.weight : layer.weight * masks_[layer.mask - 1].factors[joint];
    }
    return double(sum);
  }

  std::vector<NamedMask> masks_{kMaxLayers, NamedMask{"", std::vector<float>(character.skeleton.joint_count())}};
};

class ScriptTest : public ::testing::Test {
 public:
  explicit ScriptTest(std::string script) : script_(std::move(script)) {}

  /// "repeat any" is each way to repeat.
  void TestBody() override {
    const std::vector<std::string> parts = split_at(script_, "repeat any");
    for (const char* way : {"loop", "once", "ping-pong"}) {
      Player().run(parts.size() == 1 ? parts[0] : parts[0] + "repeat " + way + parts[1]);
      if (parts.size() == 1) break;
    }
  }

 private:
  std::string script_;
};

bool register_scripts() {
  static const std::string path = SINEW_SOURCE_DIR "/tests/app/view/playing.rows";
  std::vector<std::string> cases = split_at(sinew::test::read(path), "\ncase ");
  for (size_t i = 1; i < cases.size(); ++i) {
    const size_t dot = cases[i].find('.'), end = cases[i].find('\n');
    const std::string suite = cases[i].substr(0, dot), name = cases[i].substr(dot + 1, end - dot - 1);
    ::testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, path.c_str(), 1,
                            [script = cases[i].substr(end)]() -> ::testing::Test* { return new ScriptTest(script); });
  }
  return cases.size() > 1;
}
const bool kScriptsAreThere = register_scripts();

TEST(Playing, HasScripts) { EXPECT_TRUE(kScriptsAreThere); }

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

TEST(Playing, AdditiveClipOfAFileIsAlwaysAdded) {
  Character character = make_moving_character();
  ASSERT_TRUE(DerivedClips(character).additive(kNod));
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

class RootMotionTest : public ::testing::Test {
 protected:
  /// The hips, moved by root motion, after `script`.
  Matrix3x4d hips_after(const std::string& script, int repeats = 1) {
    for (int i = 0; i < repeats; ++i) player.run(script);
    std::vector<NamedMask> masks(kMaxLayers, {"", std::vector<float>(5)});
    return player.playing.model_from_moved() *
           model_from_joint(player.character, player.playing.playback(masks), kHips);
  }
  double moved() { return player.playing.model_from_moved().m[0][3]; }
  Matrix3x4d hips_of_clip(float seconds) { return model_from_joint(player.character, kWalk, seconds, kHips); }

  /// The motion of the hips in the clip, which has no part in height between these times.
  Matrix3x4d loop(float from, float to) { return hips_of_clip(to) * inverse(hips_of_clip(from)); }

  Player player;
};

TEST_F(RootMotionTest, RemovedRootMotionStaysInPlace) {
  const Matrix3x4d first = hips_after("root removed"), later = hips_after("advance 0.75");
  EXPECT_NEAR(later.m[0][3], first.m[0][3], 1e-4);
  EXPECT_NEAR(later.m[2][3], first.m[2][3], 1e-4);
  EXPECT_LT(largest_difference(player.playing.model_from_moved(), Matrix3x4d()), 1e-12);
  EXPECT_EQ(player.playing.clip(), kWalk);
  EXPECT_LT(largest_difference(hips_after("root 0"), hips_of_clip(1.75f)), 1e-5) << "kept";
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnWhereTheClipEnds) {
  player.run("root applied");
  const Matrix3x4d expected = loop(1, 2) * loop(1, 2) * hips_of_clip(1.5f);
  EXPECT_LT(largest_difference(hips_after("advance 0.01", 250), expected), 2e-3);
  EXPECT_GT(std::hypot(expected.m[0][3], expected.m[2][3]), 3);
}

TEST_F(RootMotionTest, AppliedRootMotionFollowsTheRange) {
  player.run("range 1.2 1.6, root applied");
  // Relative to the start of the range, where the clip in place has not moved yet.
  Matrix3x4d expected =
      hips_of_clip(1) * inverse(hips_of_clip(1.2f)) * loop(1.2f, 1.6f) * loop(1.2f, 1.6f) * hips_of_clip(1.4f);
  expected.m[1][3] = hips_of_clip(1.4f).m[1][3];
  EXPECT_LT(largest_difference(hips_after("advance 0.01", 100), expected), 2e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionRunsBackward) {
  player.run("root applied, speed -1");
  const Matrix3x4d expected = inverse(loop(1, 2)) * inverse(loop(1, 2)) * hips_of_clip(1.5f);
  EXPECT_LT(largest_difference(hips_after("advance 0.01", 150), expected), 2e-3);
}

TEST_F(RootMotionTest, SeekSetsTheMotionFromTheStartOfTheRange) {
  const std::pair<const char*, float> kRows[] = {{"root applied, advance 3.3, seek 1.6", 1.6f},
                                                 {"advance 0.2", 1.8f},
                                                 {"seek 1.1, advance 0.1", 1.2f},
                                                 {"step 3", 1.3f}};
  for (const auto& [script, seconds] : kRows)
    EXPECT_LT(largest_difference(hips_after(script), hips_of_clip(seconds)), 1e-3) << script;
}

TEST_F(RootMotionTest, AppliedRootMotionGoesOnThroughACrossFade) {
  player.run("root applied, choose Slide, advance 0.5");
  EXPECT_NEAR(moved(), 0.5, 1e-3);
  player.run("choose Idle 1");
  EXPECT_NEAR(moved(), 0.5, 1e-3) << "a new clip does not move the character back";
  hips_after("advance 0.001", 1000);
  EXPECT_NEAR(moved(), 1, 5e-3) << "its share falls from 1 to 0 in 1 s at 1 m/s";
  player.run("advance 5");
  EXPECT_NEAR(moved(), 1, 5e-3);
}

TEST_F(RootMotionTest, AppliedRootMotionIsFullWhereACrossFadeHasEndedEarly) {
  player.run("root applied, choose Slide 1, advance 0.1, layer Nod@head, layer Nod@head, layer Nod@head");
  const double before = moved();
  player.run("advance 0.5");
  EXPECT_NEAR(moved() - before, 0.5, 1e-3);
}

}  // namespace
}  // namespace sinew::app
