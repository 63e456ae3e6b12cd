// Bad input of the C interface: each call gets a result and a line that names the thing; none crashes.
//
// usage: bad_input FOLDER CHARACTER, a folder to write to and a character file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"

SinewError error;
int failures = 0, checks = 0;

void expect_at(int line, SinewResult got, SinewResult expected, const char* part) {
  ++checks;
  if (got == expected && error.result == (int32_t)expected && strstr(error.message, part) != NULL &&
      strchr(error.message, '\n') == NULL)
    return;
  ++failures;
  fprintf(stderr, "line %d: result %d and '%s', expected %d and '%s'\n", line, (int)got, error.message, (int)expected,
          part);
}

void must_be(int line, int condition, const char* text) {
  ++checks;
  if (condition) return;
  ++failures;
  fprintf(stderr, "line %d: not so: %s\n", line, text);
}

// --- sizes of structs ---

typedef struct LargerInfo {
  SinewCharacterInfo known;
  uint64_t later[4];
} LargerInfo;

static void check_sizes_of_outputs(const SinewCharacter* character) {
  LargerInfo info;
  memset(&info, 0xee, sizeof info);
  const uint32_t refused[] = {0, 1, 7, sizeof(SinewCharacterInfo) - 1, 4104, UINT32_MAX, 0xeeeeeeee};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    info.known.size = refused[i];
    INVALID(sinew_character_info(character, &info.known, &error), "out: its size is");
    MUST(info.known.joint_count == 0xeeeeeeee);
  }
  // An older struct: written no further.
  info.known.size = offsetof(SinewCharacterInfo, name);
  OK(sinew_character_info(character, &info.known, &error));
  MUST(info.known.joint_count > 1 && info.known.joint_count < 1000);
  MUST(info.known.size == offsetof(SinewCharacterInfo, name));
  const char* unwritten;
  memset(&unwritten, 0xee, sizeof unwritten);
  MUST(info.known.name == unwritten);
  // A newer one: what the library does not know becomes 0.
  info.known.size = sizeof info;
  OK(sinew_character_info(character, &info.known, &error));
  MUST(info.known.name != unwritten && info.later[0] == 0 && info.later[3] == 0);
}

typedef struct LargerOptions {
  SinewBakeOptions known;
  uint64_t later[4];
} LargerOptions;

static void check_sizes_of_inputs(SinewCharacter* character) {
  LargerOptions options = {.known = SINEW_INIT(SinewBakeOptions)};
  options.known.size = 0;
  INVALID(sinew_character_bake(character, &options.known, &error), "options: its size is 0");
  options.known.size = 70000;
  INVALID(sinew_character_bake(character, &options.known, &error), "options: its size is 70000");
  options.known.size = sizeof options;
  options.later[3] = 1;
  EXPECT(sinew_character_bake(character, &options.known, &error), SINEW_UNSUPPORTED, "is not 0");
  options.later[3] = 0;
  OK(sinew_character_bake(character, &options.known, &error));

  // An older struct: what it lacks is the default. Read any further, this error would be refused.
  options.known.max_error = 0.001f;
  options.known.min_frames_per_second = -1;
  options.known.size = offsetof(SinewBakeOptions, min_frames_per_second) / 8 * 8;
  OK(sinew_character_bake(character, &options.known, &error));
  options.known.size = sizeof(SinewBakeOptions);
  INVALID(sinew_character_bake(character, &options.known, &error), "");
}

