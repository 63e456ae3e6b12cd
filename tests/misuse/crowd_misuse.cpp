#include "animation/rig.h"
#include "misuse/misuse.h"

#include "sinew/asset/wearable.h"
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/planner.h"

namespace sinew::test {

std::vector<Misuse> crowd_misuses() {
  const Character character = random_rig({.joints = 3, .clips = 1});
  const crowd::Level level{.vertex_count = 10};
  const uint32_t clips[] = {0}, wrong_clips[] = {1};
  crowd::ModelInfo info{.character = &character, .clips = clips, .levels = {&level, 1}, .height = 1.8f};
  const auto create = [&](auto change) {
    crowd::ModelInfo changed = info;
    change(changed);
    return outcome_of(crowd::Planner::create({&changed, 1}, {}));
  };
  Result<crowd::Planner> planner = crowd::Planner::create({&info, 1}, {});
  const uint32_t characters[] = {0, 0};
  const Matrix3x4 places[2];
  const Playback playbacks[2], one_playback[1];
  const float one_speed[] = {1};
  const ChainTarget target{.instance = 2};
  const crowd::View view{.pixels_per_radian = 1000}, without_pixels;
  const std::vector<uint32_t> wearables(kMaxWearables + 1, 3);
  const crowd::Level overdressed{.wearable_vertices = wearables};
  crowd::Planner empty;
  crowd::Attachments attachments, without_counts(std::span<const uint32_t>{});
  const crowd::SocketRequest request;
  Matrix3x4 place;
  const Status planned =
      planner->plan({.models = characters, .world_from_model = places, .playbacks = playbacks}, {.views = {&view, 1}});
  attachments.place(planner->last(), {}, {&request, 1}, {&place, 1});
  return {
      {"a planner without a model", outcome_of(crowd::Planner::create({}, {}))},
      {"a null character", create([](auto& changed) { changed.character = nullptr; })},
      {"clip 1 of 1", create([&](auto& changed) { changed.clips = wrong_clips; })},
      {"no level of detail", create([](auto& changed) { changed.levels = {}; })},
      {"a height of 0", create([](auto& changed) { changed.height = 0; })},
      {"a level with 65 wearables", create([&](auto& changed) {
         changed.levels = {&overdressed, 1};
       })},
      {"two instances and one playback",
       outcome_of(planner->plan({.models = characters, .world_from_model = places, .playbacks = one_playback},
                                {.views = {&view, 1}}))},
      {"two instances and one speed",
       outcome_of(planner->plan(
           {.models = characters, .world_from_model = places, .playbacks = playbacks, .speeds = one_speed},
           {.views = {&view, 1}}))},
      {"a target of instance 2 of 2",
       outcome_of(planner->plan(
           {.models = characters, .world_from_model = places, .playbacks = playbacks, .targets = {&target, 1}},
           {.views = {&view, 1}}))},
      {"no view", outcome_of(planner->plan({.models = characters, .world_from_model = places}, {}))},
      {"a view without pixels_per_radian",
       outcome_of(planner->plan({.models = characters, .world_from_model = places, .playbacks = playbacks},
                                {.views = {&without_pixels, 1}}))},
      {"shadows of a sun on the horizon",
       outcome_of(planner->plan({.models = characters, .world_from_model = places, .playbacks = playbacks},
                                {.views = {&view, 1}, .shadows = crowd::SunShadows{.to_sun = {1, 0, 0}}}))},
      {"quality limits of 0 pixels", outcome_of(planner->set_limits({.error_pixels = 0}))},
      {"`plan()` of an empty planner", outcome_of(empty.plan({}, {}))},
      {"`last()` of an empty planner", yes_or(empty.last().posed_meshes.empty(), "an empty plan")},
      {"`begin()` of empty attachments", outcome_of(attachments.begin(planner->last()))},
      {"`begin()` with a model that has no socket count",
       planned ? outcome_of(without_counts.begin(planner->last())) : planned.error().message},
      {"`of()` a batch that is not in the plan",
       yes_or(attachments.of(planner->last(), 1000).empty(), "an empty span")},
  };
}

}  // namespace sinew::test
