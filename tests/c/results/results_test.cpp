// What the C interface computes is what C++ does, to the bit: one history of a character, its players and its crowds,
// in both. Inputs are shared, since their elements have one layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/player.h"
#include "sinew/animation/root_motion.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/character_file.h"
#include "sinew/c/sinew.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/occlusion.h"
#include "sinew/crowd/planner.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"
#include "sinew/vulkan/draw.h"

namespace sinew {
namespace {

constexpr uint32_t kInstances = 6, kFrames = 45, kCrowd = 300, kCrowdFrames = 20, kUpdateAllFrame = 11, kSockets = 2;
constexpr uint32_t kUnskinnedJoint = 0;                   // moves no vertex
constexpr float kCrowdScale = 2.5f, kAddedScale = 1.25f;  // of the sizes of a character
constexpr uint32_t kMasks = 2;

// A roster that changes: before which frames a character is added or removed, and for how many plans it is kept.
constexpr uint32_t kRosterFrames = 16, kAddFrame = 2, kRemoveFrame = 5, kAddAgainFrame = 13, kKeptPlans = 3;

constexpr float kOffset[3][4] = {{0, -1, 0, 0.1f}, {1, 0, 0, 0.2f}, {0, 0, 1, -0.05f}};  // joint_from_socket
constexpr Looping kLoopings[] = {Looping::kLoop, Looping::kClamp, Looping::kPingPong};   // by SINEW_LOOP and so on
constexpr double kTimes[][2] = {{0, 0.5}, {0.2, 5.7}, {3.1, -2.4}, {1, 1}};
// What hides instances, in every third frame each: a function, those left of an x; a depth image, the left half.
constexpr float kHiddenLeft = -6, kHiddenDepths[2] = {0, 1}, kHiddenMargin = 0.25f;

/// Whether the camera cuts in a frame, so that no earlier image hides anything.
bool cuts_in(uint32_t frame) { return frame % 6 == 5; }

enum class Kind { kPlay, kCrossFade, kStop, kSetSpeed, kReset, kResize };

/// What happens to an instance of the player before a frame. kResize: `instance` is the new number of instances.
struct Event {
  uint32_t frame;
  Kind kind;
  uint32_t instance, clip = 0;
  double duration = 0, start = 0;
  float speed = 1, weight = 1;
  uint32_t looping = SINEW_LOOP, paused = 0, mask = 0;
};
constexpr Event kEvents[] = {
    {0, Kind::kPlay, 0, 4},
    {0, Kind::kPlay, 1, 3, 0, 0.3, 2.5f},
    {0, Kind::kPlay, 2, 4, 0, 1, -0.7f, 0.5f, SINEW_PING_PONG},
    {0, Kind::kPlay, 3, 0, 0, 1.5, 1, 1, SINEW_CLAMP},
    {0, Kind::kPlay, 4, 2, 0, 0.9, 3, 1, SINEW_LOOP, 1},
    {7, Kind::kCrossFade, 0, 3, 0.4, 0.1, 1.5f},
    {9, Kind::kCrossFade, 0, 5, 0.2, 0, 1, 0.8f, SINEW_CLAMP, 0, 1},
    {12, Kind::kCrossFade, 5, 1, 0.3, 0, 1, 1, SINEW_PING_PONG, 0, 2},
    {15, Kind::kSetSpeed, 2, 0, 0, 0, -2},
    {20, Kind::kStop, 3, 0, 0.25},
    {24, Kind::kSetSpeed, 1, 0, 0, 0, 0},
    {28, Kind::kReset, 2},
    {30, Kind::kPlay, 2, 4, 0, 0.2},
    {32, Kind::kResize, 5},
    {32, Kind::kResize, kInstances},
};

SinewError result_error = SINEW_INIT(SinewError);

void ok(SinewResult result) { EXPECT_EQ(result, SINEW_OK) << result_error.message; }
void ok(const Status& status) { EXPECT_TRUE(status) << status.error().message; }

/// The same bytes. Types without bytes between their fields only.
template <class A, class B>
bool same(std::span<A> in_c, std::span<B> in_cpp) {
  return in_c.size_bytes() == in_cpp.size_bytes() &&
         (in_c.empty() || std::memcmp(in_c.data(), in_cpp.data(), in_c.size_bytes()) == 0);
}
template <class A, class B>
bool same(const A& in_c, const B& in_cpp) {
  return same(std::span(&in_c, 1), std::span(&in_cpp, 1));
}
bool same(const SinewGroundMotion& in_c, const GroundMotion& in_cpp) {
  return same(in_c.translation, in_cpp.translation) && in_c.heading_radians == in_cpp.heading_radians;
}

/// An array of C++ as one of C.
template <class To, class From>
To* as(From* from) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To*>(from);
}

void place_by_instance(void* places, uint32_t instance, SinewMatrix3x4* out) {
  *out = static_cast<const SinewMatrix3x4*>(places)[instance];
}
uint32_t hides_left(void* left, const SinewSphere* sphere, uint32_t view) {
  return view == 0 && sphere->center[0] < *static_cast<const float*>(left);
}

/// The host of the crowd in one frame.
struct People {
  std::vector<uint32_t> models = std::vector<uint32_t>(kCrowd), generations = std::vector<uint32_t>(kCrowd);
  std::vector<Matrix3x4> places = std::vector<Matrix3x4>(kCrowd);
  std::vector<Playback> playbacks = std::vector<Playback>(kCrowd);
  crowd::View view = {.eye = {0, 1.7f, 6}, .pixels_per_radian = 1200};
  uint32_t number;

