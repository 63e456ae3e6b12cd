// Bad input of sockets, root motion, players, attachments and draw commands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static void check_sockets(SinewCharacter* character) {
  SinewSocket socket;
  INVALID(sinew_character_make_socket(character, 1000, NULL, &socket, &error), "no joint 1000");
  EXPECT(sinew_character_make_socket(character, 0, NULL, &socket, &error), SINEW_UNSUPPORTED, "moves no vertex");
  INVALID(sinew_character_add_palette_entry(character, 1000, &error), "no joint 1000");
  // A joint that has an entry changes nothing; another one drops the bake.
  SinewCharacterInfo before = SINEW_INIT(SinewCharacterInfo), after = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_bake(character, NULL, &error));
  OK(sinew_character_make_levels(character, NULL, 0, &error));
  OK(sinew_character_info(character, &before, &error));
  OK(sinew_character_add_palette_entry(character, 1, &error));
  OK(sinew_character_info(character, &after, &error));
  MUST(before.baked == 1 && before.level_count > 1);
  MUST(after.baked == 1 && after.level_count == before.level_count && after.palette_size == before.palette_size);
  OK(sinew_character_add_palette_entry(character, 0, &error));
  OK(sinew_character_info(character, &after, &error));
  MUST(after.baked == 0 && after.level_count == 1 && after.palette_size == before.palette_size + 1);
  OK(sinew_character_make_socket(character, 0, NULL, &socket, &error));
}

static void check_evaluation_of_sockets(SinewCharacter* character) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &info, &error));
  SinewSocket sockets[2];
  OK(sinew_character_make_socket(character, 0, NULL, &sockets[0], &error));
  sockets[1] = sockets[0], sockets[1].entry = info.palette_size;
  SinewEvaluator* evaluator = NULL;
  OK(sinew_evaluator_create(character, &evaluator, &error));
  INVALID(sinew_character_add_palette_entry(character, 0, &error), "an evaluator or a planner uses it");
  INVALID(sinew_evaluator_set_sockets(evaluator, NULL, 2, &error), "sockets is null, but has 2 elements");
  INVALID(sinew_evaluator_set_sockets(evaluator, sockets, 2, &error), "socket 1: no such entry");
  EXPECT(sinew_evaluator_set_sockets(evaluator, sockets, UINT32_MAX, &error), SINEW_UNSUPPORTED,
         "there are 4294967295");
  OK(sinew_evaluator_set_sockets(evaluator, sockets, 1, &error));

  const SinewPlayback playbacks[2] = {{{{0}}}, {{{0}}}};
  SinewMatrix3x4 matrices[2], untouched[2];
  memset(matrices, 0xee, sizeof matrices);
  memset(untouched, 0xee, sizeof untouched);
  SinewEvaluateInfo evaluate = SINEW_INIT(SinewEvaluateInfo);
  evaluate.instance_count = 2, evaluate.playbacks = playbacks;
  evaluate.palette_stride = info.palette_size, evaluate.palette_count = 2 * info.palette_size;
  evaluate.palettes = malloc(evaluate.palette_count * sizeof *evaluate.palettes);
  evaluate.socket_matrix_count = 2;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "info->socket_matrices is null");
  evaluate.socket_matrices = matrices, evaluate.socket_matrix_count = UINT64_MAX / 48;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "elements, more than memory holds");
  evaluate.socket_matrix_count = 1, evaluate.instance_count = UINT32_MAX;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "4294967295 instances need");
  evaluate.instance_count = 2;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "");
  INVALID(sinew_character_evaluate_exact(character, &evaluate, &error), "info->socket_matrices is not null");
  MUST(memcmp(matrices, untouched, sizeof matrices) == 0);
  // A struct of a version without sockets.
  evaluate.size = offsetof(SinewEvaluateInfo, socket_matrices);
  OK(sinew_evaluator_evaluate(evaluator, &evaluate, &error));
  MUST(memcmp(matrices, untouched, sizeof matrices) == 0);
  SinewCompactMatrix compact[1];
  SinewEvaluateInfo both = SINEW_INIT(SinewEvaluateInfo);
  both.compact_palettes = compact, both.palettes = evaluate.palettes;
  INVALID(sinew_evaluator_evaluate(evaluator, &both, &error), "both palettes and compact_palettes");
  both.palettes = NULL, both.socket_matrices = matrices;
  INVALID(sinew_evaluator_evaluate(evaluator, &both, &error), "both compact_palettes and socket_matrices");
  both.socket_matrices = NULL, both.instance_count = 1, both.playbacks = playbacks;
  both.palette_stride = info.palette_size, both.palette_count = info.palette_size - 1;
  INVALID(sinew_evaluator_evaluate(evaluator, &both, &error), "there is room for");
  INVALID(sinew_character_evaluate_exact(character, &both, &error), "the reference writes matrices");
  evaluate.size = sizeof evaluate, evaluate.socket_matrix_count = 2;
  OK(sinew_evaluator_evaluate(evaluator, &evaluate, &error));
  MUST(memcmp(&matrices[1], untouched, sizeof *matrices) != 0);
  OK(sinew_evaluator_set_sockets(evaluator, NULL, 0, &error));
  free(evaluate.palettes);
  sinew_evaluator_destroy(evaluator);
}

