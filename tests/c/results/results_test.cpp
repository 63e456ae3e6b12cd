// What the C interface computes is what C++ does, to the bit: the scenario in both.
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

#include "scenario.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/player.h"
#include "sinew/animation/root_motion.h"
#include "sinew/asset/character_file.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/occlusion.h"
#include "sinew/crowd/planner.h"
#include "sinew/import/import.h"
#include "sinew/import/lod.h"
#include "sinew/vulkan/draw.h"

struct Results {
  struct Result {
    std::string name;
    std::vector<unsigned char> bytes;
  };
  std::vector<Result> all;

  size_t count(const std::string& name) const {
    return size_t(std::count_if(all.begin(), all.end(), [&](const Result& result) { return result.name == name; }));
  }
};

void add_result(Results* results, const char* name, const void* data, size_t size_bytes) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  results->all.push_back({name, {bytes, bytes + size_bytes}});
}

namespace sinew {
namespace {

class InCpp {
 public:
  InCpp(const std::string& path, Results& results) : results_(results) {
    CharacterFile file = load_character_file(path).value();
    character_ = std::move(file.character);
  }

  void add_all() {
    const RootTrack walk = extract("walk"), run = extract("run");
    add_markers(character_.clips[clip("walk")]);
    Player player(character_, kInstances, 2);
    EXPECT_TRUE(player.set_root_track(clip("walk"), walk));
    EXPECT_TRUE(player.set_root_track(clip("run"), run));
    EXPECT_TRUE(add_palette_entry(character_, kUnskinnedJoint));
    levels_ = make_levels(character_.mesh).value();
    baked_ = bake(character_).value();
    play(player);
    EXPECT_GE(event_count_, 5u);
    const CrowdEvaluator evaluator = evaluate(player.playbacks());
    add_crowd(evaluator);
    add_roster({});
    add_roster(kLevel);
    vulkan::InstanceRange range;
    range.instance_count = 5, range.vertex_count = 104;
    MeshPart part;
    part.first_index = 12, part.index_count = 30;
    std::array<VkDrawIndexedIndirectCommand, 5> draws;
    vulkan::write_draws(range, part, 40, draws);
    add("draws of a range", draws);
  }

 private:
  template <class T>
  void add(const char* name, const T& value) {
    add_result(&results_, name, &value, sizeof value);
  }
  template <class T>
  void add_array(const char* name, std::span<T> values) {
    add_result(&results_, name, values.data(), values.size_bytes());
  }
  void add_motion(const char* name, const GroundMotion& motion) {
    add(name, motion.translation);
    add(name, motion.heading_radians);
  }

  uint32_t clip(const char* name) const {
    const auto found = std::find_if(character_.clips.begin(), character_.clips.end(),
                                    [&](const Clip& candidate) { return candidate.name == name; });
    return uint32_t(found - character_.clips.begin());
  }
  uint32_t joint(const char* name) const {
    const std::vector<std::string>& names = character_.skeleton.joint_names;
    return uint32_t(std::find(names.begin(), names.end(), name) - names.begin());
  }

  static Looping looping_of(int looping) {
    if (looping == kAround) return Looping::kLoop;
    return looping == kToTheEnd ? Looping::kClamp : Looping::kPingPong;
  }

  RootTrack extract(const char* name) {
    ExtractedMotion extracted = extract_root_motion(character_, clip(name), joint("pelvis")).value();
    const RootTrack& track = extracted.track;
    add("motion_count", uint32_t(track.motions.size()));
    add("up", track.up);
    add("start", track.start_seconds);
    add("end", track.end_seconds);
    for (const GroundMotion& motion : track.motions) add_motion("motion", motion);
    GroundMotion sum;
    for (const int looping : {kAround, kToTheEnd, kBackAndForth}) {
      for (const auto& [from, to] : kTimes) {
        const GroundMotion motion = motion_between(track, from, to, looping_of(looping));
        add_motion("motion_between", motion);
        sum = compose(track, motion, sum);
        add_motion("compose", sum);
        add("to_matrix", to_matrix(track, sum));
      }
    }
    character_.clips[clip(name)] = std::move(extracted.clip);
    return extracted.track;
  }