  explicit People(uint32_t frame) : number(frame) {
    for (uint32_t i = 0; i < kCrowd; ++i) {
      places[i].m[0][3] = (float(i % 20) - 9.5f) * 1.5f, places[i].m[2][3] = -float(i / 20) * 3;
      playbacks[i].layers[0] = {i % 6, 0.0137f * float(i) + float(number) / 30, 1, 0};
    }
    const float depth = 1000.0f / (0.1f - 1000);  // it looks along -z
    const Vec3 eye = view.eye;
    const float columns[16] = {
        1, 0, 0, 0, 0, -1.8f, 0, 0, 0, 0, depth, -1, -eye.x, 1.8f * eye.y, 0.1f * depth - depth * eye.z, eye.z};
    std::copy_n(columns, 16, view.clip_from_world);
  }

  /// Who is who in a roster: numbers of models, not all of which are there, and which of those that had them.
  void change() {
    for (uint32_t i = 0; i < kCrowd; ++i)
      models[i] = (i + number / 4) % 3, generations[i] = i % 5 == 0 ? number / 3 : i;
  }

  crowd::Instances instances() const {
    return {.models = models, .world_from_model = places, .playbacks = playbacks, .generations = generations};
  }
};

/// A planner with its attachments, in both.
class Planners {
 public:
  Planners(SinewPlannerInfo info, const SinewCharacter* character, const crowd::ModelInfo& model,
           const crowd::PlanOptions& options)
      : planner(crowd::Planner::create({&model, 1}, options).value()) {
    SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
    described.character = character, described.scale = kCrowdScale;
    info.model_count = 1, info.models = &described;
    ok(sinew_planner_create(&info, &planner_in_c, &result_error));
    ok(sinew_attachments_create(planner_in_c, &kSockets, 1, &attachments_in_c, &result_error));
  }
  ~Planners() {
    sinew_planner_destroy(planner_in_c);  // the attachments share it
    sinew_attachments_destroy(attachments_in_c);
  }

  /// Plans a frame, and begins it. Returns the plan in C.
  SinewPlan plan(People& people) {
    plan_in_c(people);
    crowd::PlanFrame frame{.seconds = people.number / 30.0, .views = {&people.view, 1}};
    if (people.number % 3 == 1) {
      frame.occlusion = {nullptr, [](void*, const crowd::Sphere& sphere, uint32_t of_view) {
                           return of_view == 0 && sphere.center.x < kHiddenLeft;
                         }};
    }
    crowd::DepthPyramid pyramid;
    if (people.number % 3 == 2) {
      ok(pyramid.build(
          {.width = 2, .height = 1, .depth = kHiddenDepths, .view = people.view, .margin = kHiddenMargin}));
      if (cuts_in(people.number)) pyramid.clear();
      frame.occlusion = pyramid.source();
    }
    ok(planner.plan(people.instances(), frame));
    ok(attachments.begin(planner.last()));
    ok(sinew_attachments_begin(attachments_in_c, nullptr, &result_error));
    SinewPlan plan = SINEW_INIT(SinewPlan);
    ok(sinew_planner_last(planner_in_c, &plan, &result_error));
    return plan;
  }

  std::span<SinewMatrix3x4> sockets_of(uint32_t batch) {
    SinewMatrix3x4* matrices = nullptr;
    uint64_t count = 0;
    ok(sinew_attachments_of(attachments_in_c, batch, &matrices, &count, &result_error));
    return {matrices, count};
  }