static SinewRootTrack* check_root_motion(SinewCharacter* character, uint32_t clip, uint32_t joint) {
  SinewRootTrack* track = (SinewRootTrack*)&error;
  INVALID(sinew_character_extract_root_motion(character, 1000, joint, &track, &error), "1000");
  MUST(track == NULL);
  INVALID(sinew_character_extract_root_motion(character, clip, 1000, &track, &error), "1000");
  SinewEvaluator* evaluator = NULL;
  OK(sinew_character_bake(character, NULL, &error));
  OK(sinew_evaluator_create(character, &evaluator, &error));
  INVALID(sinew_character_extract_root_motion(character, clip, joint, &track, &error), "an evaluator or a planner");
  sinew_evaluator_destroy(evaluator);
  OK(sinew_character_extract_root_motion(character, clip, joint, &track, &error));
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &info, &error));
  MUST(info.baked == 0);

  SinewGroundMotion motion = {{1, 2, 3}, 4};
  INVALID(sinew_root_track_motion_between(track, 0, 1, 3, &motion, &error), "looping is 3, but at most 2");
  MUST(motion.heading_radians == 4);
  OK(sinew_root_track_motion_between(track, 0, NAN, SINEW_LOOP, &motion, &error));
  MUST(motion.translation[0] == 0 && motion.translation[2] == 0 && motion.heading_radians == 0);
  INVALID(sinew_root_track_compose(track, &motion, NULL, &motion, &error), "second is null");
  INVALID(sinew_root_track_compose(track, &motion, &motion, NULL, &error), "out is null");
  INVALID(sinew_root_track_to_matrix(track, &motion, NULL, &error), "out is null");
  SinewRootTrackInfo held = SINEW_INIT(SinewRootTrackInfo);
  held.size = 4;
  INVALID(sinew_root_track_info(track, &held, &error), "out: its size is 4");
  return track;
}