static void check_errors(void) {
  // A small struct of errors is not written beyond its size, and text stays whole.
  struct {
    SinewError error;
    char after[8];
  } guarded;
  memset(&guarded, 0x55, sizeof guarded);
  const uint32_t small = offsetof(SinewError, message) + 24;
  guarded.error.size = small;
  MUST(sinew_character_load("/no/such/file.sinew", NULL, &guarded.error) == SINEW_INVALID_ARGUMENT);
  MUST(guarded.error.result == SINEW_INVALID_ARGUMENT && strlen(guarded.error.message) == 23);
  MUST(((const char*)&guarded.error)[small] == 0x55);
  guarded.error.size = 0;
  guarded.error.result = 1234;
  MUST(sinew_character_load("/no/such/file.sinew", NULL, &guarded.error) == SINEW_INVALID_ARGUMENT);
  MUST(guarded.error.result == 1234);
  MUST(sinew_character_load(NULL, NULL, NULL) == SINEW_INVALID_ARGUMENT);

  // A long message keeps its beginning and its end.
  char path[3001];
  memset(path, 'x', sizeof path - 1);
  path[0] = '/', path[3000] = 0;
  SinewCharacter* character = NULL;
  MUST(sinew_character_load(path, &character, &error) != SINEW_OK);
  MUST(strlen(error.message) == sizeof error.message - 1);
  MUST(strncmp(error.message, "cannot read '/xxx", 17) == 0 && strstr(error.message, " ... ") != NULL);
  MUST(strstr(error.message, "xxx': ") != NULL);
}

/// The number of bytes of the character that begins at `text`; 0 if it is not whole.
static size_t character_bytes(const unsigned char* text) {
  const size_t count = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : text[0] >= 0xc0 ? 2 : 0;
  for (size_t i = 1; i < count; ++i) {
    if ((text[i] & 0xc0) != 0x80) return 0;
  }
  return count;
}

/// No size of a message splits a character of a file's name: here of 2, 3 and 4 bytes.
static void check_cuts_of_messages(void) {
  char path[3001] = "/";
  while (strlen(path) < 2900) strcat(path, "\xc3\xa9\xe6\xbc\xa2\xf0\x9f\xa6\xb4");
  SinewCharacter* character = NULL;
  for (uint32_t size = offsetof(SinewError, message) + 1; size <= sizeof(SinewError); ++size) {
    SinewError cut = {.size = size};
    MUST(sinew_character_load(path, &character, &cut) != SINEW_OK);
    const size_t room = size - offsetof(SinewError, message) - 1, length = strlen(cut.message);
    MUST(length <= room && length + 6 >= room);  // two cuts, at most 3 bytes each
    const unsigned char* at = (const unsigned char*)cut.message;
    size_t bytes = 1;
    while (*at != 0 && (bytes = character_bytes(at)) != 0) at += bytes;
    MUST(bytes != 0);
  }
}

// --- files and indices ---

static void check_files(const char* folder, const SinewCharacter* character) {
  SinewCharacter* loaded = (SinewCharacter*)&error;
  EXPECT(sinew_character_load("/no/such/file.sinew", &loaded, &error), SINEW_NOT_FOUND, "/no/such/file.sinew");
  MUST(loaded == NULL);
  EXPECT(sinew_character_load(folder, &loaded, &error), SINEW_UNREADABLE, folder);
  EXPECT(sinew_character_load_memory("not a character", 15, &loaded, &error), SINEW_INVALID_DATA, "");
  EXPECT(sinew_character_load_memory(NULL, 0, &loaded, &error), SINEW_INVALID_DATA, "");
  INVALID(sinew_character_load_memory(NULL, 5, &loaded, &error), "bytes is null, but has 5 elements");
  INVALID(sinew_character_load_memory("", ((size_t)2 << 30) + 1, &loaded, &error), "a file has at most 2 GiB");
  INVALID(sinew_character_load_memory("", SIZE_MAX, &loaded, &error), "more than memory holds");
  EXPECT(sinew_character_write(character, "/no/such/folder/a.sinew", &error), SINEW_UNREADABLE, "/no/such/folder");

  // From memory at an odd address, every prefix of it is refused, and the whole is the same character.
  char path[1000];
  snprintf(path, sizeof path, "%s/bad_input.sinew", folder);
  OK(sinew_character_write(character, path, &error));
  FILE* file = fopen(path, "rb");
  if (file == NULL) exit(1);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  char* bytes = malloc(size + 1);
  if (bytes == NULL || fread(bytes + 1, 1, size, file) != size) exit(1);
  fclose(file);
  remove(path);
  for (size_t part = 0; part < size; part += size / 7)
    EXPECT(sinew_character_load_memory(bytes + 1, part, &loaded, &error), SINEW_INVALID_DATA, "");
  OK(sinew_character_load_memory(bytes + 1, size, &loaded, &error));
  free(bytes);
  SinewCharacterInfo a = SINEW_INIT(SinewCharacterInfo), b = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &a, &error));
  OK(sinew_character_info(loaded, &b, &error));
  MUST(a.joint_count == b.joint_count && a.clip_count == b.clip_count && a.baked == 1 && b.baked == 1);
  MUST(strcmp(a.name, b.name) == 0);
  sinew_character_destroy(loaded);
}

