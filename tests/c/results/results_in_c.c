// The scenario in C11.
#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "sinew/c/sinew.h"

static SinewError error = {.size = sizeof(SinewError)};

static void ok(Results* results, SinewResult result) {
  if (result != SINEW_OK) add_result(results, "error", error.message, strlen(error.message));
}

static void add_motion(Results* results, const char* name, const SinewGroundMotion* motion) {
  add_result(results, name, motion->translation, sizeof motion->translation);
  add_result(results, name, &motion->heading_radians, sizeof motion->heading_radians);
}

static uint32_t looping_of(int looping) {
  if (looping == kAround) return SINEW_LOOP;
  return looping == kToTheEnd ? SINEW_CLAMP : SINEW_PING_PONG;
}

// --- root motion ---

static void add_track(Results* results, const SinewRootTrack* track) {
  SinewRootTrackInfo info = SINEW_INIT(SinewRootTrackInfo);
  ok(results, sinew_root_track_info(track, &info, &error));
  add_result(results, "motion_count", &info.motion_count, sizeof info.motion_count);
  add_result(results, "up", info.up, sizeof info.up);
  add_result(results, "start", &info.start_seconds, sizeof info.start_seconds);
  add_result(results, "end", &info.end_seconds, sizeof info.end_seconds);
  for (uint32_t i = 0; i < info.motion_count; ++i) add_motion(results, "motion", &info.motions[i]);
  SinewGroundMotion sum = {{0, 0, 0}, 0};
  for (int looping = kAround; looping <= kBackAndForth; ++looping) {
    for (int i = 0; i < kTimeCount; ++i) {
      SinewGroundMotion motion;
      ok(results,
         sinew_root_track_motion_between(track, kTimes[i][0], kTimes[i][1], looping_of(looping), &motion, &error));
      add_motion(results, "motion_between", &motion);
      ok(results, sinew_root_track_compose(track, &motion, &sum, &sum, &error));
      add_motion(results, "compose", &sum);
      SinewMatrix3x4d matrix;
      ok(results, sinew_root_track_to_matrix(track, &sum, &matrix, &error));
      add_result(results, "to_matrix", &matrix, sizeof matrix);
    }
  }
}

static SinewRootTrack* extract(Results* results, SinewCharacter* character, const char* clip_name) {
  uint32_t clip = 0, joint = 0;
  ok(results, sinew_character_find_clip(character, clip_name, &clip, &error));
  ok(results, sinew_character_find_joint(character, "pelvis", &joint, &error));
  SinewRootTrack* track = NULL;
  ok(results, sinew_character_extract_root_motion(character, clip, joint, &track, &error));
  add_track(results, track);
  return track;
}

// --- player ---

static void do_event(Results* results, SinewPlayer* player, const Event* event) {
  SinewPlayOptions options = SINEW_INIT(SinewPlayOptions);
  options.looping = looping_of(event->looping), options.start_seconds = event->start;
  options.speed = event->speed == 1 ? 0 : event->speed;  // 0 is the default
  options.weight = event->weight == 1 ? 0 : event->weight;
  options.mask = event->mask, options.paused = event->paused != 0;
  switch (event->kind) {
    case kPlay:
      ok(results, sinew_player_play(player, event->instance, event->clip, &options, &error));
      break;
    case kCrossFade:
      ok(results, sinew_player_cross_fade(player, event->instance, event->clip, event->duration, &options, &error));
      break;
    case kStop:
      ok(results, sinew_player_stop(player, event->instance, event->clip, event->duration, &error));
      break;
    case kReset:
      ok(results, sinew_player_reset(player, event->instance, &error));
      break;
    case kResize:
      ok(results, sinew_player_resize(player, event->instance, &error));
      break;
    default:
      ok(results, sinew_player_set_speed(player, event->instance, event->speed, &error));
  }
}

static const SinewPlayback* play(Results* results, SinewPlayer* player) {
  const SinewPlayback* playbacks = NULL;
  for (int frame = 0; frame < kFrames; ++frame) {
    for (int i = 0; i < kEventCount; ++i) {
      if (kEvents[i].frame == frame) do_event(results, player, &kEvents[i]);
    }
    ok(results, sinew_player_advance(player, 1 / 30.0, &error));
    ok(results, sinew_player_playbacks(player, &playbacks, &error));
    add_result(results, "playbacks", playbacks, kInstances * sizeof *playbacks);
    for (uint32_t i = 0; i < kInstances; ++i) {
      SinewGroundMotion motion;
      ok(results, sinew_player_root_motion(player, i, &motion, &error));
      add_motion(results, "root_motion", &motion);
    }
    const SinewMarkerEvent* events = NULL;
    uint32_t count = 0;
    ok(results, sinew_player_events(player, &events, &count, &error));
    add_result(results, "events", events, count * sizeof *events);
  }
  return playbacks;
}