  crowd::Planner planner;
  crowd::Attachments attachments{{&kSockets, 1}};
  SinewPlanner* planner_in_c = nullptr;
  SinewAttachments* attachments_in_c = nullptr;

 private:
  void plan_in_c(People& people) {
    SinewInstances instances = SINEW_INIT(SinewInstances);
    instances.count = kCrowd, instances.models = people.models.data();
    instances.playbacks = as<SinewPlayback>(people.playbacks.data()), instances.generations = people.generations.data();
    if (people.number % 2 == 0) {
      instances.world_from_model = as<SinewMatrix3x4>(people.places.data());
    } else {
      instances.world_from_model_at = place_by_instance, instances.world_from_model_user_data = people.places.data();
    }
    SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
    frame.seconds = people.number / 30.0, frame.view_count = 1, frame.views = as<SinewView>(&people.view);
    float left = kHiddenLeft;
    if (people.number % 3 == 1) frame.is_hidden = hides_left, frame.occlusion_user_data = &left;
    SinewDepthPyramid* pyramid = nullptr;
    if (people.number % 3 == 2) {
      ok(sinew_depth_pyramid_create(&pyramid, &result_error));
      SinewDepthImage image = SINEW_INIT(SinewDepthImage);
      image.width = 2, image.height = 1, image.depth = kHiddenDepths, image.margin = kHiddenMargin;
      image.view = *frame.views;
      ok(sinew_depth_pyramid_build(pyramid, &image, &result_error));
      if (cuts_in(people.number)) ok(sinew_depth_pyramid_clear(pyramid, &result_error));
    }
    frame.depth_pyramid = pyramid;
    ok(sinew_planner_plan(planner_in_c, &instances, &frame, nullptr, &result_error));
    sinew_depth_pyramid_destroy(pyramid);
  }
};

class Twins {
 public:
  explicit Twins(const std::string& path) : character_(std::move(load_character_file(path).value().character)) {
    ok(sinew_character_load(path.c_str(), &in_c_, &result_error));
  }
  ~Twins() { sinew_character_destroy(in_c_); }

  void compare_all() {
    const RootTrack walk = extract("walk", 0), run = extract("run", 1);
    compare_markers();
    Player player(character_, kInstances, kMasks);  // with the markers
    SinewPlayer* player_in_c = nullptr;
    ok(sinew_player_create(in_c_, kInstances, kMasks, &player_in_c, &result_error));
    for (const auto& [name, track, in_c] : {std::tuple("walk", &walk, tracks_[0]), {"run", &run, tracks_[1]}}) {
      ok(player.set_root_track(clip(name), *track));
      ok(sinew_player_set_root_track(player_in_c, clip(name), in_c, &result_error));
      sinew_root_track_destroy(in_c);  // the player has a copy
    }
    make_ready();
    compare_players(player, player_in_c);
    evaluator_ = CrowdEvaluator(baked_);
    ok(sinew_evaluator_create(in_c_, &evaluator_in_c_, &result_error));
    compare_evaluation(player.playbacks());
    sinew_player_destroy(player_in_c);
    compare_crowd();
    compare_roster({});
    compare_roster(1);
    sinew_evaluator_destroy(evaluator_in_c_);
  }

 private:
  uint32_t clip(const char* name) const {
    uint32_t index = 0;
    ok(sinew_character_find_clip(in_c_, name, &index, &result_error));
    EXPECT_EQ(character_.clips.at(index).name, name);
    return index;
  }
  uint32_t joint(const char* name) const {
    uint32_t index = 0;
    ok(sinew_character_find_joint(in_c_, name, &index, &result_error));
    EXPECT_EQ(character_.skeleton.joint_names.at(index), name);
    return index;
  }