static void check_import(const char* path) {
  SinewCharacter* character = NULL;
  SinewImportOptions options = SINEW_INIT(SinewImportOptions);
  EXPECT(sinew_character_import("/no/such/file.glb", &options, &character, &error), SINEW_NOT_FOUND,
         "/no/such/file.glb");
  options.animation_file_count = 1;
  INVALID(sinew_character_import(path, &options, &character, &error), "options->animation_files is null");
  const char* const no_path = NULL;
  options.animation_files = &no_path;
  INVALID(sinew_character_import(path, &options, &character, &error), "a path in options->animation_files is null");
  options.animation_file_count = 0;
  options.isolated = 1, options.worker = "/no/such/worker";
  EXPECT(sinew_character_import(path, &options, &character, &error), SINEW_UNREADABLE, "/no/such/worker");
  MUST(character == NULL);

  OK(sinew_character_import(path, NULL, &character, &error));
  const float shares[2] = {0.5f, 2};
  INVALID(sinew_character_make_levels(character, NULL, 2, &error), "triangle_shares is null");
  INVALID(sinew_character_make_levels(character, shares, 2, &error), "");
  OK(sinew_character_make_levels(character, shares, 1, &error));
  SinewMesh full = SINEW_INIT(SinewMesh), half = SINEW_INIT(SinewMesh);
  OK(sinew_character_mesh(character, 0, &full, &error));
  OK(sinew_character_mesh(character, 1, &half, &error));
  MUST(half.index_count < full.index_count && half.error > 0 && full.error == 0);
  INVALID(sinew_character_mesh(character, 2, &half, &error), "level is 2, but the character has 2");
  sinew_character_destroy(character);
}

/// A character in meters keeps its bake; another one loses it, and is not converted twice.
static void check_space(SinewCharacter* character) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_to_meters(character, &error));
  OK(sinew_character_info(character, &info, &error));
  MUST(info.baked == 1 && info.meters_per_unit == 1 && info.up[1] == 1);

  SinewCharacter* lying = NULL;
  OK(sinew_character_import(SINEW_SOURCE_DIR "/assets/character.dae", NULL, &lying, &error));
  OK(sinew_character_bake(lying, NULL, &error));
  OK(sinew_character_info(lying, &info, &error));
  MUST(info.baked == 1 && info.up[2] == 1);
  OK(sinew_character_to_meters(lying, &error));
  OK(sinew_character_info(lying, &info, &error));
  MUST(info.baked == 0 && info.meters_per_unit == 1 && info.up[1] == 1);
  SinewBounds bounds = SINEW_INIT(SinewBounds);
  INVALID(sinew_character_bounds(lying, &bounds, &error), "has not measured its bounds");
  sinew_character_destroy(lying);
}