// --- sockets ---

static SinewEvaluator* evaluate(Results* results, const SinewCharacter* character, const SinewPlayback* playbacks) {
  uint32_t head = 0;
  ok(results, sinew_character_find_joint(character, "head", &head, &error));
  SinewMatrix3x4 offset;
  memcpy(&offset, kOffset, sizeof offset);
  SinewSocket sockets[kSockets];
  ok(results, sinew_character_make_socket(character, kUnskinnedJoint, &offset, &sockets[0], &error));
  ok(results, sinew_character_make_socket(character, head, NULL, &sockets[1], &error));
  add_result(results, "sockets", sockets, sizeof sockets);

  SinewEvaluator* evaluator = NULL;
  ok(results, sinew_evaluator_create(character, &evaluator, &error));
  ok(results, sinew_evaluator_set_sockets(evaluator, sockets, kSockets, &error));
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  ok(results, sinew_character_info(character, &info, &error));
  const uint64_t count = (uint64_t)kInstances * info.palette_size;
  SinewMatrix3x4* palettes = calloc(count, sizeof *palettes);
  SinewMatrix3x4 matrices[kInstances * kSockets];
  const SinewEvaluateInfo given = {.size = sizeof given,
                                   .instance_count = kInstances,
                                   .playbacks = playbacks,
                                   .palettes = palettes,
                                   .palette_count = count,
                                   .palette_stride = info.palette_size,
                                   .socket_matrices = matrices,
                                   .socket_matrix_count = kInstances * kSockets};
  ok(results, sinew_evaluator_evaluate(evaluator, &given, &error));
  add_result(results, "palettes", palettes, count * sizeof *palettes);
  add_result(results, "matrices", matrices, sizeof matrices);
  SinewEvaluateInfo exact = given;
  exact.socket_matrices = NULL, exact.socket_matrix_count = 0;
  ok(results, sinew_character_evaluate_exact(character, &exact, &error));
  add_result(results, "exact", palettes, count * sizeof *palettes);
  free(palettes);
  SinewCompactMatrix* compact = calloc(count, sizeof *compact);
  SinewEvaluateInfo in_16_bytes = exact;
  in_16_bytes.palettes = NULL, in_16_bytes.compact_palettes = compact;
  ok(results, sinew_evaluator_evaluate(evaluator, &in_16_bytes, &error));
  add_result(results, "compact palettes", compact, count * sizeof *compact);
  free(compact);
  uint32_t scaling = 0;
  float scale = 0;
  ok(results, sinew_character_palette_scaling(character, &scaling, &error));
  ok(results, sinew_character_palette_scale(character, &scale, &error));
  add_result(results, "scaling", &scaling, sizeof scaling);
  add_result(results, "scale", &scale, sizeof scale);
  return evaluator;
}

// --- crowd ---

typedef struct Crowd {
  uint32_t characters[kCrowd], generations[kCrowd];
  SinewMatrix3x4 world_from_model[kCrowd], world_from_socket[kCrowd];
  SinewPlayback playbacks[kCrowd];
  SinewSocketRequest requests[kCrowd];
} Crowd;

static Crowd* make_crowd(void) {
  Crowd* crowd = calloc(1, sizeof *crowd);
  for (uint32_t i = 0; i < kCrowd; ++i) {
    crowd->world_from_model[i] = (SinewMatrix3x4){{{1, 0, 0, place_x(i)}, {0, 1, 0, 0}, {0, 0, 1, place_z(i)}}};
    crowd->requests[i] = (SinewSocketRequest){i, i % kSockets};
  }
  return crowd;
}

static SinewPlannerModel describe(const SinewCharacter* character, float scale) {
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character;
  described.scale = scale;
  return described;
}

static SinewPlanner* make_planner(Results* results, const SinewCharacter* character, SinewPlannerInfo info) {
  const SinewPlannerModel described = describe(character, CROWD_SCALE);
  info.model_count = 1, info.models = &described;
  SinewPlanner* planner = NULL;
  ok(results, sinew_planner_create(&info, &planner, &error));
  return planner;
}