static void check_players(const SinewCharacter* character, uint32_t clip, const SinewRootTrack* track) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &info, &error));
  SinewPlayer* player = NULL;
  OK(sinew_player_create(character, 0, 0, &player, &error));
  INVALID(sinew_player_play(player, 0, 0, NULL, &error), "no instance 0, of 0");
  sinew_player_destroy(player);
  INVALID(sinew_player_create(character, UINT32_MAX, 0, &player, &error), "4294967295 instances, but at most");
  MUST(player == NULL);
  OK(sinew_player_create(character, 2, 1, &player, &error));
  INVALID(sinew_player_resize(player, UINT32_MAX, &error), "4294967295 instances, but at most");
  INVALID(sinew_player_reset(player, 2, &error), "no instance 2, of 2");
  INVALID(sinew_player_play(player, 2, 0, NULL, &error), "no instance 2, of 2");
  INVALID(sinew_player_play(player, 0, info.clip_count, NULL, &error), "no clip");
  INVALID(sinew_player_cross_fade(player, 0, 0, -1, NULL, &error), "cannot take -1");
  INVALID(sinew_player_cross_fade(player, 0, 0, INFINITY, NULL, &error), "cannot take inf");
  INVALID(sinew_player_stop(player, UINT32_MAX, 0, 0, &error), "no instance 4294967295");
  INVALID(sinew_player_stop(player, 0, 0, NAN, &error), "cannot take");
  INVALID(sinew_player_set_speed(player, 2, 1, &error), "no instance 2");
  INVALID(sinew_player_set_speed(player, 0, NAN, &error), "not finite");
  INVALID(sinew_player_advance(player, INFINITY, &error), "not finite");
  INVALID(sinew_player_set_root_track(player, info.clip_count, track, &error), "no clip");
  INVALID(sinew_player_set_root_track(player, clip == 0 ? 1 : 0, track, &error), "of another clip");
  INVALID(sinew_player_set_root_track(player, clip, NULL, &error), "track is null");
  SinewGroundMotion motion = {{0, 0, 0}, 4};
  INVALID(sinew_player_root_motion(player, 2, &motion, &error), "index 2: there are 2 instances");
  MUST(motion.heading_radians == 4);

  SinewPlayOptions options = SINEW_INIT(SinewPlayOptions);
  options.size = 3;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "options: its size is 3");
  options.size = sizeof options, options.looping = 3;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "options->looping is 3, but at most 2");
  options.looping = 0, options.mask = 2;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "no mask 2, of 1");
  options.mask = 1, options.weight = -1;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "a weight of -1");
  options.weight = 0, options.speed = NAN;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "the speed is not finite");
  options.speed = 0, options.start_seconds = NAN;
  INVALID(sinew_player_play(player, 0, 0, &options, &error), "not a finite time");

  const SinewPlayback* playbacks = NULL;
  const SinewPlayback rest = {{{0}}};
  INVALID(sinew_player_playbacks(player, NULL, &error), "out is null");
  OK(sinew_player_playbacks(player, &playbacks, &error));
  MUST(memcmp(&playbacks[0], &rest, sizeof rest) == 0 && memcmp(&playbacks[1], &rest, sizeof rest) == 0);
  // 0 is the default of every option: what NULL plays, too.
  const SinewPlayOptions defaults = SINEW_INIT(SinewPlayOptions);
  OK(sinew_player_play(player, 0, clip, NULL, &error));
  OK(sinew_player_play(player, 1, clip, &defaults, &error));
  OK(sinew_player_advance(player, 100.125, &error));
  MUST(playbacks[0].layers[0].weight == 1 && playbacks[0].layers[0].time_seconds > 0);
  MUST(memcmp(&playbacks[0], &playbacks[1], sizeof *playbacks) == 0);
  sinew_player_destroy(player);
}

static void check_markers(SinewCharacter* character, uint32_t clip) {
  SinewClip info = SINEW_INIT(SinewClip);
  OK(sinew_character_clip(character, clip, &info, &error));
  const SinewMarker markers[3] = {
      {info.start_seconds, "step"}, {info.end_seconds, "step"}, {info.start_seconds, "back"}};
  const SinewMarker late = {info.end_seconds + 1, "late"}, nameless = {info.start_seconds, NULL};
  OK(sinew_character_set_markers(character, clip, markers, 2, &error));
  INVALID(sinew_character_set_markers(character, 1000, markers, 2, &error), "index 1000");
  INVALID(sinew_character_set_markers(character, clip, NULL, 2, &error), "markers is null, but has 2 elements");
  INVALID(sinew_character_set_markers(character, clip, &nameless, 1, &error), "markers->name is null");
  EXPECT(sinew_character_set_markers(character, clip, &late, 1, &error), SINEW_INVALID_DATA, "'late' is outside");
  EXPECT(sinew_character_set_markers(character, clip, markers, 3, &error), SINEW_INVALID_DATA, "earlier than");
  const uint32_t joint = 100000;
  INVALID(sinew_character_add_footsteps(character, 1000, NULL, 0, SINEW_STEPS_DOWN, &error), "index 1000");
  INVALID(sinew_character_add_footsteps(character, clip, &joint, 1, SINEW_STEPS_DOWN, &error), "no joint 100000");
  INVALID(sinew_character_add_footsteps(character, clip, &joint, UINT32_MAX, SINEW_STEPS_DOWN, &error),
          "4294967295 joints were given");
  INVALID(sinew_character_add_footsteps(character, clip, NULL, 0, 2, &error), "moments is 2");
  INVALID(sinew_character_add_footsteps(character, clip, NULL, 1, SINEW_STEPS_DOWN, &error),
          "joints is null, but has 1 element");
  SinewMarker marker = {0, NULL};
  INVALID(sinew_character_marker(character, clip, 2, &marker, &error), "index 2: there are 2 markers");
  OK(sinew_character_marker(character, clip, 1, &marker, &error));
  MUST(marker.time_seconds == info.end_seconds && strcmp(marker.name, "step") == 0);
  SinewPlayer* player = NULL;
  const SinewMarkerEvent* events = NULL;
  uint32_t count = 7;
  OK(sinew_player_create(character, 2, 0, &player, &error));
  INVALID(sinew_player_events(player, NULL, &count, &error), "out is null");
  INVALID(sinew_player_events(player, &events, NULL, &error), "count is null");
  OK(sinew_player_events(player, &events, &count, &error));
  MUST(count == 0);
  OK(sinew_player_play(player, 1, clip, NULL, &error));
  OK(sinew_player_advance(player, 0, &error));
  OK(sinew_player_events(player, &events, &count, &error));
  MUST(count == 1 && events[0].instance == 1 && events[0].clip == clip && events[0].marker == 0);
  MUST(events[0].weight == 1);
  OK(sinew_player_reset(player, 1, &error));
  MUST(events[0].instance == 1 && events[0].weight == 0);
  OK(sinew_player_resize(player, 1, &error));
  OK(sinew_player_events(player, &events, &count, &error));
  MUST(count == 0);
  sinew_player_destroy(player);
  OK(sinew_character_set_markers(character, clip, NULL, 0, &error));
}