static void check_indices(const SinewCharacter* character) {
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &info, &error));
  SinewJoint joint = SINEW_INIT(SinewJoint);
  SinewClip clip = SINEW_INIT(SinewClip);
  SinewPart part = SINEW_INIT(SinewPart);
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  SinewImage image = SINEW_INIT(SinewImage);
  SinewMaterial material = SINEW_INIT(SinewMaterial);
  const char* warning = NULL;
  INVALID(sinew_character_joint(character, info.joint_count, &joint, &error), "joints");
  INVALID(sinew_character_joint(character, UINT32_MAX, &joint, &error), "index 4294967295: there are");
  INVALID(sinew_character_clip(character, info.clip_count, &clip, &error), "clip");
  INVALID(sinew_character_material(character, info.material_count, &material, &error), "material");
  INVALID(sinew_character_image(character, info.image_count, &image, &error), "image");
  INVALID(sinew_character_warning(character, info.warning_count, &warning, &error), "warning");
  INVALID(sinew_character_mesh(character, info.level_count, &mesh, &error), "level is");
  INVALID(sinew_character_part(character, info.level_count, 0, &part, &error), "level is");
  INVALID(sinew_character_part(character, 0, info.part_count, &part, &error), "part");
  uint32_t index = 77;
  INVALID(sinew_character_find_clip(character, "no such clip", &index, &error), "no clip 'no such clip'");
  INVALID(sinew_character_find_joint(character, "no such joint", &index, &error), "no joint 'no such joint'");
  MUST(index == 77);
  float seconds = 0;
  INVALID(sinew_character_clip_time(character, info.clip_count, 0, SINEW_LOOP, &seconds, &error), "clip");
  INVALID(sinew_character_clip_time(character, 0, 0, 3, &seconds, &error), "looping is 3, but at most 2");
  OK(sinew_character_joint(character, info.joint_count - 1, &joint, &error));
  OK(sinew_character_find_joint(character, joint.name, &index, &error));
  MUST(index == info.joint_count - 1 && joint.parent >= 0 && joint.parent < (int32_t)index);
}

// --- animation and crowds ---

static void check_animation(SinewCharacter* character) {
  SinewEvaluator* evaluator = NULL;
  OK(sinew_evaluator_create(character, &evaluator, &error));
  INVALID(sinew_character_bake(character, NULL, &error), "an evaluator or a planner uses it");
  INVALID(sinew_character_to_meters(character, &error), "an evaluator or a planner uses it");
  uint32_t mask = 0;
  const float factor = 1;
  INVALID(sinew_evaluator_add_mask(evaluator, NULL, 3, &mask, &error), "factors is null");
  INVALID(sinew_evaluator_add_mask(evaluator, &factor, 1, &mask, &error), "");
  INVALID(sinew_evaluator_set_mask(evaluator, 5, &factor, 1, &error), "");

  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(character, &info, &error));
  SinewPlayback playback;
  memset(&playback, 0xff, sizeof playback);  // no clip, times and weights that are NaN: the rest pose
  SinewMatrix3x4* palette = malloc(info.palette_size * sizeof *palette);
  SinewEvaluateInfo evaluate = SINEW_INIT(SinewEvaluateInfo);
  evaluate.instance_count = 1, evaluate.playbacks = &playback;
  evaluate.palettes = palette, evaluate.palette_count = info.palette_size - 1;
  evaluate.palette_stride = info.palette_size;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "");
  evaluate.palette_count = info.palette_size;
  OK(sinew_evaluator_evaluate(evaluator, &evaluate, &error));
  OK(sinew_character_evaluate_exact(character, &evaluate, &error));
  evaluate.playbacks = NULL;
  INVALID(sinew_evaluator_evaluate(evaluator, &evaluate, &error), "info->playbacks is null, but has 1 elements");
  free(palette);
  sinew_evaluator_destroy(evaluator);
}

static void play_by_instance(void* user_data, uint32_t instance, double seconds, SinewPlayback* out) {
  out->layers[0] = (SinewLayer){instance, (float)seconds + *(const float*)user_data, 1, 0};
}