static void place_by_instance(void* user_data, uint32_t instance, SinewMatrix3x4* out) {
  *out = ((const SinewMatrix3x4*)user_data)[instance];
}

static uint32_t hides_left(void* user_data, const SinewSphere* sphere, uint32_t view) {
  return view == 0 && sphere->center[0] < *(const float*)user_data;
}

static SinewDepthPyramid* make_pyramid(Results* results, const SinewView* view, int cuts) {
  SinewDepthPyramid* pyramid = NULL;
  ok(results, sinew_depth_pyramid_create(&pyramid, &error));
  SinewDepthImage image = SINEW_INIT(SinewDepthImage);
  image.width = 2, image.height = 1, image.depth = kHiddenDepths, image.view = *view, image.margin = kHiddenMargin;
  ok(results, sinew_depth_pyramid_build(pyramid, &image, &error));
  if (cuts) ok(results, sinew_depth_pyramid_clear(pyramid, &error));
  return pyramid;
}

static void plan_frame(Results* results, SinewPlanner* planner, Crowd* crowd, int number) {
  for (uint32_t i = 0; i < kCrowd; ++i)
    crowd->playbacks[i].layers[0] = (SinewLayer){i % 6, 0.0137f * (float)i + (float)number / 30, 1, 0};
  SinewView view;
  set_camera(view.clip_from_world);
  memcpy(view.eye, kEye, sizeof view.eye);
  view.pixels_per_radian = kPixelsPerRadian;
  SinewInstances instances = SINEW_INIT(SinewInstances);
  instances.count = kCrowd, instances.models = crowd->characters;
  instances.playbacks = crowd->playbacks, instances.generations = crowd->generations;
  if (number % 2 == 0) {
    instances.world_from_model = crowd->world_from_model;
  } else {
    instances.world_from_model_at = place_by_instance, instances.world_from_model_user_data = crowd->world_from_model;
  }
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.seconds = number / 30.0, frame.view_count = 1, frame.views = &view;
  float left = kHiddenLeft;
  if (number % 3 == 1) frame.is_hidden = hides_left, frame.occlusion_user_data = &left;
  SinewDepthPyramid* pyramid = number % 3 == 2 ? make_pyramid(results, &view, cuts_in(number)) : NULL;
  frame.depth_pyramid = pyramid;
  ok(results, sinew_planner_plan(planner, &instances, &frame, NULL, &error));
  sinew_depth_pyramid_destroy(pyramid);
}

static void add_draws(Results* results, const SinewPlanner* planner, const SinewPlan* plan, uint32_t group) {
  uint32_t first_vertices[kCrowd] = {0};
  for (uint32_t b = 0; b < plan->groups[group].batch_count; ++b) {
    const SinewPosedBatch* batch = &plan->batches[plan->groups[group].first_batch + b];
    SinewDrawInfo info = SINEW_INIT(SinewDrawInfo);
    info.group = group, info.batch = b;
    info.first_mesh = batch->mesh_count / 3, info.mesh_count = batch->mesh_count - info.first_mesh;
    info.first_index = 3 * b, info.index_count = 33, info.first_vertex = 7, info.vertex_count = 1000 + b;
    uint32_t count = 0;
    ok(results, sinew_planner_write_draws(planner, &info, NULL, &count, &error));
    add_result(results, "draw count", &count, sizeof count);
    SinewDrawCommand* draws = calloc(count + 1, sizeof *draws);
    ok(results, sinew_planner_write_draws(planner, &info, draws, &count, &error));
    add_result(results, "draws", draws, count * sizeof *draws);
    ok(results, sinew_planner_instanced_draw(planner, &info, draws, &error));
    add_result(results, "instanced draw", draws, sizeof *draws);
    free(draws);
    ok(results, sinew_planner_write_first_vertices(planner, &info, first_vertices, kCrowd, &error));
  }
  add_result(results, "first vertices", first_vertices, sizeof first_vertices);
}

static void evaluate_batch(Results* results, const SinewEvaluator* evaluator, SinewAttachments* attachments,
                           const SinewPlan* plan, uint32_t batch, uint32_t palette_size) {
  const SinewPosedBatch* own = &plan->batches[batch];
  const uint64_t count = (uint64_t)own->mesh_count * palette_size;
  SinewMatrix3x4* palettes = calloc(count, sizeof *palettes);
  SinewEvaluateInfo info = SINEW_INIT(SinewEvaluateInfo);
  info.instance_count = own->mesh_count, info.playbacks = plan->playbacks + own->first_mesh;
  info.palettes = palettes, info.palette_count = count, info.palette_stride = palette_size;
  ok(results, sinew_attachments_of(attachments, batch, &info.socket_matrices, &info.socket_matrix_count, &error));
  ok(results, sinew_evaluator_evaluate(evaluator, &info, &error));
  add_result(results, "of", info.socket_matrices, info.socket_matrix_count * sizeof *info.socket_matrices);
  free(palettes);
}