/// A plan of two instances.
static void plan(SinewPlanner* planner) {
  const uint32_t characters[2] = {0, 0};
  const SinewMatrix3x4 places[2] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                    {{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
  const SinewPlayback playbacks[2] = {{{{0}}}, {{{0}}}};
  const SinewView view = {.pixels_per_radian = 100};
  SinewInstances instances = SINEW_INIT(SinewInstances);
  instances.count = 2, instances.models = characters, instances.world_from_model = places;
  instances.playbacks = playbacks;
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.view_count = 1, frame.views = &view;
  OK(sinew_planner_plan(planner, &instances, &frame, NULL, &error));
  frame.view_count = 0;
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "needs a view");  // the plan stays
}

static void check_draws(SinewPlanner* planner) {
  SinewDrawInfo info = SINEW_INIT(SinewDrawInfo);
  uint32_t count = 5;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, &count, &error), "it has no plan");
  plan(planner);
  SinewPlan made = SINEW_INIT(SinewPlan);
  OK(sinew_planner_last(planner, &made, &error));
  MUST(made.posed_mesh_count == 2 && made.groups[0].batch_count == 1);
  info.mesh_count = 2, info.index_count = 3, info.vertex_count = 10;
  info.group = 7;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, &count, &error), "batch 0 of group 7");
  info.group = 0, info.batch = 1;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, &count, &error), "batch 1 of group 0");
  info.batch = 0, info.first_mesh = 1;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, &count, &error), "no 2 posed meshes from 1 on");
  info.first_mesh = UINT32_MAX;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, &count, &error), "no 2 posed meshes from 4294967295 on");
  info.first_mesh = 0;
  INVALID(sinew_planner_write_draws(planner, &info, NULL, NULL, &error), "count is null");
  SinewDrawCommand draws[3], untouched[3];
  memset(draws, 0xee, sizeof draws);
  memset(untouched, 0xee, sizeof untouched);
  count = 1;
  INVALID(sinew_planner_write_draws(planner, &info, draws, &count, &error), "count is 1, but there are 2 draws");
  MUST(count == 1 && memcmp(draws, untouched, sizeof draws) == 0);
  count = 3;
  OK(sinew_planner_write_draws(planner, &info, draws, &count, &error));
  MUST(count == 2 && draws[1].vertex_offset == 10 && draws[1].index_count == 3);
  MUST(memcmp(&draws[2], untouched, sizeof *draws) == 0);
}

static void check_instanced_draws(SinewPlanner* planner) {
  SinewDrawInfo info = SINEW_INIT(SinewDrawInfo);
  info.mesh_count = 2, info.index_count = 3, info.first_vertex = 5, info.vertex_count = 10;
  SinewDrawCommand draw;
  INVALID(sinew_planner_instanced_draw(planner, &info, NULL, &error), "out is null");
  OK(sinew_planner_instanced_draw(planner, &info, &draw, &error));
  MUST(draw.instance_count == 2 && draw.vertex_offset == 0 && draw.index_count == 3);
  uint32_t first_vertices[3] = {9, 9, 9};
  INVALID(sinew_planner_write_first_vertices(planner, &info, first_vertices, 1, &error),
          "count is 1, but there are 2 instances");
  INVALID(sinew_planner_write_first_vertices(planner, &info, NULL, 2, &error), "out is null");
  MUST(first_vertices[0] == 9);
  OK(sinew_planner_write_first_vertices(planner, &info, first_vertices, 3, &error));
  MUST(first_vertices[0] == 5 && first_vertices[1] == 15 && first_vertices[2] == 9);
  info.first_mesh = 1;
  INVALID(sinew_planner_instanced_draw(planner, &info, &draw, &error), "no 2 posed meshes from 1 on");
  INVALID(sinew_planner_write_first_vertices(planner, &info, first_vertices, 3, &error), "no 2 posed meshes");
}