/// Playbacks by a function are those of the plan.
static void check_playback_function(SinewPlanner* planner, SinewInstances* instances, const SinewCrowdFrame* frame) {
  const uint32_t characters[2] = {1, 1};
  const SinewMatrix3x4 places[2] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                    {{{1, 0, 0, 3}, {0, 1, 0, 0}, {0, 0, 1, 0}}}};
  float later = 0.25f;
  instances->count = 2, instances->models = characters, instances->world_from_model = places;
  instances->playbacks = NULL, instances->playback_at = play_by_instance, instances->playback_user_data = &later;
  OK(sinew_planner_plan(planner, instances, frame, NULL, &error));
  SinewPlan plan = SINEW_INIT(SinewPlan);
  OK(sinew_planner_last(planner, &plan, &error));
  MUST(plan.visible == 2 && plan.posed_mesh_count == 2 && plan.instance_count == 2 && plan.updated_meshes == 2);
  for (uint32_t i = 0; i < plan.posed_mesh_count; ++i) {
    const uint32_t instance = plan.posed_meshes[i].instance;
    MUST(plan.instances[plan.posed_meshes[i].first_instance] == instance);
    MUST(plan.playbacks[i].layers[0].clip == instance && plan.playbacks[i].layers[0].weight == 1);
    MUST(plan.playbacks[i].layers[0].time_seconds >= 0.25f);
  }
}

static void check_crowds(const SinewCharacter* character) {
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  SinewPlanner* planner = NULL;
  INVALID(sinew_planner_create(&info, &planner, &error), "");
  info.model_count = 1;
  INVALID(sinew_planner_create(&info, &planner, &error), "info->models is null");
  SinewPlannerModel described[2] = {SINEW_INIT(SinewPlannerModel), SINEW_INIT(SinewPlannerModel)};
  info.models = described;
  INVALID(sinew_planner_create(&info, &planner, &error), "a model is null");
  const uint32_t no_clip = 1000;
  described[0].character = character, described[0].clips = &no_clip, described[0].clip_count = 1;
  INVALID(sinew_planner_create(&info, &planner, &error), "no clip 1000");
  described[0].clips = NULL;
  info.model_count = 2;
  described[1] = described[0];
  described[1].size = 0;
  INVALID(sinew_planner_create(&info, &planner, &error), "info->models: its size is 0");
  described[1].size = described[0].size;
  OK(sinew_planner_create(&info, &planner, &error));

  SinewInstances instances = SINEW_INIT(SinewInstances);
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "needs a view");
  const SinewView view = {.pixels_per_radian = 1}, without_pixels = {.pixels_per_radian = 0};
  frame.views = &without_pixels, frame.view_count = 1;
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "view 0 has no pixels_per_radian");
  frame.views = &view;
  instances.count = 1;
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "instances->models is null");
  const uint32_t unknown = 9;
  instances.models = &unknown;
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "instances->world_from_model is null");
  const SinewMatrix3x4 matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  instances.world_from_model = &matrix;
  INVALID(sinew_planner_plan(planner, &instances, &frame, NULL, &error), "instances->playbacks is null");
  const SinewPlayback playback = {0};
  instances.playbacks = &playback;
  OK(sinew_planner_plan(planner, &instances, &frame, NULL, &error));
  SinewPlan plan = SINEW_INIT(SinewPlan);
  OK(sinew_planner_last(planner, &plan, &error));
  MUST(plan.posed_mesh_count == 0 && plan.culled == 1);  // it is of no character
  sinew_planner_destroy(planner);
  info.without = SINEW_WITHOUT_CULLING;
  OK(sinew_planner_create(&info, &planner, &error));
  check_playback_function(planner, &instances, &frame);
  sinew_planner_destroy(planner);
}

// --- characters of a planner that come and go ---

static SinewMeasuredModel* measure(const SinewPlanner* planner, const SinewCharacter* character) {
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character;
  SinewMeasuredModel* measured = NULL;
  OK(sinew_planner_measure(planner, &described, NULL, &measured, &error));
  return measured;
}

static SinewPlanner* make_planner(const SinewCharacter* character, SinewPlannerInfo info) {
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  described.character = character;
  info.model_count = 1, info.models = &described;
  SinewPlanner* planner = NULL;
  OK(sinew_planner_create(&info, &planner, &error));
  return planner;
}