static void add_crowd(Results* results, const SinewCharacter* character, const SinewEvaluator* evaluator) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  ok(results, sinew_character_info(character, &info, &error));
  SinewPlannerInfo planned = SINEW_INIT(SinewPlannerInfo);
  planned.unique_poses = 40;
  SinewPlanner* planner = make_planner(results, character, planned);
  const uint32_t socket_count = kSockets;
  SinewAttachments* attachments = NULL;
  ok(results, sinew_attachments_create(planner, &socket_count, 1, &attachments, &error));
  Crowd* crowd = make_crowd();
  for (int frame = 0; frame < kCrowdFrames; ++frame) {
    if (frame == kUpdateAllFrame) ok(results, sinew_planner_update_all(planner, &error));
    plan_frame(results, planner, crowd, frame);
    SinewPlan plan = SINEW_INIT(SinewPlan);
    ok(results, sinew_planner_last(planner, &plan, &error));
    const uint32_t counters[] = {plan.visible,     plan.culled,         plan.shared,  plan.not_updated,
                                 plan.shadow_only, plan.updated_meshes, plan.occluded};
    add_result(results, "counters", counters, sizeof counters);
    ok(results, sinew_attachments_begin(attachments, NULL, &error));
    for (uint32_t g = 0; g < plan.group_count; ++g) {
      add_draws(results, planner, &plan, g);
      const SinewUpdateGroup* group = &plan.groups[g];
      for (uint32_t b = 0; group->updated && b < group->batch_count; ++b)
        evaluate_batch(results, evaluator, attachments, &plan, group->first_batch + b, info.palette_size);
    }
    SinewPlaceInfo place = SINEW_INIT(SinewPlaceInfo);
    if (frame % 2 == 0) {
      place.instance_count = kCrowd, place.world_from_model = crowd->world_from_model;
    } else {
      place.world_from_model_at = place_by_instance, place.world_from_model_user_data = crowd->world_from_model;
    }
    place.requests = crowd->requests, place.request_count = kCrowd;
    place.world_from_socket = crowd->world_from_socket;
    ok(results, sinew_attachments_place(attachments, &place, &error));
    add_result(results, "placed", crowd->world_from_socket, sizeof crowd->world_from_socket);
  }
  sinew_planner_destroy(planner);  // the attachments share it
  sinew_attachments_destroy(attachments);
  free(crowd);
}

// --- a roster that changes ---

static void change_roster(Results* results, SinewPlanner* planner, SinewAttachments* attachments,
                          const SinewCharacter* character, int frame) {
  if (frame == kAddFrame || frame == kAddAgainFrame) {
    const SinewPlannerModel described = describe(character, ADDED_SCALE);
    SinewMeasuredModel* measured = NULL;
    uint32_t number = UINT32_MAX;
    ok(results, sinew_planner_measure(planner, &described, NULL, &measured, &error));
    ok(results, sinew_planner_add_model(planner, measured, &number, &error));
    ok(results, sinew_attachments_set_socket_count(attachments, number, kSockets, &error));
    sinew_measured_model_destroy(measured);
    add_result(results, "added", &number, sizeof number);
  }
  if (frame == kRemoveFrame) ok(results, sinew_planner_remove_model(planner, 0, kKeptPlans, &error));
  for (uint32_t number = 0; number < 3; ++number) {
    uint32_t gone = UINT32_MAX;
    ok(results, sinew_planner_is_gone(planner, number, &gone, &error));
    add_result(results, "gone", &gone, sizeof gone);
  }
}

static void add_plan(Results* results, const SinewPlan* plan, SinewAttachments* attachments) {
  add_result(results, "instances", plan->instances, plan->instance_count * sizeof *plan->instances);
  for (uint32_t i = 0; i < plan->previous_pose_count; ++i) {
    const uint32_t previous[] = {plan->previous_poses[i].posed_mesh, plan->previous_poses[i].in_this_plan};
    add_result(results, "previous", previous, sizeof previous);
  }
  for (uint32_t b = 0; b < plan->batch_count; ++b) {
    const SinewPosedBatch* batch = &plan->batches[b];
    SinewMatrix3x4* matrices = NULL;
    uint64_t count = 0;
    ok(results, sinew_attachments_of(attachments, b, &matrices, &count, &error));
    const uint32_t numbers[] = {batch->model, batch->level, batch->mesh_count, (uint32_t)count};
    add_result(results, "batch", numbers, sizeof numbers);
  }
}