  RootTrack extract(const char* name, int number) {
    ExtractedMotion extracted = extract_root_motion(character_, clip(name), joint("pelvis")).value();
    const RootTrack& track = extracted.track;
    SinewRootTrack*& in_c = tracks_[number];
    ok(sinew_character_extract_root_motion(in_c_, clip(name), joint("pelvis"), &in_c, &result_error));
    SinewRootTrackInfo info = SINEW_INIT(SinewRootTrackInfo);
    ok(sinew_root_track_info(in_c, &info, &result_error));
    EXPECT_TRUE(same(info.up, track.up));
    EXPECT_EQ(std::tuple(info.start_seconds, info.end_seconds), std::tuple(track.start_seconds, track.end_seconds));
    EXPECT_EQ(info.motion_count, track.motions.size());
    for (uint32_t i = 0; i < info.motion_count; ++i) EXPECT_TRUE(same(info.motions[i], track.motions[i])) << i;
    GroundMotion sum;
    SinewGroundMotion sum_in_c = {};
    for (uint32_t looping = 0; looping < std::size(kLoopings); ++looping) {
      for (const auto& [from, to] : kTimes) {
        const GroundMotion motion = motion_between(track, from, to, kLoopings[looping]);
        SinewGroundMotion found;
        ok(sinew_root_track_motion_between(in_c, from, to, looping, &found, &result_error));
        EXPECT_TRUE(same(found, motion)) << looping << " " << from;
        sum = compose(track, motion, sum);
        ok(sinew_root_track_compose(in_c, &found, &sum_in_c, &sum_in_c, &result_error));
        EXPECT_TRUE(same(sum_in_c, sum)) << looping << " " << from;
        SinewMatrix3x4d matrix;
        ok(sinew_root_track_to_matrix(in_c, &sum_in_c, &matrix, &result_error));
        EXPECT_TRUE(same(matrix, to_matrix(track, sum))) << looping << " " << from;
      }
    }
    character_.clips[clip(name)] = std::move(extracted.clip);
    return extracted.track;
  }

  void compare_markers() {
    const uint32_t walk = clip("walk");
    std::vector<Marker>& markers = character_.clips[walk].markers;
    markers = find_footsteps(character_, walk, {}, StepMoments::kDownAndUp).value();
    EXPECT_EQ(markers.size(), 4u);
    const auto after = [](const Marker& marker) { return marker.time_seconds > 0.25f; };
    markers.insert(std::find_if(markers.begin(), markers.end(), after), {0.25f, "whistle"});
    const SinewMarker marker = {0.25f, "whistle"};
    ok(sinew_character_set_markers(in_c_, walk, &marker, 1, &result_error));
    ok(sinew_character_add_footsteps(in_c_, walk, nullptr, 0, SINEW_STEPS_DOWN_AND_UP, &result_error));
    SinewClip info = SINEW_INIT(SinewClip);
    ok(sinew_character_clip(in_c_, walk, &info, &result_error));
    ASSERT_EQ(info.marker_count, markers.size());
    for (uint32_t i = 0; i < info.marker_count; ++i) {
      SinewMarker found;
      ok(sinew_character_marker(in_c_, walk, i, &found, &result_error));
      EXPECT_EQ(std::tuple(found.time_seconds, std::string(found.name)),
                std::tuple(markers[i].time_seconds, markers[i].name));
    }
  }

  /// Levels of detail, an entry for the joint without vertices, and the bake. The entry drops earlier levels.
  void make_ready() {
    ok(sinew_character_make_levels(in_c_, nullptr, 0, &result_error));
    ok(sinew_character_add_palette_entry(in_c_, kUnskinnedJoint, &result_error));
    ok(sinew_character_make_levels(in_c_, nullptr, 0, &result_error));
    ok(sinew_character_bake(in_c_, nullptr, &result_error));
    ok(add_palette_entry(character_, kUnskinnedJoint));
    levels_ = make_levels(character_.mesh).value();
    baked_ = bake(character_).value();
    for (uint32_t i = 0; i < baked_.clips.size(); ++i) {
      SinewClip clip = SINEW_INIT(SinewClip);
      ok(sinew_character_clip(in_c_, i, &clip, &result_error));
      EXPECT_EQ(clip.baked_error, baked_.clips[i].error) << i;
    }
    for (uint32_t level = 1; level <= levels_.size(); ++level) {
      SinewMesh mesh = SINEW_INIT(SinewMesh);
      ok(sinew_character_mesh(in_c_, level, &mesh, &result_error));
      EXPECT_EQ(mesh.error, levels_[level - 1].error) << level;
      EXPECT_TRUE(same(std::span(mesh.indices, mesh.index_count), std::span(levels_[level - 1].mesh.indices)));
    }
  }

