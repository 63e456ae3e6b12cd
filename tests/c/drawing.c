// A crowd that is drawn through the C interface alone, in each way in which shaders find vertices: instances with
// blends and masks, a host-posed one, and one that comes and goes; frames that are hidden or discarded. Draws show the
// vertices of the CPU skinner, and of the frame before; sockets and hits of rays are there too.
#include "drawing.h"

#include <math.h>
#include <stdlib.h>

#include "canvas.h"
#include "harness.h"

enum { kPeople = 5, kBlended = 1, kMasked = 2, kHostPosed = 3, kGuest = 4, kMaxPalette = 64, kMaxTargets = 4 };
static const uint32_t kLevel = 2;  // of detail, for all
enum { kFrames = 11, kHiddenFrame = 4, kDiscardedFrame = 6 };
enum { kAwayFrames = 3, kGuestFrames = 4 };           // the guest is away in every third frame, another one after four
static const float kTolerance = 2e-5f, kLift = 0.5f;  // meters

/// What a person shows.
typedef struct Pose {
  SinewMatrix3x4 palette[kMaxPalette], socket;  // model_from_socket
  float weights[kMaxTargets];
} Pose;

typedef struct Stage {
  const Device* device;
  SinewCharacter* character;
  SinewEvaluator* evaluator;  // with the mask and the socket
  SinewMesh mesh;
  uint32_t palette_size, mask, socket;  // numbers
  SinewSkinnedCrowd* crowd;
  SinewDepthPyramid* pyramid;
  Canvas canvas;
  uint64_t number;  // of the frame
  uint32_t characters[kPeople], generations[kPeople];
  uint8_t host_posed[kPeople];
  SinewMatrix3x4 places[kPeople];
  SinewPlayback playbacks[kPeople];
  float (*drawn[kPeople])[3];  // as each was drawn last
  int was_drawn[kPeople];      // in the frame before
} Stage;

// --- what is expected ---

/// A mask of a joint and all below it.
static void add_mask(const SinewCharacter* character, SinewEvaluator* evaluator, uint32_t joint_count, uint32_t mask) {
  float* factors = calloc(joint_count, sizeof *factors);
  uint32_t joint = 0, number = 0;
  OK(sinew_character_find_joint(character, MASK_JOINT, &joint, &error));
  factors[joint] = 1;
  for (uint32_t j = joint + 1; j < joint_count; ++j) {
    SinewJoint below = SINEW_INIT(SinewJoint);
    OK(sinew_character_joint(character, j, &below, &error));
    if (below.parent >= 0) factors[j] = factors[below.parent];
  }
  OK(sinew_evaluator_add_mask(evaluator, factors, joint_count, &number, &error));
  MUST(number == mask);
  free(factors);
}

static void learn_model(Stage* stage, const SinewModel* model) {
  OK(sinew_model_find_mask(model, MASK, &stage->mask, &error));
  OK(sinew_model_find_socket(model, SOCKET, &stage->socket, &error));
  OK(sinew_model_character(model, &stage->character, &error));
  OK(sinew_evaluator_create(stage->character, &stage->evaluator, &error));
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  OK(sinew_character_info(stage->character, &info, &error));
  add_mask(stage->character, stage->evaluator, info.joint_count, stage->mask);
  uint32_t joint = 0;
  SinewSocket socket;
  OK(sinew_character_find_joint(stage->character, SOCKET_JOINT, &joint, &error));
  OK(sinew_character_make_socket(stage->character, joint, NULL, &socket, &error));
  OK(sinew_evaluator_set_sockets(stage->evaluator, &socket, 1, &error));
  stage->mesh.size = sizeof stage->mesh;
  OK(sinew_character_mesh(stage->character, kLevel, &stage->mesh, &error));
  stage->palette_size = info.palette_size;
  MUST(info.palette_size <= kMaxPalette && stage->mesh.target_count <= kMaxTargets);
}

