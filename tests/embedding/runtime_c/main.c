// A crowd of the built-in character in three calls a frame, from C11. What the device has is compared with the CPU
// skinner.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "ok.h"
#include "sinew/c/sinew.h"

enum { kInstances = 12, kFrames = 4, kVertexBytes = 16 };

/// What all instances have in a frame: two clips, blended.
static void play(SinewPlayback playbacks[kInstances], double seconds) {
  for (uint32_t i = 0; i < kInstances; ++i) {
    playbacks[i] = (SinewPlayback){0};
    playbacks[i].layers[0] = (SinewLayer){i % 3, (float)fmod(seconds + 0.21 * i, 0.5), 0.75f, 0};
    playbacks[i].layers[1] = (SinewLayer){(i + 1) % 3, 0.1f, 0.25f, 0};
  }
}

static SinewSkinnedCrowd* make_crowd(const Device* device, const SinewModel* model) {
  SinewSkinnerInfo skinner = SINEW_INIT(SinewSkinnerInfo);
  skinner.instance = device->instance;
  skinner.physical_device = device->physical_device;
  skinner.device = device->device;
  skinner.get_instance_proc_addr = vkGetInstanceProcAddr;
  skinner.consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  skinner.consumer_accesses = VK_ACCESS_TRANSFER_READ_BIT;
  SinewSkinnedCrowdInfo info = SINEW_INIT(SinewSkinnedCrowdInfo);
  info.models = &model, info.model_count = 1;
  info.skinner = &skinner;
  info.without = SINEW_WITHOUT_UPDATE_RATES;  // each pose is that of the frame
  SinewSkinnedCrowd* crowd = NULL;
  ok(sinew_skinned_crowd_create(&info, &crowd, &error));
  return crowd;
}

static void update(SinewSkinnedCrowd* crowd, uint64_t number, const SinewPlayback* playbacks) {
  static const uint32_t models[kInstances];
  SinewMatrix3x4 places[kInstances];
  memset(places, 0, sizeof(places));
  for (uint32_t i = 0; i < kInstances; ++i) {
    for (int row = 0; row < 3; ++row) places[i].m[row][row] = 1;
    places[i].m[0][3] = (float)i;
  }
  SinewInstances instances = SINEW_INIT(SinewInstances);
  instances.count = kInstances;
  instances.models = models, instances.world_from_model = places, instances.playbacks = playbacks;
  SinewView view = {.pixels_per_radian = 1000};
  for (int i = 0; i < 4; ++i) view.clip_from_world[5 * i] = i < 3 ? 0.01f : 1;  // everything is seen, up to 100 m away
  view.clip_from_world[14] = 0.5f;
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.seconds = (double)number / 60, frame.views = &view, frame.view_count = 1;
  ok(sinew_skinned_crowd_update(crowd, number, number - 1, &instances, &frame, &error));
}