  void add_markers(Clip& walk) {
    walk.markers = find_footsteps(character_, clip("walk"), {}, StepMoments::kDownAndUp).value();
    EXPECT_EQ(walk.markers.size(), 4u);
    const auto after = [](const Marker& marker) { return marker.time_seconds > 0.25f; };
    walk.markers.insert(std::find_if(walk.markers.begin(), walk.markers.end(), after), {0.25f, "whistle"});
    for (const Marker& marker : walk.markers) {
      add("marker", marker.time_seconds);
      add_array("marker", std::span<const char>(marker.name));
    }
  }

  static void do_event(Player& player, const Event& event) {
    const PlayOptions options = {.start_seconds = event.start,
                                 .speed = event.paused != 0 ? 0 : event.speed,
                                 .looping = looping_of(event.looping),
                                 .weight = event.weight,
                                 .mask = event.mask};
    Status done;
    if (event.kind == kPlay) done = player.play(event.instance, event.clip, options);
    if (event.kind == kCrossFade) done = player.cross_fade(event.instance, event.clip, event.duration, options);
    if (event.kind == kStop) done = player.stop(event.instance, event.clip, event.duration);
    if (event.kind == kSetSpeed) done = player.set_speed(event.instance, event.speed);
    if (event.kind == kReset) done = player.reset(event.instance);
    if (event.kind == kResize) done = player.resize(event.instance);
    EXPECT_TRUE(done) << done.error().message;
  }

  void play(Player& player) {
    for (int frame = 0; frame < kFrames; ++frame) {
      for (const Event& event : kEvents) {
        if (event.frame == frame) do_event(player, event);
      }
      EXPECT_TRUE(player.advance(1 / 30.0));
      add_array("playbacks", player.playbacks());
      for (uint32_t i = 0; i < kInstances; ++i) add_motion("root_motion", player.root_motion(i));
      add_array("events", player.events());
      event_count_ += player.events().size();
    }
  }

