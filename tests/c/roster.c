// A roster that changes, through the C interface on a device: models and people come and go while the crowd is drawn.
// Copies of two models are drawn as the ones that stay, new people have no previous vertices, and the memory of the
// host's allocator stays what it was after the first copies.

#include <stdlib.h>

#include "canvas.h"
#include "drawing.h"
#include "harness.h"

enum { kKept = 2, kPeople = 4, kNewcomer = 2, kChanging = 3, kCopies = 100, kFirstCopies = 10 };
enum { kMaxVertices = 1000 };

// --- the host's allocator, which counts ---

typedef struct Heap {
  const Device* device;
  VkDeviceSize bytes, buffers;  // that are there now
} Heap;

typedef struct Block {
  HostBuffer buffer;
  VkDeviceSize bytes;
} Block;

static VkResult allocate(void* user_data, const VkBufferCreateInfo* info, uint32_t use, SinewAllocation* out) {
  Heap* heap = user_data;
  Block* block = malloc(sizeof *block);
  if (block == NULL) return VK_ERROR_OUT_OF_HOST_MEMORY;
  *block = (Block){make_buffer(heap->device, info->size, info->usage), info->size};
  heap->bytes += block->bytes, ++heap->buffers;
  out->buffer = block->buffer.buffer, out->allocation = block;
  out->mapped = use == SINEW_BUFFER_DEVICE ? NULL : block->buffer.mapped;
  out->memory_properties = block->buffer.memory_properties;
  return VK_SUCCESS;
}

static void release(void* user_data, const SinewAllocation* allocation) {
  Heap* heap = user_data;
  Block* block = allocation->allocation;
  heap->bytes -= block->bytes, --heap->buffers;
  destroy_buffer(heap->device, &block->buffer);
  free(block);
}

// --- the crowd ---

typedef struct Host {
  const Device* device;
  const SinewModel* models[kKept];
  SinewSkinnedCrowd* crowd;
  Canvas canvas;
  uint64_t frame;
  uint32_t characters[kPeople], generations[kPeople];
  SinewMatrix3x4 places[kPeople];
  SinewPlayback playbacks[kPeople];
  float (*drawn[kPeople])[3];       // the vertices of each person, as they were drawn last
  uint32_t vertex_counts[kPeople];  // of these; 0: not drawn
  uint32_t* indices[kKept];         // of the models that stay
  uint32_t index_counts[kKept];
} Host;

static uint32_t add_copy(SinewSkinnedCrowd* crowd, const SinewModel* model) {
  SinewPreparedModel* prepared = NULL;
  uint32_t number = UINT32_MAX;
  OK(sinew_skinned_crowd_prepare_model(crowd, model, NULL, &prepared, &error));
  OK(sinew_skinned_crowd_add_model(crowd, prepared, &number, &error));
  sinew_prepared_model_destroy(prepared);
  return number;
}

static SinewMeshStreams streams_of(SinewSkinnedCrowd* crowd, uint32_t model) {
  SinewMeshStreams streams = SINEW_INIT(SinewMeshStreams);
  OK(sinew_skinned_crowd_model_streams(crowd, model, &streams, &error));
  return streams;
}

static SinewMeshStreams all_streams(SinewSkinnedCrowd* crowd) {
  SinewMeshStreams streams = SINEW_INIT(SinewMeshStreams);
  OK(sinew_skinned_crowd_streams(crowd, &streams, &error));
  return streams;
}

static uint32_t place_of(const SinewDraws* draws, uint32_t person) {
  uint32_t place = 0;
  while (place < draws->instance_count && draws->instances[place] != person) ++place;
  return place;
}

/// A draw that shows a person; null: there is none.
static const SinewDraw* draw_of(const SinewDraws* draws, uint32_t person) {
  const uint32_t place = place_of(draws, person);
  for (uint32_t d = 0; d < draws->draw_count && place < draws->instance_count; ++d) {
    const uint32_t first = draws->draws[d].first_instance;
    if (place >= first && place - first < draws->draws[d].instance_count) return &draws->draws[d];
  }
  return NULL;
}

// --- frames ---