static void plan_of(SinewPlanner* planner, uint32_t character, SinewPlan* plan) {
  SinewInstances instances = SINEW_INIT(SinewInstances);
  const SinewMatrix3x4 matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const SinewPlayback playback = {0};
  instances.count = 1, instances.models = &character, instances.world_from_model = &matrix;
  instances.playbacks = &playback;
  memset(&instances.generations, 0xee, sizeof instances.generations);
  instances.size = offsetof(SinewInstances, generations);  // of an older version: what follows is not read
  const SinewView view = {.pixels_per_radian = 1};
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.views = &view, frame.view_count = 1;
  OK(sinew_planner_plan(planner, &instances, &frame, NULL, &error));
  OK(sinew_planner_last(planner, plan, &error));
}

static void check_measuring(const SinewPlanner* planner, const SinewCharacter* character) {
  SinewMeasuredModel* measured = (SinewMeasuredModel*)&error;
  SinewPlannerModel described = SINEW_INIT(SinewPlannerModel);
  INVALID(sinew_planner_measure(planner, &described, NULL, &measured, &error), "model->character is null");
  MUST(measured == NULL);
  const uint32_t no_clip = 1000;
  described.character = character, described.clips = &no_clip, described.clip_count = 1;
  INVALID(sinew_planner_measure(planner, &described, NULL, &measured, &error), "no clip 1000");
  described.size = 0;
  INVALID(sinew_planner_measure(planner, &described, NULL, &measured, &error), "model: its size is 0");
  INVALID(sinew_planner_measure(planner, NULL, NULL, &measured, &error), "model is null");
  INVALID(sinew_planner_measure(planner, &described, NULL, NULL, &error), "out is null");
  SinewCharacter* raw = NULL;
  OK(sinew_character_import(SINEW_SOURCE_DIR "/assets/character.dae", NULL, &raw, &error));
  described = (SinewPlannerModel){.size = sizeof described, .character = raw};
  INVALID(sinew_planner_measure(planner, &described, NULL, &measured, &error), "model->character has no bake");
  sinew_character_destroy(raw);
}

/// One that was measured is added once, to a planner that needs no more of it.
static void check_measured(SinewPlanner* planner, const SinewCharacter* character) {
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  info.without = SINEW_WITHOUT_UPDATE_RATES;
  SinewPlanner* other = make_planner(character, info);
  SinewMeasuredModel* measured = measure(other, character);
  uint32_t number = 77;
  INVALID(sinew_planner_add_model(planner, measured, &number, &error), "a planner with other options");
  INVALID(sinew_planner_add_model(other, measured, &number, &error), "add_model: it is empty");
  sinew_measured_model_destroy(measured);
  measured = measure(planner, character);
  INVALID(sinew_planner_add_model(planner, NULL, &number, &error), "measured is null");
  INVALID(sinew_planner_add_model(planner, measured, NULL, &error), "out is null");  // and it is not taken
  MUST(number == 77);
  OK(sinew_planner_add_model(planner, measured, &number, &error));
  MUST(number == 1);
  INVALID(sinew_planner_add_model(planner, measured, &number, &error), "add_model: it is empty");
  sinew_measured_model_destroy(measured);
  sinew_measured_model_destroy(NULL);
  measured = measure(other, character);
  sinew_planner_destroy(other);
  sinew_measured_model_destroy(measured);
}