  static void do_event(Player& player, SinewPlayer* in_c, const Event& event) {
    const PlayOptions options = {.start_seconds = event.start,
                                 .speed = event.paused != 0 ? 0 : event.speed,
                                 .looping = kLoopings[event.looping],
                                 .weight = event.weight,
                                 .mask = event.mask};
    SinewPlayOptions given = SINEW_INIT(SinewPlayOptions);
    given.looping = event.looping, given.start_seconds = event.start, given.mask = event.mask;
    given.speed = event.speed == 1 ? 0 : event.speed;  // 0 is the default
    given.weight = event.weight == 1 ? 0 : event.weight, given.paused = event.paused;
    const auto [frame, kind, instance, clip, duration, start, speed, weight, looping, paused, mask] = event;
    switch (kind) {
      case Kind::kPlay:
        ok(player.play(instance, clip, options));
        return ok(sinew_player_play(in_c, instance, clip, &given, &result_error));
      case Kind::kCrossFade:
        ok(player.cross_fade(instance, clip, duration, options));
        return ok(sinew_player_cross_fade(in_c, instance, clip, duration, &given, &result_error));
      case Kind::kStop:
        ok(player.stop(instance, clip, duration));
        return ok(sinew_player_stop(in_c, instance, clip, duration, &result_error));
      case Kind::kSetSpeed:
        ok(player.set_speed(instance, speed));
        return ok(sinew_player_set_speed(in_c, instance, speed, &result_error));
      case Kind::kReset:
        ok(player.reset(instance));
        return ok(sinew_player_reset(in_c, instance, &result_error));
      case Kind::kResize:
        ok(player.resize(instance));
        return ok(sinew_player_resize(in_c, instance, &result_error));
    }
  }

  static void compare_players(Player& player, SinewPlayer* in_c) {
    size_t all_events = 0;
    for (uint32_t frame = 0; frame < kFrames; ++frame) {
      SCOPED_TRACE(frame);
      for (const Event& event : kEvents) {
        if (event.frame == frame) do_event(player, in_c, event);
      }
      ok(player.advance(1 / 30.0));
      ok(sinew_player_advance(in_c, 1 / 30.0, &result_error));
      const SinewPlayback* playbacks = nullptr;
      ok(sinew_player_playbacks(in_c, &playbacks, &result_error));
      EXPECT_TRUE(same(std::span(playbacks, kInstances), player.playbacks()));
      for (uint32_t i = 0; i < kInstances; ++i) {
        SinewGroundMotion motion;
        ok(sinew_player_root_motion(in_c, i, &motion, &result_error));
        EXPECT_TRUE(same(motion, player.root_motion(i))) << i;
      }
      const SinewMarkerEvent* events = nullptr;
      uint32_t count = 0;
      ok(sinew_player_events(in_c, &events, &count, &result_error));
      EXPECT_TRUE(same(std::span(events, count), player.events()));
      all_events += count;
    }
    EXPECT_GE(all_events, 5u);
  }

  SinewEvaluateInfo info_of(std::span<const Playback> playbacks, std::vector<Matrix3x4>& palettes) const {
    SinewEvaluateInfo info = SINEW_INIT(SinewEvaluateInfo);
    info.instance_count = uint32_t(playbacks.size()), info.playbacks = as<const SinewPlayback>(playbacks.data());
    info.palette_stride = baked_.palette_size, info.palette_count = playbacks.size() * baked_.palette_size;
    palettes.resize(info.palette_count), info.palettes = as<SinewMatrix3x4>(palettes.data());
    return info;
  }

  void compare_evaluation(std::span<const Playback> playbacks) {
    Matrix3x4 offset;
    std::memcpy(offset.m, kOffset, sizeof offset.m);
    const std::array sockets = {make_socket(character_, kUnskinnedJoint, offset).value(),
                                make_socket(character_, joint("head")).value()};
    SinewSocket found[kSockets];
    ok(sinew_character_make_socket(in_c_, kUnskinnedJoint, as<SinewMatrix3x4>(&offset), &found[0], &result_error));
    ok(sinew_character_make_socket(in_c_, joint("head"), nullptr, &found[1], &result_error));
    EXPECT_TRUE(same(found, sockets));
    ok(evaluator_.set_sockets(sockets));
    ok(sinew_evaluator_set_sockets(evaluator_in_c_, found, kSockets, &result_error));

    std::vector<Matrix3x4> palettes, expected(kInstances * baked_.palette_size);
    std::vector<Matrix3x4> matrices(kInstances * kSockets), expected_matrices(matrices);
    SinewEvaluateInfo info = info_of(playbacks, palettes);
    info.socket_matrices = as<SinewMatrix3x4>(matrices.data()), info.socket_matrix_count = matrices.size();
    const uint32_t stride = uint32_t(character_.mesh.target_count()) + 1;  // one float of an instance is not written
    std::vector<float> weights(kInstances * stride, -7), expected_weights(weights);
    info.weights = weights.data(), info.weight_count = weights.size(), info.weight_stride = stride;
    ok(evaluator_.evaluate(playbacks, baked_.palette_size, expected, expected_matrices));
    ok(evaluate_weights(baked_, playbacks, stride, expected_weights));
    ok(sinew_evaluator_evaluate(evaluator_in_c_, &info, &result_error));
    EXPECT_TRUE(same(std::span(palettes), std::span(expected)));
    EXPECT_TRUE(same(std::span(matrices), std::span(expected_matrices)));
    EXPECT_EQ(weights, expected_weights);

    info.socket_matrices = nullptr, info.socket_matrix_count = 0;
    weights.assign(weights.size(), -7);
    EvaluationScratch scratch;
    ok(evaluate_exact(character_, playbacks, baked_.palette_size, expected, scratch));
    ok(evaluate_weights_exact(character_, playbacks, stride, expected_weights));
    ok(sinew_character_evaluate_exact(in_c_, &info, &result_error));
    EXPECT_TRUE(same(std::span(palettes), std::span(expected)));
    EXPECT_EQ(weights, expected_weights);

    info.weights = nullptr, info.weight_count = info.weight_stride = 0;
    std::vector<CompactMatrix> compact(palettes.size()), expected_compact(compact);
    info.palettes = nullptr, info.compact_palettes = as<SinewCompactMatrix>(compact.data());
    ok(evaluator_.evaluate(playbacks, baked_.palette_size, expected_compact));
    ok(sinew_evaluator_evaluate(evaluator_in_c_, &info, &result_error));
    EXPECT_TRUE(same(std::span(compact), std::span(expected_compact)));

    uint32_t scaling = 77;
    float scale = 0;
    ok(sinew_character_palette_scaling(in_c_, &scaling, &result_error));
    ok(sinew_character_palette_scale(in_c_, &scale, &result_error));
    EXPECT_EQ(scaling, uint32_t(palette_scaling(character_.skeleton, character_.skin, character_.clips)));
    EXPECT_EQ(scale, baked_.scale);
  }