static void start(Host* host, DrawWay way) {
  const SinewMeshStreams all = all_streams(host->crowd);
  host->canvas = make_canvas(host->device, way, kMaxVertices, kPeople, 2 * all.index_count);
  upload_indices(&host->canvas, &all);
  host->frame = 0;
  for (uint32_t i = 0; i < kPeople; ++i) {
    host->characters[i] = i % kKept, host->generations[i] = 0;
    for (int row = 0; row < 3; ++row) host->places[i].m[row][row] = 1;
    host->drawn[i] = malloc(kMaxVertices * sizeof *host->drawn[i]);
  }
  for (uint32_t m = 0; m < kKept; ++m) {
    const SinewMeshStreams own = streams_of(host->crowd, m);
    const size_t bytes = own.index_count * sizeof *own.indices;
    host->index_counts[m] = own.index_count, host->indices[m] = malloc(bytes);
    memcpy(host->indices[m], own.indices, bytes);
  }
}

static void end(Host* host) {
  destroy_canvas(&host->canvas);
  for (uint32_t i = 0; i < kPeople; ++i) free(host->drawn[i]);
  for (uint32_t m = 0; m < kKept; ++m) free(host->indices[m]);
}

static void update_people(Host* host) {
  host->generations[kChanging] = (uint32_t)host->frame / 3;
  for (uint32_t i = 0; i < kPeople; ++i)
    host->playbacks[i].layers[0] = (SinewLayer){0, 0.01f * (float)(host->frame % 100), 1, 0};
  SinewInstances people = SINEW_INIT(SinewInstances);
  people.count = kPeople, people.models = host->characters, people.generations = host->generations;
  people.world_from_model = host->places, people.playbacks = host->playbacks;
  update(host->crowd, ++host->frame, &people);
}

/// Compares where a person was before. Returns the number of vertices; 0: the person is not drawn.
static uint32_t compare_person(Host* host, const SinewDraws* draws, uint32_t person, int is_new) {
  const SinewDraw* draw = draw_of(draws, person);
  if (draw == NULL) return 0;
  MUST(draw->model == host->characters[person]);
  uint32_t wrong = 0;
  for (uint32_t v = 0; v < draw->vertex_count; ++v) {
    const DrawnVertex drawn = drawn_vertex(&host->canvas, place_of(draws, person), v);
    const float* before = is_new ? drawn.position : host->drawn[person][v];
    wrong += drawn.instance != (float)person || memcmp(drawn.before, before, sizeof drawn.before) != 0;
    memcpy(host->drawn[person][v], drawn.position, sizeof drawn.position);
  }
  MUST(wrong == 0);
  return draw->vertex_count;
}

/// Draws a frame. `newcomer`: the person was not drawn in the frame before; UINT32_MAX: all were.
static void draw_frame(Host* host, uint32_t newcomer) {
  const uint32_t generation = host->generations[kChanging];
  update_people(host);
  const int has_changed = generation != host->generations[kChanging];
  draw_crowd(&host->canvas, host->crowd);
  const SinewDraws draws = draws_of(host->crowd);
  for (uint32_t i = 0; i < kPeople; ++i) {
    const int is_new = host->frame == 1 || i == newcomer || (i == kChanging && has_changed);
    host->vertex_counts[i] = compare_person(host, &draws, i, is_new);
  }
}

/// The indices of a copy are those of its model, where the streams of all have them too.
static void check_streams(const Host* host, uint32_t number, uint32_t model) {
  const SinewMeshStreams own = streams_of(host->crowd, number);
  const size_t bytes = own.index_count * sizeof *own.indices;
  const uint32_t first_index = own.first_index, first_vertex = own.first_vertex, vertex_count = own.vertex_count;
  MUST(own.index_count == host->index_counts[model] && first_vertex > 0);
  MUST(memcmp(own.indices, host->indices[model], bytes) == 0);
  const SinewMeshStreams all = all_streams(host->crowd);
  MUST(all.first_index == 0 && all.first_vertex == 0);
  MUST(first_index + host->index_counts[model] <= all.index_count && first_vertex + vertex_count <= all.vertex_count);
  MUST(memcmp(all.indices + first_index, host->indices[model], bytes) == 0);
}

