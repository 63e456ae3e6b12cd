// Outfits through the C interface, on a device: a batch that reads the palettes of another one has the vertices of a
// batch with these palettes, to the bit; instances of a crowd wear what their outfits say.

#include "harness.h"
#include "tube.h"

enum { kInstances = 5, kWorn = 3, kPeople = 3, kVertexBytes = 16 };

static SinewRange range_of(const SinewSkinner* skinner, uint32_t index) {
  SinewRange range = SINEW_INIT(SinewRange);
  OK(sinew_skinner_range(skinner, 0, index, &range, &error));
  return range;
}

/// Bodies, and a second batch that borrows their palettes, in another order.
static void check_batches(const Device* device) {
  Tube tube;
  const SinewMesh mesh = make_tube(&tube);
  const SinewSkinnerInfo info = skinner_info(device);
  SinewSkinner* skinner = NULL;
  OK(sinew_skinner_create(&info, &skinner, &error));
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  add.mesh = &mesh, add.palette_size = kJoints, add.name = "tube";
  uint32_t body = 0, hat = 0;
  OK(sinew_skinner_add_mesh(skinner, &add, &body, &error));
  OK(sinew_skinner_add_mesh(skinner, &add, &hat, &error));
  const uint32_t worn[kWorn] = {4, 0, 2};
  SinewSkinnerBatch batches[2] = {{body, kInstances, 0, 0, NULL}, {hat, kWorn, 1, 0, worn}};
  SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);
  frame.number = 1;
  OK(sinew_skinner_begin_frame(skinner, &frame, &error));
  SinewPrepareInfo prepare = SINEW_INIT(SinewPrepareInfo);
  prepare.batches = batches, prepare.batch_count = 2;
  batches[1].palettes_of = 1;
  REFUSED(sinew_skinner_prepare(skinner, &prepare, &error), "batch 1, palettes of batch 1: that batch is not before");
  batches[1].palettes_of = 0;
  OK(sinew_skinner_prepare(skinner, &prepare, &error));
  const SinewRange bodies = range_of(skinner, 0), hats = range_of(skinner, 1);
  MUST(hats.palettes == NULL && hats.palette_stride == 0 && hats.instance_count == kWorn);
  for (int i = 0; i < kInstances; ++i) bend_tube(0.1f * (float)i, bodies.palettes + i * (int)bodies.palette_stride);
  const VkDeviceSize bytes = (VkDeviceSize)kVertices * kVertexBytes;
  HostBuffer skinned = make_buffer(device, (kInstances + kWorn) * bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  HostBuffer skinned_hats = make_buffer(device, kWorn * bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer cmd = begin_commands(device);
  OK(sinew_skinner_record(skinner, cmd, NULL, &error));
  copy_to_host(cmd, bodies.vertices, bodies.vertices_offset, &skinned, kInstances * bytes);
  copy_to_host(cmd, hats.vertices, hats.vertices_offset, &skinned_hats, kWorn * bytes);
  submit_and_wait(device, cmd);
  const char *all = skinned.mapped, *some = skinned_hats.mapped;
  for (int i = 0; i < kWorn; ++i) MUST(memcmp(some + i * (int)bytes, all + worn[i] * bytes, bytes) == 0);
  MUST(memcmp(all, all + bytes, bytes) != 0);
  SinewSkinnerCounters counters = SINEW_INIT(SinewSkinnerCounters);
  OK(sinew_skinner_counters(skinner, &counters, &error));
  MUST(counters.skinned_vertices == (kInstances + kWorn) * kVertices);
  sinew_skinner_destroy(skinner);
  destroy_buffer(device, &skinned);
  destroy_buffer(device, &skinned_hats);
}

/// A second body as a suit.
static SinewModel* load_dressed(const char* path) {
  SinewCharacter* suit = NULL;
  OK(sinew_character_import(path, NULL, &suit, &error));
  SinewWearableOptions wearable = {.name = "suit", .choice = "clothes", .from = suit};
  SinewModelOptions options = SINEW_INIT(SinewModelOptions);
  options.wearables = &wearable, options.wearable_count = 1;
  SinewModel* model = NULL;
  wearable.from = NULL;
  REFUSED(sinew_model_load(path, &options, &model, &error), "wearable 'suit': it names neither parts");
  wearable.from = suit;
  OK(sinew_model_load(path, &options, &model, &error));
  sinew_character_destroy(suit);
  return model;
}

static void check_crowd(const Device* device, const char* path) {
  SinewModel* model = load_dressed(path);
  if (model == NULL) return;
  SinewWearable wearable = SINEW_INIT(SinewWearable);
  OK(sinew_model_wearable(model, 0, &wearable, &error));
  MUST(strcmp(wearable.name, "suit") == 0 && strcmp(wearable.choice, "clothes") == 0);
  REFUSED(sinew_model_wearable(model, 1, &wearable, &error), "index is 1, but the model has 1");
  uint32_t number = 77;
  OK(sinew_model_find_wearable(model, "suit", &number, &error));
  MUST(number == 0);
  REFUSED(sinew_model_find_wearable(model, "hat", &number, &error), "the model has no wearable 'hat'");
  SinewSkinnedCrowd* crowd = make_crowd(device, model);
  const uint32_t models[kPeople] = {0};
  const uint64_t outfits[kPeople] = {0, 1, 0};
  SinewMatrix3x4 places[kPeople] = {{{{0}}}};
  SinewPlayback playbacks[kPeople] = {{{{0}}}};
  for (int i = 0; i < kPeople; ++i) {
    for (int row = 0; row < 3; ++row) places[i].m[row][row] = 1;
  }
  SinewInstances people = SINEW_INIT(SinewInstances);
  people.count = kPeople, people.models = models, people.outfits = outfits;
  people.world_from_model = places, people.playbacks = playbacks;
  update(crowd, 1, &people);
  SinewDraws draws = SINEW_INIT(SinewDraws);
  OK(sinew_skinned_crowd_draws(crowd, &draws, &error));
  uint32_t bodies = 0, suits = 0;
  for (uint32_t d = 0; d < draws.draw_count; ++d) {
    const SinewDraw* draw = &draws.draws[d];
    if (draw->wearable == UINT32_MAX) bodies += draw->instance_count;
    if (draw->wearable != 0) continue;
    suits += draw->instance_count;
    MUST(draws.instances[draw->first_instance] == 1);
  }
  MUST(bodies == kPeople && suits == 1);
  uint32_t posed = 0, worn = 0;
  OK(sinew_skinned_crowd_posed_mesh_count(crowd, &posed, &error));
  for (uint32_t i = 0; i < posed; ++i) {
    SinewPlacedMesh placed = SINEW_INIT(SinewPlacedMesh);
    OK(sinew_skinned_crowd_posed_mesh(crowd, i, &placed, &error));
    worn += placed.wearable == 0;
    MUST(placed.wearable == 0 || placed.wearable == UINT32_MAX);
  }
  MUST(worn == 1);
  sinew_skinned_crowd_destroy(crowd);
  sinew_model_destroy(model);
}

int main(int argc, char** argv) {
  if (argc < 2) return 1;
  Device device = make_device();
  check_batches(&device);
  check_crowd(&device, argv[1]);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