  CrowdEvaluator evaluate(std::span<const Playback> playbacks) {
    Matrix3x4 offset;
    std::memcpy(offset.m, kOffset, sizeof offset.m);
    const std::array sockets = {make_socket(character_, kUnskinnedJoint, offset).value(),
                                make_socket(character_, joint("head")).value()};
    add("sockets", sockets);
    CrowdEvaluator evaluator(baked_);
    EXPECT_TRUE(evaluator.set_sockets(sockets));
    std::vector<Matrix3x4> palettes(size_t{kInstances} * baked_.palette_size), matrices(kInstances * kSockets);
    EXPECT_TRUE(evaluator.evaluate(playbacks, baked_.palette_size, palettes, matrices));
    add_array("palettes", std::span(palettes));
    add_array("matrices", std::span(matrices));
    EvaluationScratch scratch;
    EXPECT_TRUE(evaluate_exact(character_, playbacks, baked_.palette_size, palettes, scratch));
    add_array("exact", std::span(palettes));
    std::vector<CompactMatrix> compact(palettes.size());
    EXPECT_TRUE(evaluator.evaluate(playbacks, baked_.palette_size, compact));
    add_array("compact palettes", std::span(compact));
    add("scaling", uint32_t(palette_scaling(character_.skeleton, character_.skin, character_.clips)));
    add("scale", baked_.scale);
    return evaluator;
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

  void add_crowd(const CrowdEvaluator& evaluator) {
    const auto described = describe(CROWD_SCALE);
    crowd::Planner planner = crowd::Planner::create({&described->info, 1}, {.unique_poses = 40}).value();
    const uint32_t socket_count = kSockets;
    crowd::Attachments attachments({&socket_count, 1});
    for (int frame = 0; frame < kCrowdFrames; ++frame) {
      if (frame == kUpdateAllFrame) planner.update_all();
      add_frame(planner, evaluator, attachments, frame);
    }
  }

  /// The host of the crowd in one frame.
  struct People {
    std::vector<uint32_t> models = std::vector<uint32_t>(kCrowd), generations = std::vector<uint32_t>(kCrowd);
    std::vector<Matrix3x4> world_from_model = std::vector<Matrix3x4>(kCrowd);
    std::vector<Playback> playbacks = std::vector<Playback>(kCrowd);
    crowd::DepthPyramid pyramid;

    explicit People(int number) {
      for (uint32_t i = 0; i < kCrowd; ++i) {
        world_from_model[i].m[0][3] = place_x(i), world_from_model[i].m[2][3] = place_z(i);
        playbacks[i].layers[0] = {i % 6, 0.0137f * float(i) + float(number) / 30, 1, 0};
      }
    }
    crowd::Instances instances() const {
      return {
          .models = models, .world_from_model = world_from_model, .playbacks = playbacks, .generations = generations};
    }
    void plan(crowd::Planner& planner, int number) {
      crowd::View view = {.eye = {kEye[0], kEye[1], kEye[2]}, .pixels_per_radian = kPixelsPerRadian};
      set_camera(view.clip_from_world);
      crowd::PlanFrame frame{.seconds = number / 30.0, .views = {&view, 1}};
      const auto hides_left = [](void*, const crowd::Sphere& sphere, uint32_t of_view) {
        return of_view == 0 && sphere.center.x < kHiddenLeft;
      };
      if (number % 3 == 1) frame.occlusion = {nullptr, hides_left};
      if (number % 3 == 2) {
        EXPECT_TRUE(
            pyramid.build({.width = 2, .height = 1, .depth = kHiddenDepths, .view = view, .margin = kHiddenMargin}));
        if (cuts_in(number)) pyramid.clear();
        frame.occlusion = pyramid.source();
      }
      EXPECT_TRUE(planner.plan(instances(), frame));
    }
  };

  void add_frame(crowd::Planner& planner, const CrowdEvaluator& evaluator, crowd::Attachments& attachments,
                 int number) {
    People people(number);
    people.plan(planner, number);
    const crowd::Plan& plan = planner.last();
    const crowd::PlanCounters& counted = plan.counters;
    const std::array counters = {counted.visible,     counted.culled,         counted.shared,  counted.not_updated,
                                 counted.shadow_only, counted.updated_meshes, counted.occluded};
    add("counters", counters);
    EXPECT_TRUE(attachments.begin(plan));
    for (const crowd::UpdateGroup& group : plan.groups) {
      add_draws(plan, group);
      for (uint32_t b = 0; group.updated && b < group.batch_count; ++b)
        evaluate_batch(plan, group.first_batch + b, evaluator, attachments);
    }
    std::vector<crowd::SocketRequest> requests;
    for (uint32_t i = 0; i < kCrowd; ++i) requests.push_back({i, i % kSockets});
    std::vector<Matrix3x4> placed(kCrowd);
    attachments.place(plan, people.instances(), requests, placed);
    add_array("placed", std::span(placed));
    shared_ += plan.counters.shared, not_updated_ += plan.counters.not_updated;
    EXPECT_GT(plan.counters.culled, 10u);
    EXPECT_EQ(plan.counters.occluded > 3, number % 3 != 0 && !cuts_in(number));
    EXPECT_EQ(plan.counters.not_updated == 0, number == 0 || number == kUpdateAllFrame);
    if (number + 1 < kCrowdFrames) return;
    EXPECT_GT(shared_, 50u);
    EXPECT_GT(not_updated_, 50u);
  }

  void add_draws(const crowd::Plan& plan, const crowd::UpdateGroup& group) {
    std::array<uint32_t, kCrowd> first_vertices = {};
    const auto g = uint32_t(&group - plan.groups.data());
    for (uint32_t b = 0; b < group.batch_count; ++b) {
      const uint32_t count = plan.batches[group.first_batch + b].mesh_count, first = count / 3;
      const auto meshes = crowd::posed_meshes_of(plan, g, b, first, count - first);
      std::vector<crowd::DrawCommand> draws(crowd::count_draws(meshes));
      add("draw count", uint32_t(draws.size()));
      const crowd::DrawInfo info = {3 * b, 33, 7, 1000 + b};
      crowd::write_draws(meshes, info, draws);
      add_array("draws", std::span(draws));
      add("instanced draw", crowd::instanced_draw(meshes, info));
      crowd::write_first_vertices(meshes, info, first_vertices);
    }
    add("first vertices", first_vertices);
  }

  void evaluate_batch(const crowd::Plan& plan, uint32_t b, const CrowdEvaluator& evaluator,
                      crowd::Attachments& attachments) {
    const crowd::PosedBatch& batch = plan.batches[b];
    std::vector<Matrix3x4> palettes(size_t{batch.mesh_count} * baked_.palette_size);
    EXPECT_TRUE(evaluator.evaluate(std::span(plan.playbacks).subspan(batch.first_mesh, batch.mesh_count),
                                   baked_.palette_size, palettes, attachments.of(plan, b)));
    add_array("of", attachments.of(plan, b));
  }

  void add_roster(std::optional<uint32_t> level) {
    const auto first = describe(CROWD_SCALE), added = describe(ADDED_SCALE);
    crowd::Planner planner =
        crowd::Planner::create({&first->info, 1}, {.level = level, .previous_poses = true}).value();
    const uint32_t socket_count = kSockets;
    crowd::Attachments attachments({&socket_count, 1});
    for (int frame = 0; frame < kRosterFrames; ++frame) {
      change_roster(planner, attachments, added->info, frame);
      People people(frame);
      for (uint32_t i = 0; i < kCrowd; ++i) {
        people.models[i] = roster_character(i, frame);
        people.generations[i] = roster_generation(i, frame);
      }
      people.plan(planner, frame);
      const crowd::Plan& plan = planner.last();
      EXPECT_TRUE(attachments.begin(plan));
      add_plan(plan, attachments);
      if (!level) continue;
      for (const crowd::PosedBatch& batch : plan.batches) EXPECT_EQ(batch.level, *level);
    }
  }

  void change_roster(crowd::Planner& planner, crowd::Attachments& attachments, const crowd::ModelInfo& info,
                     int frame) {
    if (frame == kAddFrame || frame == kAddAgainFrame) {
      const uint32_t number = planner.add_model(planner.measure(info).value()).value();
      EXPECT_EQ(number, frame == kAddFrame ? 1u : 0u);
      EXPECT_TRUE(attachments.set_socket_count(number, kSockets));
      add("added", number);
    }
    if (frame == kRemoveFrame) {
      EXPECT_TRUE(planner.remove_model(0, kKeptPlans));
    }
    for (uint32_t number = 0; number < 3; ++number) add("gone", uint32_t(planner.is_gone(number)));
  }

  void add_plan(const crowd::Plan& plan, crowd::Attachments& attachments) {
    add_array("instances", std::span(plan.instances));
    for (const crowd::PreviousPose& pose : plan.previous_poses)
      add("previous", std::array{pose.posed_mesh, uint32_t(pose.in_this_plan)});
    for (uint32_t b = 0; b < plan.batches.size(); ++b) {
      const crowd::PosedBatch& batch = plan.batches[b];
      add("batch", std::array{batch.model, batch.level, batch.mesh_count, uint32_t(attachments.of(plan, b).size())});
    }
  }

  Results& results_;
  Character character_;
  std::vector<ModelLevel> levels_;
  BakedCharacter baked_;
  size_t event_count_ = 0;
  uint32_t shared_ = 0, not_updated_ = 0;
};

TEST(CInterface, HasTheResultsOfCpp) {
  const std::string path = testing::TempDir() + "results_of_c.sinew";
  const Result<Character> character = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
  ASSERT_TRUE(character) << character.error().message;
  ASSERT_TRUE(write_character_file(path, {*character, {}, {}}));
  Results in_c, in_cpp;
  add_results_in_c(path.c_str(), &in_c);
  InCpp(path, in_cpp).add_all();
  std::remove(path.c_str());

  EXPECT_GT(in_cpp.count("draws"), 50u);
  EXPECT_GT(in_cpp.count("of"), 20u);
  EXPECT_GT(in_cpp.count("previous"), 500u);
  ASSERT_EQ(in_c.all.size(), in_cpp.all.size());
  for (size_t i = 0; i < in_c.all.size(); ++i) {
    const auto &a = in_c.all[i], &b = in_cpp.all[i];
    ASSERT_EQ(a.name, b.name) << std::string(a.bytes.begin(), a.bytes.end());
    ASSERT_EQ(a.bytes, b.bytes) << "result " << i << ", " << a.name;
  }
}

}  // namespace
}  // namespace sinew