/// A character is shared until it is gone, and no longer.
static void check_removal(SinewPlanner* planner, SinewCharacter* added) {
  uint32_t number = 77, gone = 77;
  SinewMeasuredModel* measured = measure(planner, added);
  INVALID(sinew_character_bake(added, NULL, &error), "an evaluator or a planner uses it");
  OK(sinew_planner_add_model(planner, measured, &number, &error));
  sinew_measured_model_destroy(measured);
  MUST(number == 2);
  INVALID(sinew_planner_is_gone(planner, number, NULL, &error), "out is null");
  OK(sinew_planner_is_gone(planner, number, &gone, &error));
  MUST(gone == 0);
  SinewPlan plan = SINEW_INIT(SinewPlan);
  plan_of(planner, number, &plan);
  MUST(plan.visible == 1);
  INVALID(sinew_planner_remove_model(planner, 3, 0, &error), "the planner has no model 3");
  OK(sinew_planner_remove_model(planner, number, 2, &error));
  INVALID(sinew_planner_remove_model(planner, number, 0, &error), "the planner has no model 2");
  for (int plans = 0; gone == 0 && plans < 8; ++plans) {
    INVALID(sinew_character_bake(added, NULL, &error), "an evaluator or a planner uses it");
    plan_of(planner, number, &plan);
    MUST(plan.visible == 0);
    OK(sinew_planner_is_gone(planner, number, &gone, &error));
  }
  MUST(gone == 1);
  OK(sinew_character_bake(added, NULL, &error));
  OK(sinew_planner_is_gone(planner, UINT32_MAX, &gone, &error));
  MUST(gone == 1);
}

static void check_socket_counts(const SinewPlanner* planner) {
  const uint32_t counts[3] = {0, 0, 0};
  SinewAttachments* attachments = NULL;
  INVALID(sinew_attachments_create(planner, counts, 1, &attachments, &error), "the planner has models: 3");
  OK(sinew_attachments_create(planner, counts, 3, &attachments, &error));
  OK(sinew_attachments_set_socket_count(attachments, 2, 4, &error));
  INVALID(sinew_attachments_set_socket_count(attachments, 3, 4, &error), "index 3: there are 3 models");
  INVALID(sinew_attachments_set_socket_count(attachments, UINT32_MAX, 4, &error), "there are 3 models");
  sinew_attachments_destroy(attachments);
}

static void check_roster(const SinewCharacter* character, const char* path) {
  SinewPlannerInfo info = SINEW_INIT(SinewPlannerInfo);
  info.without = SINEW_WITHOUT_CULLING;
  memset(&info.level, 0xee, sizeof info.level);
  info.size = offsetof(SinewPlannerInfo, level);  // of an older version: what follows is not read
  SinewPlanner* planner = make_planner(character, info);
  SinewCharacter* added = NULL;
  OK(sinew_character_import(path, NULL, &added, &error));
  OK(sinew_character_bake(added, NULL, &error));
  check_measuring(planner, character);
  check_measured(planner, character);
  check_removal(planner, added);
  check_socket_counts(planner);
  sinew_planner_destroy(planner);
  sinew_character_destroy(added);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  error.size = sizeof error;
  OK(sinew_check_version(SINEW_C_VERSION, &error));
  EXPECT(sinew_check_version(SINEW_C_VERSION + 1000, &error), SINEW_UNSUPPORTED, "0.2.0");
  sinew_character_destroy(NULL);
  sinew_evaluator_destroy(NULL);
  sinew_planner_destroy(NULL);
  sinew_skinner_destroy(NULL);
  sinew_decode_normal(0, NULL);

  SinewCharacter* character = NULL;
  if (sinew_character_import(argv[2], NULL, &character, &error) == SINEW_UNSUPPORTED) {
    printf("SKIPPED: %s\n", error.message);
    return kSkipped;
  }
  MUST(character != NULL);
  SinewEvaluator* evaluator = NULL;
  INVALID(sinew_evaluator_create(character, &evaluator, &error), "it has no bake");
  SinewBounds bounds = SINEW_INIT(SinewBounds);
  INVALID(sinew_character_bounds(character, &bounds, &error), "sinew_character_bake()");
  check_errors();
  check_cuts_of_messages();
  check_sizes_of_inputs(character);
  check_sizes_of_outputs(character);
  check_space(character);
  check_files(argv[1], character);
  check_indices(character);
  check_import(argv[2]);
  check_animation(character);
  check_crowds(character);
  check_roster(character, argv[2]);
  check_animation_input(argv[2]);
  sinew_character_destroy(character);

  Device device = make_device();
  check_skinner(&device);
  destroy_device(&device);
  printf("%d checks, %d failures\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