static Pose pose_of(const Stage* stage, uint32_t person) {
  Pose pose;
  SinewEvaluateInfo info = SINEW_INIT(SinewEvaluateInfo);
  info.playbacks = &stage->playbacks[person], info.instance_count = 1;
  info.palettes = pose.palette, info.palette_count = info.palette_stride = kMaxPalette;
  info.socket_matrices = &pose.socket, info.socket_matrix_count = 1;
  info.weights = pose.weights, info.weight_count = info.weight_stride = stage->mesh.target_count;
  OK(sinew_evaluator_evaluate(stage->evaluator, &info, &error));
  if (person != kHostPosed) return pose;
  for (uint32_t j = 0; j < stage->palette_size; ++j) pose.palette[j].m[1][3] += kLift;
  pose.socket.m[1][3] += kLift;
  return pose;
}

// --- a frame ---

static void play(Stage* stage) {
  for (uint32_t i = 0; i < kPeople; ++i) {
    const float time = fmodf(0.1f * (float)i + (float)stage->number / 30, 0.5f);
    stage->playbacks[i] = (SinewPlayback){{{i % 3, time, 1, 0}}};
    if (i == kBlended) stage->playbacks[i].layers[1] = (SinewLayer){2, 0.2f, 0.5f, 0};
    if (i == kMasked) stage->playbacks[i].layers[1] = (SinewLayer){0, time, 2, stage->mask};
  }
  stage->characters[kGuest] = stage->number % kAwayFrames == 0 ? UINT32_MAX : 0;
  stage->generations[kGuest] = (uint32_t)stage->number / kGuestFrames;
  if (stage->number % kGuestFrames == 0) stage->was_drawn[kGuest] = 0;  // that was another one
}

static SinewInstances people_of(const Stage* stage) {
  SinewInstances people = SINEW_INIT(SinewInstances);
  people.count = kPeople, people.models = stage->characters, people.generations = stage->generations;
  people.host_posed = stage->host_posed, people.world_from_model = stage->places, people.playbacks = stage->playbacks;
  return people;
}

/// Updates, and writes the pose of the host. Returns whether people are drawn.
static int update_stage(Stage* stage) {
  ++stage->number;
  play(stage);
  const SinewView view = wide_view();
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.views = &view, frame.view_count = 1, frame.depth_pyramid = stage->pyramid;
  const int is_hidden = stage->number == kHiddenFrame;
  const float nearest = 0;
  SinewDepthImage image = SINEW_INIT(SinewDepthImage);
  image.width = image.height = 1, image.depth = &nearest, image.view = view;
  OK(is_hidden ? sinew_depth_pyramid_build(stage->pyramid, &image, &error)
               : sinew_depth_pyramid_clear(stage->pyramid, &error));
  const SinewInstances people = people_of(stage);
  OK(sinew_skinned_crowd_update(stage->crowd, stage->number, 0, &people, &frame, &error));
  SinewHostPose to = SINEW_INIT(SinewHostPose);
  OK(sinew_skinned_crowd_host_pose(stage->crowd, 0, 0, &to, &error));
  MUST(to.palette == NULL && to.weights == NULL && to.sockets == NULL);
  OK(sinew_skinned_crowd_host_pose(stage->crowd, kHostPosed, 0, &to, &error));
  MUST((to.palette == NULL) == is_hidden);
  if (to.palette == NULL) return 0;
  const Pose pose = pose_of(stage, kHostPosed);
  MUST(to.palette_size == stage->palette_size && to.weight_count == stage->mesh.target_count && to.socket_count == 1);
  memcpy(to.palette, pose.palette, to.palette_size * sizeof *to.palette);
  memcpy(to.weights, pose.weights, to.weight_count * sizeof *to.weights);
  to.sockets[0] = pose.socket;
  return 1;
}

/// The last frame is recorded, and not submitted.
static void discard(const Stage* stage) {
  REFUSED(sinew_skinned_crowd_discard_frame(stage->crowd, &error), "is not recorded");
  const VkCommandBuffer cmd = begin_commands(stage->device);
  OK(sinew_skinned_crowd_record(stage->crowd, cmd, NULL, &error));
  OK(sinew_skinned_crowd_discard_frame(stage->crowd, &error));
  discard_commands(stage->device, cmd);
  MUST(draws_of(stage->crowd).draw_count == 0);
  REFUSED(sinew_skinned_crowd_discard_frame(stage->crowd, &error), "is not recorded");
}

