// The planner.

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "host_data.h"
#include "planner.h"

namespace sinew::c {

using namespace crowd;

SINEW_SAME_LAYOUT(SinewUpdateGroup, UpdateGroup, first_batch, batch_count, seconds, updated);
SINEW_SAME_LAYOUT(SinewPosedBatch, PosedBatch, model, level, wearable, first_mesh, mesh_count, group, bodies,
                  host_posed, previous_poses);
SINEW_SAME_LAYOUT(SinewPosedMesh, PosedMesh, instance, first_instance, instance_count, shared);
SINEW_SAME_LAYOUT(SinewPreviousPose, PreviousPose, posed_mesh, in_this_plan);

namespace {

/// The posed meshes of the last plan that a draw is for.
std::span<const PosedMesh> known_meshes(const Plan& plan, const SinewDrawInfo& info) {
  const auto meshes = posed_meshes_of(plan, info.group, info.batch, info.first_mesh, info.mesh_count);
  if (meshes.size() != info.mesh_count)
    refuse("info: the last plan has no " + std::to_string(info.mesh_count) + " posed meshes from " +
           std::to_string(info.first_mesh) + " on in batch " + std::to_string(info.batch) + " of group " +
           std::to_string(info.group));
  return meshes;
}

DrawInfo draw_info_of(const SinewDrawInfo& from) {
  return {from.first_index, from.index_count, from.first_vertex, from.vertex_count};
}

std::vector<Level> levels_of(const CharacterContent& content, float scale) {
  std::vector<Level> levels{{0, content.character.mesh.vertex_count(), 0}};
  for (const CoarseLevel& level : content.coarse_levels)
    levels.push_back(
        {level.error * scale, level.mesh.vertex_count(), 0, level.skin.palette_size(), level.mesh.target_count()});
  return levels;
}

std::vector<uint32_t> clips_of(const SinewPlannerModel& given, const Character& character) {
  std::vector<uint32_t> clips;
  if (const auto listed = listed_clips(given.clips, given.clip_count)) {
    clips.assign(listed->begin(), listed->end());
    return clips;
  }
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    if (!character.clips[i].additive) clips.push_back(i);
  }
  return clips;
}

/// What the planner knows of a model, in messages `name`. Points into `actor`.
ModelInfo describe(const SinewPlannerModel& given, const char* name, Actor& actor) {
  actor.content = required(given.character, name).content;
  const CharacterContent& content = *actor.content;
  if (!content.baked || !content.bounds) refuse(std::string(name) + " has no bake, see sinew_character_bake()");
  const float scale = given.scale != 0 ? given.scale : 1;
  actor.clips = clips_of(given, content.character);
  actor.levels = levels_of(content, scale);

  ModelInfo info;
  info.character = &content.character;
  info.baked = &*content.baked, info.bounds = &*content.bounds;
  info.clips = actor.clips, info.levels = actor.levels;
  const Box& rest = content.bounds->rest;
  const Vec3 size = size_of(rest);
  info.height = given.height != 0 ? given.height : std::max({size.x, size.y, size.z}) * scale;
  info.middle = vector_of(given.middle);
  if (is_zero(info.middle)) info.middle = (rest.low + rest.high) * 0.5f;
  return info;
}

PlanOptions options_of(const SinewPlannerInfo& given) {
  PlanOptions options = plan_options(given);
  if (given.kept_palettes != 0) options.budget.kept_palettes = given.kept_palettes;
  if (given.kept_vertices != 0) options.budget.kept_vertices = given.kept_vertices;
  if (given.vertex_bytes != 0) options.budget.vertex_bytes = given.vertex_bytes;
  return options;
}

void show_arrays(const Plan& from, SinewPlan& plan) {
  plan.group_count = uint32_t(from.groups.size()), plan.groups = seen_as<SinewUpdateGroup>(from.groups.data());
  plan.batch_count = uint32_t(from.batches.size()), plan.batches = seen_as<SinewPosedBatch>(from.batches.data());
  plan.posed_mesh_count = uint32_t(from.posed_meshes.size());
  plan.posed_meshes = seen_as<SinewPosedMesh>(from.posed_meshes.data());
  plan.playbacks = seen_as<SinewPlayback>(from.playbacks.data());
  plan.instance_count = uint32_t(from.instances.size()), plan.instances = from.instances.data();
  plan.previous_pose_count = uint32_t(from.previous_poses.size());
  plan.previous_poses = seen_as<SinewPreviousPose>(from.previous_poses.data());
}

}  // namespace
}  // namespace sinew::c

struct SinewMeasuredModel {
  sinew::c::Actor actor;
  sinew::crowd::MeasuredModel measured;  // points into `actor`
};

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_planner_create(const SinewPlannerInfo* info, SinewPlanner** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewPlanner& handle) {
    const SinewPlannerInfo given = read(info, "info");
    handle.content = std::make_shared<PlannerContent>();
    PlannerContent& content = *handle.content;
    content.actors.resize(given.model_count);
    std::vector<ModelInfo> models;
    for (uint32_t i = 0; i < given.model_count; ++i)
      models.push_back(
          describe(read_element(given.models, i, "info->models"), "info->models->character", content.actors[i]));
    content.planner = take(Planner::create(models, options_of(given), loop_of(given.parallel_for)));
  });
}

void sinew_planner_destroy(SinewPlanner* planner) { delete planner; }