/// The largest distance of a position from the CPU skinner's, in meters.
static float largest_error(const SinewCharacter* character, const SinewEvaluator* evaluator, uint32_t level,
                           const SinewPlayback* playback, const char* skinned) {
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  ok(sinew_character_mesh(character, level, &mesh, &error));
  SinewCharacterInfo info = SINEW_INIT(SinewCharacterInfo);
  ok(sinew_character_info(character, &info, &error));
  SinewMatrix3x4* palette = malloc(info.palette_size * sizeof(*palette));
  float* weights = malloc((mesh.target_count + 1) * sizeof(float));
  float* expected = malloc(mesh.vertex_count * 3 * sizeof(float));
  SinewEvaluateInfo evaluate = SINEW_INIT(SinewEvaluateInfo);
  evaluate.playbacks = playback, evaluate.instance_count = 1;
  evaluate.palettes = palette, evaluate.palette_count = info.palette_size, evaluate.palette_stride = info.palette_size;
  evaluate.weights = weights, evaluate.weight_count = evaluate.weight_stride = mesh.target_count;
  ok(sinew_evaluator_evaluate(evaluator, &evaluate, &error));
  ok(sinew_skin_on_cpu(&mesh, palette, info.palette_size, weights, expected, NULL, &error));
  float largest = 0;
  for (uint32_t v = 0; v < mesh.vertex_count; ++v) {
    const float *p = (const float*)(skinned + (size_t)v * kVertexBytes), *q = expected + 3 * (size_t)v;
    const float distance = hypotf(hypotf(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
    if (!(distance <= largest)) largest = distance;  // NaN too
  }
  free(expected), free(weights), free(palette);
  return largest;
}

typedef struct Compared {
  uint32_t instances;
  float error;
} Compared;

/// Records the crowd, reads the vertices of one draw back, and compares each of its instances.
static Compared run_frame(const Device* device, SinewSkinnedCrowd* crowd, const SinewCharacter* character,
                          const SinewEvaluator* evaluator, const SinewPlayback* playbacks) {
  SinewDraws draws = SINEW_INIT(SinewDraws);
  ok(sinew_skinned_crowd_draws(crowd, &draws, &error));
  if (draws.draw_count == 0) return (Compared){0, 0};
  HostBuffer* read = calloc(draws.draw_count, sizeof(*read));
  const VkCommandBuffer cmd = begin_commands(device);
  ok(sinew_skinned_crowd_record(crowd, cmd, NULL, &error));
  for (uint32_t d = 0; d < draws.draw_count; ++d) {
    const SinewDraw* draw = &draws.draws[d];
    const VkDeviceSize size = (VkDeviceSize)draw->instance_count * draw->vertex_count * kVertexBytes;
    read[d] = make_buffer(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    copy_to_host(cmd, draw->vertex_buffer, (VkDeviceSize)draw->first_vertex * kVertexBytes, &read[d], size);
  }
  submit_and_wait(device, cmd);
  Compared all = {0, 0};
  for (uint32_t d = 0; d < draws.draw_count; ++d) {
    const SinewDraw* draw = &draws.draws[d];
    for (uint32_t i = 0; i < draw->instance_count; ++i) {
      const char* skinned = (const char*)read[d].mapped + (size_t)i * draw->vertex_count * kVertexBytes;
      const SinewPlayback* playback = &playbacks[draws.instances[draw->first_instance + i]];
      all.error = fmaxf(all.error, largest_error(character, evaluator, draw->level, playback, skinned));
    }
    all.instances += draw->instance_count;
    destroy_buffer(device, &read[d]);
  }
  free(read);
  return all;
}

int main(void) {
  ok(sinew_check_version(SINEW_C_VERSION, &error));
  SinewModel* model = NULL;
  ok(sinew_model_load(MODEL, NULL, &model, &error));
  SinewCharacter* character = NULL;
  ok(sinew_model_character(model, &character, &error));
  SinewEvaluator* evaluator = NULL;
  ok(sinew_evaluator_create(character, &evaluator, &error));
  Device device = make_device();
  SinewSkinnedCrowd* crowd = make_crowd(&device, model);
  int code = 0;
  for (uint32_t frame = 1; frame <= kFrames && code == 0; ++frame) {
    SinewPlayback playbacks[kInstances];
    play(playbacks, frame / 60.0);
    update(crowd, frame, playbacks);
    const Compared compared = run_frame(&device, crowd, character, evaluator, playbacks);
    printf("frame %u: largest error %.2g m of %u instances\n", (unsigned)frame, (double)compared.error,
           (unsigned)compared.instances);
    if (!(compared.error <= 1.8e-5f) || compared.instances < kInstances) code = 1;
  }
  sinew_skinned_crowd_destroy(crowd);
  sinew_evaluator_destroy(evaluator);
  sinew_character_destroy(character);
  sinew_model_destroy(model);
  destroy_device(&device);
  return code;
}