// --- what is drawn ---

static float distance_of(const float* a, const float* b) {
  return hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/// Compares the vertices of a person with those of the CPU skinner, and with those that were drawn last.
static void compare_person(Stage* stage, uint32_t place, uint32_t person) {
  const Pose pose = pose_of(stage, person);
  const uint32_t count = stage->mesh.vertex_count;
  float(*expected)[3] = malloc(count * sizeof *expected), (*normals)[3] = malloc(count * sizeof *normals);
  OK(sinew_skin_on_cpu(&stage->mesh, pose.palette, stage->palette_size, pose.weights, expected[0], normals[0], &error));
  const int moves = stage->canvas.way != kByInput && stage->was_drawn[person];
  uint32_t wrong = 0, moved = 0;
  for (uint32_t v = 0; v < count; ++v) {
    const DrawnVertex drawn = drawn_vertex(&stage->canvas, place, v);
    const float* before = moves ? stage->drawn[person][v] : drawn.position;
    wrong += !(distance_of(drawn.position, expected[v]) <= kTolerance) || drawn.instance != (float)person;
    wrong +=
        !(fabsf(drawn.normal_z - normals[v][2]) <= 0.01f) || memcmp(drawn.before, before, sizeof drawn.before) != 0;
    moved += memcmp(drawn.before, drawn.position, sizeof drawn.before) != 0;
    memcpy(stage->drawn[person][v], drawn.position, sizeof drawn.position);
  }
  MUST(wrong == 0 && (moved > 0) == moves);
  free(expected), free(normals);
}

/// A ray at the chest hits where the triangle is drawn.
static void pick_person(const Stage* stage, uint32_t place, uint32_t person) {
  const SinewInstances people = people_of(stage);
  const float x = stage->places[person].m[0][3], z = stage->places[person].m[2][3];
  const float origin[3] = {x, person == kHostPosed ? 1.2f + kLift : 1.2f, 10}, forward[3] = {0, 0, -1};
  SinewPickHit hit = SINEW_INIT(SinewPickHit);
  OK(sinew_skinned_crowd_pick(stage->crowd, &people, origin, forward, 0, &hit, &error));
  MUST(hit.hit == 1 && hit.instance == person && hit.level == kLevel);
  float drawn[3] = {x, 0, z};
  for (int corner = 0; corner < 3 && hit.hit; ++corner) {
    const uint32_t vertex = stage->mesh.indices[3 * hit.triangle + (uint32_t)corner];
    const DrawnVertex at = drawn_vertex(&stage->canvas, place, vertex);
    for (int axis = 0; axis < 3; ++axis) drawn[axis] += hit.barycentrics[corner] * at.position[axis];
  }
  MUST(distance_of(drawn, hit.point) <= 1e-4f);
}

static void compare_sockets(const Stage* stage) {
  const SinewInstances people = people_of(stage);
  SinewSocketRequest requests[kPeople];
  SinewMatrix3x4 sockets[kPeople];
  for (uint32_t i = 0; i < kPeople; ++i) requests[i] = (SinewSocketRequest){i, stage->socket};
  OK(sinew_skinned_crowd_place_sockets(stage->crowd, &people, requests, kPeople, sockets, &error));
  for (uint32_t i = 0; i < kPeople; ++i) {
    SinewMatrix3x4 expected = {{{0}}};
    if (stage->was_drawn[i]) expected = pose_of(stage, i).socket;
    for (int row = 0; row < 3; ++row) {
      if (stage->was_drawn[i]) expected.m[row][3] += stage->places[i].m[row][3];
      for (int column = 0; column < 4; ++column)
        MUST(fabsf(sockets[i].m[row][column] - expected.m[row][column]) <= kTolerance);
    }
  }
}

static void draw_frame(Stage* stage) {
  const int are_drawn = update_stage(stage);
  draw_crowd(&stage->canvas, stage->crowd);
  const SinewDraws draws = draws_of(stage->crowd);
  MUST((draws.draw_count > 0) == are_drawn);
  int is_drawn[kPeople] = {0};
  for (uint32_t place = 0; place < draws.instance_count; ++place) {
    const uint32_t person = draws.instances[place];
    is_drawn[person] = 1;
    compare_person(stage, place, person);
    pick_person(stage, place, person);
  }
  for (uint32_t i = 0; i < kPeople; ++i) MUST(is_drawn[i] == (are_drawn && stage->characters[i] == 0));
  memcpy(stage->was_drawn, is_drawn, sizeof is_drawn);
  compare_sockets(stage);
}

/// Calls for draws that are not of this kind.
static void check_wrong_draws(const Stage* stage) {
  const VkCommandBuffer cmd = begin_commands(stage->device);
  const SinewDraw* draw = &draws_of(stage->crowd).draws[0];
  if (stage->canvas.way == kByInput)
    REFUSED(sinew_draw_record_with_previous(draw, cmd, 0, &error), "the crowd keeps no previous vertices");
  if (stage->canvas.way == kPulled)
    REFUSED(sinew_draw_record_with_previous(draw, cmd, 0, &error), "the draw is pulled");
  discard_commands(stage->device, cmd);
}

static void draw_frames(Stage* stage, const SinewModel* model, DrawWay way) {
  SinewSkinnerInfo skinner = skinner_info(stage->device);
  set_consumers(way, &skinner);
  SinewSkinnedCrowdInfo info = SINEW_INIT(SinewSkinnedCrowdInfo);
  info.models = &model, info.model_count = 1, info.skinner = &skinner, info.level = &kLevel;
  info.without = SINEW_WITHOUT_UPDATE_RATES, info.previous_poses = way != kByInput,
  info.vertex_pulling = way == kPulled;
  OK(sinew_skinned_crowd_create(&info, &stage->crowd, &error));
  SinewMeshStreams streams = SINEW_INIT(SinewMeshStreams);
  OK(sinew_skinned_crowd_streams(stage->crowd, &streams, &error));
  stage->canvas = make_canvas(stage->device, way, stage->mesh.vertex_count, kPeople, streams.index_count);
  upload_indices(&stage->canvas, &streams);
  REFUSED(sinew_skinned_crowd_discard_frame(stage->crowd, &error), "no frame was begun");
  memset(stage->was_drawn, 0, sizeof stage->was_drawn);
  for (stage->number = 0; stage->number < kFrames;) {
    if (stage->number == 0 || stage->number + 1 == kDiscardedFrame) {
      update_stage(stage);
      discard(stage);
      memset(stage->was_drawn, 0, sizeof stage->was_drawn);
    }
    draw_frame(stage);
  }
  check_wrong_draws(stage);
  destroy_canvas(&stage->canvas);
  sinew_skinned_crowd_destroy(stage->crowd);
}

int check_drawing(const Device* device, const SinewModel* model) {
  Stage stage = {.device = device};
  learn_model(&stage, model);
  OK(sinew_depth_pyramid_create(&stage.pyramid, &error));
  stage.host_posed[kHostPosed] = 1;
  for (uint32_t i = 0; i < kPeople; ++i) {
    for (int row = 0; row < 3; ++row) stage.places[i].m[row][row] = 1;
    stage.places[i].m[0][3] = 2 * (float)i - 4;
    stage.drawn[i] = malloc(stage.mesh.vertex_count * sizeof *stage.drawn[i]);
  }
  for (DrawWay way = kByInput; way <= kPulled; ++way) draw_frames(&stage, model, way);
  for (uint32_t i = 0; i < kPeople; ++i) free(stage.drawn[i]);
  sinew_depth_pyramid_destroy(stage.pyramid);
  sinew_evaluator_destroy(stage.evaluator);
  sinew_character_destroy(stage.character);
  printf("drawing: %d failures\n", failures);
  return failures;
}