  /// What a planner knows of the character.
  struct Described {
    CharacterBounds bounds;
    std::vector<crowd::Level> levels;
    std::vector<uint32_t> clips = {0, 1, 2, 3, 4, 5};
    crowd::ModelInfo info;
  };
  std::unique_ptr<Described> describe(float scale) const {
    auto described = std::make_unique<Described>();
    const CharacterBounds& bounds = described->bounds = measure_bounds(character_, baked_).value();
    const Vec3 size = bounds.rest.high - bounds.rest.low;
    described->levels = {{0, character_.mesh.vertex_count(), 0}};
    for (const ModelLevel& level : levels_)
      described->levels.push_back({level.error * scale, level.mesh.vertex_count(), 0});
    described->info = {.character = &character_,
                       .bounds = &bounds,
                       .baked = &baked_,
                       .clips = described->clips,
                       .levels = described->levels,
                       .height = std::max({size.x, size.y, size.z}) * scale,
                       .middle = (bounds.rest.low + bounds.rest.high) * 0.5f};
    return described;
  }

  void compare_crowd() {
    SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
    info.unique_poses = 40;
    const auto described = describe(kCrowdScale);
    Planners planners(info, in_c_, described->info, {.unique_poses = 40});
    uint32_t shared = 0, not_updated = 0;
    for (uint32_t frame = 0; frame < kCrowdFrames; ++frame) {
      SCOPED_TRACE(frame);
      if (frame == kUpdateAllFrame) {
        planners.planner.update_all();
        ok(sinew_planner_update_all(planners.planner_in_c, &result_error));
      }
      People people(frame);
      compare_frame(planners, people);
      const crowd::PlanCounters& counted = planners.planner.last().counters;
      shared += counted.shared, not_updated += counted.not_updated;
      EXPECT_GT(counted.culled, 10u);
      EXPECT_EQ(counted.occluded > 3, frame % 3 != 0 && !cuts_in(frame));
      EXPECT_EQ(counted.not_updated == 0, frame == 0 || frame == kUpdateAllFrame);
    }
    EXPECT_GT(shared, 50u);
    EXPECT_GT(not_updated, 50u);
  }