SinewResult sinew_planner_plan(SinewPlanner* planner, const SinewInstances* instances, const SinewCrowdFrame* frame,
                               const SinewParallelFor* parallel_for, SinewError* error) {
  return call(error, __func__, [&] {
    PlannerContent& content = *required(planner, "planner").content;
    SinewInstances given = read(instances, "instances");
    const SinewCrowdFrame given_frame = read(frame, "frame");
    const Instances known_instances = instances_of(given);
    const crowd::PlanFrame known_frame = frame_of(given_frame);
    const Status planned = content.planner.plan(known_instances, known_frame, loop_of(parallel_for));
    content.release_gone();
    const bool unchanged = !planned && planned.error().code == ErrorCode::kInvalidArgument;
    if (!unchanged) ++content.plans, content.has_plan = bool(planned);
    check(planned);
  });
}

SinewResult sinew_planner_last(const SinewPlanner* planner, SinewPlan* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewPlan& plan) {
    const PlannerContent& content = content_of(planner);
    const Planner& by = content.planner;
    const Plan& from = by.last();
    if (content.has_plan) show_arrays(from, plan);
    plan.visible = from.counters.visible, plan.culled = from.counters.culled;
    plan.shared = from.counters.shared, plan.not_updated = from.counters.not_updated;
    plan.shadow_only = from.counters.shadow_only;
    plan.updated_meshes = from.counters.updated_meshes, plan.occluded = from.counters.occluded;
    plan.needed_bytes = by.needed_bytes();
  });
}

SinewResult sinew_planner_write_draws(const SinewPlanner* planner, const SinewDrawInfo* info, SinewDrawCommand* out,
                                      uint32_t* count, SinewError* error) {
  return call(error, __func__, [&] {
    const Plan& plan = content_of(planner).plan();
    const SinewDrawInfo given = read(info, "info");
    uint32_t& room = required(count, "count");
    const auto meshes = known_meshes(plan, given);
    const uint32_t draws = count_draws(meshes);
    const auto commands = array_as(out, out != nullptr ? draws : 0, "out");
    if (out != nullptr) check_room(room, draws, "draws");
    room = draws;
    write_draws(meshes, draw_info_of(given), commands);
  });
}

SinewResult sinew_planner_instanced_draw(const SinewPlanner* planner, const SinewDrawInfo* info, SinewDrawCommand* out,
                                         SinewError* error) {
  return call(error, __func__, [&] {
    const Plan& plan = content_of(planner).plan();
    const SinewDrawInfo given = read(info, "info");
    SinewDrawCommand& command = required(out, "out");
    command = std::bit_cast<SinewDrawCommand>(instanced_draw(known_meshes(plan, given), draw_info_of(given)));
  });
}

SinewResult sinew_planner_write_first_vertices(const SinewPlanner* planner, const SinewDrawInfo* info, uint32_t* out,
                                               uint32_t count, SinewError* error) {
  return call(error, __func__, [&] {
    const Plan& plan = content_of(planner).plan();
    const SinewDrawInfo given = read(info, "info");
    const auto meshes = known_meshes(plan, given);
    const auto first_vertices = array(out, count, "out");
    check_room(count, uint32_t(plan.instances.size()), "instances");
    write_first_vertices(meshes, draw_info_of(given), first_vertices);
  });
}

SinewResult sinew_planner_update_all(SinewPlanner* planner, SinewError* error) {
  return call(error, __func__, [&] {
    PlannerContent& content = *required(planner, "planner").content;
    content.planner.update_all();
    content.has_plan = false;
  });
}

SinewResult sinew_planner_measure(const SinewPlanner* planner, const SinewPlannerModel* model,
                                  const SinewParallelFor* parallel_for, SinewMeasuredModel** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewMeasuredModel& handle) {
    const SinewPlannerModel given = read(model, "model");
    const ModelInfo info = describe(given, "model->character", handle.actor);
    handle.measured = take(content_of(planner).planner.measure(info, loop_of(parallel_for)));
  });
}

void sinew_measured_model_destroy(SinewMeasuredModel* measured) { delete measured; }

SinewResult sinew_planner_add_model(SinewPlanner* planner, SinewMeasuredModel* measured, uint32_t* out,
                                    SinewError* error) {
  return call(error, __func__, [&] {
    PlannerContent& content = *required(planner, "planner").content;
    uint32_t& number = required(out, "out");
    SinewMeasuredModel taken = std::move(required(measured, "measured"));
    std::vector<Actor>& actors = content.actors;
    if (actors.size() == actors.capacity()) actors.reserve(2 * actors.size());  // nothing may fail after the planner
    const uint32_t added = take(content.planner.add_model(std::move(taken.measured)));
    if (added == actors.size()) actors.emplace_back();
    actors[added] = std::move(taken.actor);
    number = added;
  });
}

SinewResult sinew_planner_remove_model(SinewPlanner* planner, uint32_t model, uint32_t kept_plans, SinewError* error) {
  return call(error, __func__, [&] {
    PlannerContent& content = *required(planner, "planner").content;
    const Status removed = content.planner.remove_model(model, kept_plans);
    content.release_gone();
    check(removed);
  });
}

SinewResult sinew_planner_is_gone(const SinewPlanner* planner, uint32_t model, uint32_t* out, SinewError* error) {
  return call(error, __func__, [&] { required(out, "out") = content_of(planner).planner.is_gone(model) ? 1 : 0; });
}