static void check_attachments(SinewPlanner* planner) {
  const uint32_t counts[2] = {2, 2};
  SinewAttachments* attachments = (SinewAttachments*)&error;
  INVALID(sinew_attachments_create(planner, counts, 2, &attachments, &error), "count is 2, but the planner");
  MUST(attachments == NULL);
  INVALID(sinew_attachments_create(planner, NULL, 1, &attachments, &error), "socket_counts is null");
  OK(sinew_attachments_create(planner, counts, 1, &attachments, &error));
  SinewMatrix3x4* matrices = NULL;
  uint64_t count = 0;
  INVALID(sinew_attachments_of(attachments, 0, &matrices, &count, &error), "sinew_attachments_begin()");
  OK(sinew_attachments_begin(attachments, NULL, &error));
  INVALID(sinew_attachments_of(attachments, 1, &matrices, &count, &error), "index 1: there is 1 batch");
  INVALID(sinew_attachments_of(attachments, 0, NULL, &count, &error), "out is null");
  OK(sinew_attachments_of(attachments, 0, &matrices, &count, &error));
  MUST(count == 4 && matrices != NULL);
  memset(matrices, 0, count * sizeof *matrices);

  SinewPlaceInfo place = SINEW_INIT(SinewPlaceInfo);
  const SinewSocketRequest requests[4] = {{0, 0}, {1, 2}, {2, 0}, {UINT32_MAX, UINT32_MAX}};
  SinewMatrix3x4 placed[4];
  memset(placed, 0xee, sizeof placed);
  place.request_count = 4;
  INVALID(sinew_attachments_place(attachments, &place, &error), "info->requests is null");
  place.requests = requests;
  INVALID(sinew_attachments_place(attachments, &place, &error), "info->world_from_socket is null");
  place.world_from_socket = placed, place.instance_count = 1;
  INVALID(sinew_attachments_place(attachments, &place, &error), "info->world_from_model is null");
  place.instance_count = 0;  // no instance of a request is there: zeros
  OK(sinew_attachments_place(attachments, &place, &error));
  for (int i = 0; i < 4; ++i) MUST(placed[i].m[0][0] == 0 && placed[i].m[2][3] == 0);

  plan(planner);  // places in the old plan are not those in this one
  INVALID(sinew_attachments_place(attachments, &place, &error), "sinew_attachments_begin()");
  OK(sinew_planner_update_all(planner, &error));
  INVALID(sinew_attachments_begin(attachments, NULL, &error), "it has no plan");
  SinewPlan none = SINEW_INIT(SinewPlan);
  OK(sinew_planner_last(planner, &none, &error));
  MUST(none.group_count == 0 && none.posed_mesh_count == 0 && none.posed_meshes == NULL && none.visible == 2);
  INVALID(sinew_attachments_of(attachments, 0, &matrices, &count, &error), "sinew_attachments_begin()");
  sinew_attachments_destroy(attachments);
}

void check_animation_input(const char* path) {
  sinew_root_track_destroy(NULL);
  sinew_player_destroy(NULL);
  sinew_attachments_destroy(NULL);
  SinewCharacter* character = NULL;
  OK(sinew_character_import(path, NULL, &character, &error));
  check_sockets(character);
  uint32_t clip = 0, joint = 0;
  OK(sinew_character_find_clip(character, "walk", &clip, &error));
  OK(sinew_character_find_joint(character, "pelvis", &joint, &error));
  SinewRootTrack* track = check_root_motion(character, clip, joint);
  check_players(character, clip, track);
  check_markers(character, clip);
  sinew_root_track_destroy(track);
  OK(sinew_character_bake(character, NULL, &error));
  check_evaluation_of_sockets(character);
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character;
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  info.model_count = 1, info.models = &described, info.without = SINEW_WITHOUT_CULLING;
  SinewPlanner* planner = NULL;
  OK(sinew_planner_create(&info, &planner, &error));
  check_draws(planner);
  check_instanced_draws(planner);
  check_attachments(planner);
  sinew_planner_destroy(planner);
  sinew_character_destroy(character);
}