  void compare_frame(Planners& planners, People& people) {
    const SinewPlan in_c = planners.plan(people);
    const crowd::Plan& plan = planners.planner.last();
    const crowd::PlanCounters& c = plan.counters;
    EXPECT_EQ(std::tuple(in_c.visible, in_c.culled, in_c.shared, in_c.not_updated, in_c.shadow_only,
                         in_c.updated_meshes, in_c.occluded),
              std::tuple(c.visible, c.culled, c.shared, c.not_updated, c.shadow_only, c.updated_meshes, c.occluded));
    ASSERT_EQ(in_c.group_count, plan.groups.size());
    for (uint32_t g = 0; g < in_c.group_count; ++g) {
      const crowd::UpdateGroup& group = plan.groups[g];
      compare_draws(planners, g, group);
      for (uint32_t b = 0; group.updated && b < group.batch_count; ++b)
        compare_batch(planners, in_c, group.first_batch + b);
    }
    std::vector<crowd::SocketRequest> requests;
    for (uint32_t i = 0; i < kCrowd; ++i) requests.push_back({i, i % kSockets});
    std::vector<Matrix3x4> placed(kCrowd), expected(kCrowd);
    SinewPlaceInfo place = SINEW_INIT(SinewPlaceInfo);
    place.requests = as<SinewSocketRequest>(requests.data()), place.request_count = kCrowd;
    place.world_from_socket = as<SinewMatrix3x4>(placed.data());
    if (people.number % 2 == 0) {
      place.instance_count = kCrowd, place.world_from_model = as<SinewMatrix3x4>(people.places.data());
    } else {
      place.world_from_model_at = place_by_instance, place.world_from_model_user_data = people.places.data();
    }
    planners.attachments.place(plan, people.instances(), requests, expected);
    ok(sinew_attachments_place(planners.attachments_in_c, &place, &result_error));
    EXPECT_TRUE(same(std::span(placed), std::span(expected)));
  }

  static void compare_draws(const Planners& planners, uint32_t g, const crowd::UpdateGroup& group) {
    std::array<uint32_t, kCrowd> first_vertices = {}, expected_vertices = {};
    const crowd::Plan& plan = planners.planner.last();
    for (uint32_t b = 0; b < group.batch_count; ++b) {
      const uint32_t count = plan.batches[group.first_batch + b].mesh_count, first = count / 3;
      const auto meshes = crowd::posed_meshes_of(plan, g, b, first, count - first);
      const crowd::DrawInfo info = {3 * b, 33, 7, 1000 + b};
      const SinewDrawInfo given = {sizeof given, g, b, first, count - first, 3 * b, 33, 7, 1000 + b};
      uint32_t draw_count = 0;
      ok(sinew_planner_write_draws(planners.planner_in_c, &given, nullptr, &draw_count, &result_error));
      std::vector<crowd::DrawCommand> draws(draw_count), expected(crowd::count_draws(meshes));
      crowd::write_draws(meshes, info, expected);
      SinewDrawCommand instanced;
      if (draw_count > 0) {
        ok(sinew_planner_write_draws(planners.planner_in_c, &given, as<SinewDrawCommand>(draws.data()), &draw_count,
                                     &result_error));
      }
      EXPECT_TRUE(same(std::span(draws), std::span(expected)));
      ok(sinew_planner_instanced_draw(planners.planner_in_c, &given, &instanced, &result_error));
      EXPECT_TRUE(same(instanced, crowd::instanced_draw(meshes, info)));
      crowd::write_first_vertices(meshes, info, expected_vertices);
      ok(sinew_planner_write_first_vertices(planners.planner_in_c, &given, first_vertices.data(), kCrowd,
                                            &result_error));
    }
    EXPECT_EQ(first_vertices, expected_vertices);
  }

  void compare_batch(Planners& planners, const SinewPlan& in_c, uint32_t b) {
    const crowd::Plan& plan = planners.planner.last();
    const crowd::PosedBatch& batch = plan.batches[b];
    const std::span expected = planners.attachments.of(plan, b);
    const std::span sockets = planners.sockets_of(b);
    ASSERT_EQ(in_c.batches[b].mesh_count, batch.mesh_count);
    std::vector<Matrix3x4> palettes;
    SinewEvaluateInfo info = info_of(std::span(plan.playbacks).subspan(batch.first_mesh, batch.mesh_count), palettes);
    ok(evaluator_.evaluate({as<const Playback>(info.playbacks), batch.mesh_count}, info.palette_stride, palettes,
                           expected));
    info.playbacks = in_c.playbacks + in_c.batches[b].first_mesh;
    info.socket_matrices = sockets.data(), info.socket_matrix_count = sockets.size();
    ok(sinew_evaluator_evaluate(evaluator_in_c_, &info, &result_error));
    EXPECT_TRUE(same(sockets, expected)) << "batch " << b;
  }

  /// Models come and go. At a level, all are drawn at it.
  void compare_roster(std::optional<uint32_t> level) {
    SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
    info.previous_poses = 1, info.level = level ? &*level : nullptr;
    const auto first = describe(kCrowdScale), added = describe(kAddedScale);
    Planners planners(info, in_c_, first->info, {.level = level, .previous_poses = true});
    uint32_t previous_poses = 0;
    for (uint32_t frame = 0; frame < kRosterFrames; ++frame) {
      SCOPED_TRACE(frame);
      change_roster(planners, added->info, frame);
      People people(frame);
      people.change();
      compare_plans(planners, planners.plan(people), level);
      previous_poses += uint32_t(planners.planner.last().previous_poses.size());
    }
    EXPECT_GT(previous_poses, 250u);
  }