/// A copy of a model comes, is drawn, and goes.
static void show_copy(Host* host, uint32_t model) {
  const uint32_t number = add_copy(host->crowd, host->models[model]);
  check_streams(host, number, model);
  const SinewMeshStreams streams_of_copy = streams_of(host->crowd, number);
  upload_indices(&host->canvas, &streams_of_copy);
  host->characters[kNewcomer] = number;
  for (uint32_t shown = 0; shown < 2; ++shown) {
    draw_frame(host, shown == 0 ? kNewcomer : UINT32_MAX);
    const uint32_t count = host->vertex_counts[model];
    MUST(count > 0 && host->vertex_counts[kNewcomer] == count);
    MUST(memcmp(host->drawn[kNewcomer], host->drawn[model], count * sizeof *host->drawn[model]) == 0);
  }
  OK(sinew_skinned_crowd_remove_model(host->crowd, number, &error));
  REFUSED(sinew_skinned_crowd_remove_model(host->crowd, number, &error), "the crowd has no model");
  SinewMeshStreams streams = SINEW_INIT(SinewMeshStreams);
  REFUSED(sinew_skinned_crowd_model_streams(host->crowd, number, &streams, &error), "the crowd has no model");
  draw_frame(host, UINT32_MAX);
  MUST(host->vertex_counts[kNewcomer] == 0 && draws_of(host->crowd).instance_count == kPeople - 1);
}

/// Copies come and go, and leave no memory behind.
static void check_copies(Host* host, DrawWay way) {
  Heap heap = {host->device, 0, 0};
  SinewSkinnerInfo skinner = skinner_info(host->device);
  set_consumers(way, &skinner);
  skinner.allocation_user_data = &heap, skinner.allocate = allocate, skinner.free = release;
  SinewSkinnedCrowdInfo info = SINEW_INIT(SinewSkinnedCrowdInfo);
  const uint32_t level = 4;
  info.without = SINEW_WITHOUT_CULLING | SINEW_WITHOUT_UPDATE_RATES, info.level = &level;
  info.previous_poses = 1, info.vertex_pulling = way == kPulled;
  info.models = host->models, info.model_count = kKept, info.skinner = &skinner;
  OK(sinew_skinned_crowd_create(&info, &host->crowd, &error));
  start(host, way);
  VkDeviceSize bytes = 0;
  uint32_t indices = 0;
  for (uint32_t copy = 0; copy < kCopies; ++copy) {
    show_copy(host, copy % kKept);
    if (copy == kFirstCopies) bytes = heap.bytes, indices = all_streams(host->crowd).index_count;
    MUST(host->characters[kNewcomer] < kFirstCopies);  // numbers are taken again
  }
  printf("%u copies: %llu bytes in %llu buffers\n", kCopies, (unsigned long long)heap.bytes,
         (unsigned long long)heap.buffers);
  MUST(bytes > 0 && heap.bytes <= bytes && all_streams(host->crowd).index_count <= 2 * indices);
  end(host);
  sinew_skinned_crowd_destroy(host->crowd);
  MUST(heap.bytes == 0 && heap.buffers == 0);
}

/// The built-in character, written to a file and read again.
static SinewModel* load_written(const char* path) {
  const SinewSocketOptions socket = {.name = SOCKET, .joint = SOCKET_JOINT};
  const SinewMaskOptions mask = {.name = MASK, .joint = MASK_JOINT};
  SinewModelOptions options = SINEW_INIT(SinewModelOptions);
  options.sockets = &socket, options.socket_count = 1, options.masks = &mask, options.mask_count = 1;
  SinewModel *loaded = NULL, *written = NULL;
  OK(sinew_model_load(SINEW_SOURCE_DIR "/assets/character.glb", &options, &loaded, &error));
  OK(sinew_model_write(loaded, path, &error));
  sinew_model_destroy(loaded);
  OK(sinew_model_load(path, NULL, &written, &error));
  return written;
}

static SinewModel* load_guard(void) {
  const char* const clips[] = {SINEW_SOURCE_DIR "/assets/guard.md5anim"};
  SinewImportOptions import = SINEW_INIT(SinewImportOptions);
  import.animation_files = clips, import.animation_file_count = 1;
  SinewModelOptions options = SINEW_INIT(SinewModelOptions);
  options.extent = 1, options.import = &import;
  SinewModel* model = NULL;
  OK(sinew_model_load(SINEW_SOURCE_DIR "/assets/guard.md5mesh", &options, &model, &error));
  return model;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SinewModel* models[kKept] = {load_written(argv[1]), load_guard()};
  if (models[0] == NULL || models[1] == NULL) return 1;
  Device device = make_device();
  Host host = {.device = &device, .models = {models[0], models[1]}};
  for (DrawWay way = kWithPrevious; way <= kPulled; ++way) check_copies(&host, way);
  failures += check_drawing(&device, models[0]);
  for (int m = 0; m < kKept; ++m) sinew_model_destroy(models[m]);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