static void add_roster(Results* results, const SinewCharacter* character, const uint32_t* level) {
  SinewPlannerInfo planned = SINEW_INIT(SinewPlannerInfo);
  planned.previous_poses = 1, planned.level = level;
  SinewPlanner* planner = make_planner(results, character, planned);
  const uint32_t socket_count = kSockets;
  SinewAttachments* attachments = NULL;
  ok(results, sinew_attachments_create(planner, &socket_count, 1, &attachments, &error));
  Crowd* crowd = make_crowd();
  for (int frame = 0; frame < kRosterFrames; ++frame) {
    change_roster(results, planner, attachments, character, frame);
    for (uint32_t i = 0; i < kCrowd; ++i)
      crowd->characters[i] = roster_character(i, frame), crowd->generations[i] = roster_generation(i, frame);
    plan_frame(results, planner, crowd, frame);
    ok(results, sinew_attachments_begin(attachments, NULL, &error));
    SinewPlan plan = SINEW_INIT(SinewPlan);
    ok(results, sinew_planner_last(planner, &plan, &error));
    add_plan(results, &plan, attachments);
  }
  sinew_attachments_destroy(attachments);
  sinew_planner_destroy(planner);
  free(crowd);
}

static void add_draws_of_range(Results* results) {
  SinewRange range = SINEW_INIT(SinewRange);
  range.instance_count = 5, range.vertex_count = 104;
  SinewPart part = SINEW_INIT(SinewPart);
  part.first_index = 12, part.index_count = 30;
  VkDrawIndexedIndirectCommand draws[5];
  ok(results, sinew_write_draws(&range, &part, 40, draws, 5, &error));
  add_result(results, "draws of a range", draws, sizeof draws);
}

static void add_markers(Results* results, SinewCharacter* character, uint32_t clip) {
  const SinewMarker marker = {0.25f, "whistle"};
  ok(results, sinew_character_set_markers(character, clip, &marker, 1, &error));
  ok(results, sinew_character_add_footsteps(character, clip, NULL, 0, SINEW_STEPS_DOWN_AND_UP, &error));
  SinewClip info = SINEW_INIT(SinewClip);
  ok(results, sinew_character_clip(character, clip, &info, &error));
  for (uint32_t i = 0; i < info.marker_count; ++i) {
    SinewMarker found;
    ok(results, sinew_character_marker(character, clip, i, &found, &error));
    add_result(results, "marker", &found.time_seconds, sizeof found.time_seconds);
    add_result(results, "marker", found.name, strlen(found.name));
  }
}

void add_results_in_c(const char* path, Results* results) {
  SinewCharacter* character = NULL;
  ok(results, sinew_character_load(path, &character, &error));
  if (character == NULL) return;
  uint32_t clips[2];
  ok(results, sinew_character_find_clip(character, "walk", &clips[0], &error));
  ok(results, sinew_character_find_clip(character, "run", &clips[1], &error));
  SinewRootTrack* tracks[2] = {extract(results, character, "walk"), extract(results, character, "run")};
  add_markers(results, character, clips[0]);
  SinewPlayer* player = NULL;
  ok(results, sinew_player_create(character, kInstances, 2, &player, &error));
  for (int i = 0; i < 2; ++i) {
    ok(results, sinew_player_set_root_track(player, clips[i], tracks[i], &error));
    sinew_root_track_destroy(tracks[i]);  // the player has a copy
  }
  ok(results, sinew_character_make_levels(character, NULL, 0, &error));
  ok(results, sinew_character_add_palette_entry(character, kUnskinnedJoint, &error));
  ok(results, sinew_character_make_levels(character, NULL, 0, &error));
  ok(results, sinew_character_bake(character, NULL, &error));
  SinewEvaluator* evaluator = evaluate(results, character, play(results, player));
  add_crowd(results, character, evaluator);
  add_roster(results, character, NULL);
  add_roster(results, character, &kLevel);
  add_draws_of_range(results);
  sinew_player_destroy(player);
  sinew_evaluator_destroy(evaluator);
  sinew_character_destroy(character);
}