  void change_roster(Planners& planners, const crowd::ModelInfo& model, uint32_t frame) {
    if (frame == kAddFrame || frame == kAddAgainFrame) {
      SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
      described.character = in_c_, described.scale = kAddedScale;
      SinewMeasuredModel* measured = nullptr;
      uint32_t number = 77;
      ok(sinew_planner_measure(planners.planner_in_c, &described, nullptr, &measured, &result_error));
      ok(sinew_planner_add_model(planners.planner_in_c, measured, &number, &result_error));
      sinew_measured_model_destroy(measured);
      EXPECT_EQ(number, frame == kAddFrame ? 1u : 0u);
      EXPECT_EQ(planners.planner.add_model(planners.planner.measure(model).value()).value(), number);
      ok(planners.attachments.set_socket_count(number, kSockets));
      ok(sinew_attachments_set_socket_count(planners.attachments_in_c, number, kSockets, &result_error));
    }
    if (frame == kRemoveFrame) {
      ok(planners.planner.remove_model(0, kKeptPlans));
      ok(sinew_planner_remove_model(planners.planner_in_c, 0, kKeptPlans, &result_error));
    }
    for (uint32_t number = 0; number < 3; ++number) {
      uint32_t gone = 77;
      ok(sinew_planner_is_gone(planners.planner_in_c, number, &gone, &result_error));
      EXPECT_EQ(gone, uint32_t(planners.planner.is_gone(number))) << number;
    }
  }

  static void compare_plans(Planners& planners, const SinewPlan& in_c, std::optional<uint32_t> level) {
    const crowd::Plan& plan = planners.planner.last();
    EXPECT_TRUE(same(std::span(in_c.instances, in_c.instance_count), std::span(plan.instances)));
    ASSERT_EQ(in_c.previous_pose_count, plan.previous_poses.size());
    for (uint32_t i = 0; i < in_c.previous_pose_count; ++i)
      EXPECT_EQ(std::tuple(in_c.previous_poses[i].posed_mesh, in_c.previous_poses[i].in_this_plan),
                std::tuple(plan.previous_poses[i].posed_mesh, uint8_t(plan.previous_poses[i].in_this_plan)));
    ASSERT_EQ(in_c.batch_count, plan.batches.size());
    for (uint32_t b = 0; b < in_c.batch_count; ++b) {
      const SinewPosedBatch& batch = in_c.batches[b];
      const crowd::PosedBatch& expected = plan.batches[b];
      EXPECT_EQ(std::tuple(batch.model, batch.level, batch.mesh_count, planners.sockets_of(b).size()),
                std::tuple(expected.model, level.value_or(expected.level), expected.mesh_count,
                           planners.attachments.of(plan, b).size()));
    }
  }

  Character character_;
  SinewCharacter* in_c_ = nullptr;
  SinewRootTrack* tracks_[2] = {};
  std::vector<ModelLevel> levels_;
  BakedCharacter baked_;
  CrowdEvaluator evaluator_;
  SinewEvaluator* evaluator_in_c_ = nullptr;
};

TEST(CInterface, HasTheResultsOfCpp) {
  const std::string path = testing::TempDir() + "results_of_c.sinew";
  const Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_TRUE(write_character_file(path, {*character, {}, {}}));
  Twins twins(path);
  std::remove(path.c_str());
  twins.compare_all();
}

TEST(CInterface, WritesDrawsOfARangeAsCpp) {
  vulkan::InstanceRange expected_range;
  expected_range.instance_count = 5, expected_range.vertex_count = 104;
  MeshPart expected_part;
  expected_part.first_index = 12, expected_part.index_count = 30;
  std::array<VkDrawIndexedIndirectCommand, 5> draws, expected;
  vulkan::write_draws(expected_range, expected_part, 40, expected);
  SinewRange range = SINEW_INIT(SinewRange);
  range.instance_count = 5, range.vertex_count = 104;
  SinewPart part = SINEW_INIT(SinewPart);
  part.first_index = 12, part.index_count = 30;
  ok(sinew_write_draws(&range, &part, 40, draws.data(), 5, &result_error));
  EXPECT_TRUE(same(draws, expected));
}

}  // namespace
}  // namespace sinew
