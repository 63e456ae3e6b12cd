// Bad input of the skinner.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "tube.h"

/// A name that is no UTF-8 and has no place for a cut: messages stay within each size.
static void check_cuts_of_a_name(SinewSkinner* skinner, SinewAddMesh add) {
  char name[2001];
  memset(name, 0x80, sizeof name - 1);
  name[2000] = 0;
  add.name = name;
  for (uint32_t size = offsetof(SinewError, message) + 1; size < sizeof(SinewError); ++size) {
    SinewError cut, untouched;
    memset(&cut, 0x55, sizeof cut);
    memset(&untouched, 0x55, sizeof untouched);
    cut.size = size;
    uint32_t id = 0;
    MUST(sinew_skinner_add_mesh(skinner, &add, &id, &cut) == SINEW_INVALID_DATA);
    MUST(strlen(cut.message) < size - offsetof(SinewError, message));
    MUST(memcmp((const char*)&cut + size, &untouched, sizeof cut - size) == 0);
  }
}

/// `other` is another skinner.
static void check_prepared_meshes(SinewSkinner* skinner, SinewSkinner* other) {
  Tube* tube = malloc(sizeof *tube);
  const SinewMesh mesh = make_tube(tube);
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  SinewPreparedMesh* prepared = (SinewPreparedMesh*)&add;
  uint32_t id = 77;
  INVALID(sinew_skinner_prepare_mesh(skinner, &add, NULL, &error), "out is null");
  INVALID(sinew_skinner_prepare_mesh(skinner, &add, &prepared, &error), "mesh is null");
  MUST(prepared == NULL);
  add.mesh = &mesh, add.palette_size = kJoints - 1, add.name = "tube";
  EXPECT(sinew_skinner_prepare_mesh(skinner, &add, &prepared, &error), SINEW_INVALID_DATA, "");
  add.palette_size = kJoints, add.palette_format = 3;
  INVALID(sinew_skinner_prepare_mesh(skinner, &add, &prepared, &error), "info->palette_format");
  add.palette_format = SINEW_PALETTE_COMPACT, add.palette_scale = -1;
  INVALID(sinew_skinner_prepare_mesh(skinner, &add, &prepared, &error), "the scale of its palettes is -1");
  MUST(prepared == NULL);
  add.palette_scale = 0;
  OK(sinew_skinner_prepare_mesh(skinner, &add, &prepared, &error));
  INVALID(sinew_skinner_add_prepared_mesh(skinner, NULL, &id, &error), "mesh is null");
  MUST(id == 0);
  INVALID(sinew_skinner_add_prepared_mesh(skinner, prepared, NULL, &error), "out is null");
  INVALID(sinew_skinner_add_prepared_mesh(other, prepared, &id, &error), "another skinner prepared mesh 'tube'");
  OK(sinew_skinner_add_prepared_mesh(skinner, prepared, &id, &error));
  MUST(id != 0);
  uint32_t again = 77;
  INVALID(sinew_skinner_add_prepared_mesh(skinner, prepared, &again, &error), "the prepared mesh is empty");
  MUST(again == 0);
  sinew_prepared_mesh_destroy(prepared);
  sinew_prepared_mesh_destroy(NULL);
  SinewMeshBuffer buffer = SINEW_INIT(SinewMeshBuffer);
  OK(sinew_skinner_mesh_buffer(skinner, id, &buffer, &error));
  MUST(buffer.vertex_count == kVertices);
  OK(sinew_skinner_remove_mesh(skinner, id, &error));
  INVALID(sinew_skinner_mesh_buffer(skinner, id, &buffer, &error), "no mesh ");
  free(tube);
}

/// Returns the mesh that is added in the end.
static uint32_t check_meshes(SinewSkinner* skinner) {
  Tube* tube = malloc(sizeof *tube);
  SinewMesh mesh = make_tube(tube);
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  uint32_t id = 77;
  INVALID(sinew_skinner_add_mesh(skinner, &add, &id, &error), "mesh is null");
  MUST(id == 0);
  add.mesh = &mesh, add.palette_size = kJoints - 1;
  EXPECT(sinew_skinner_add_mesh(skinner, &add, &id, &error), SINEW_INVALID_DATA, "");
  add.palette_size = kJoints;
  mesh.size = 0;
  INVALID(sinew_skinner_add_mesh(skinner, &add, &id, &error), "mesh: its size is 0");
  mesh.size = sizeof mesh;
  mesh.first_influence = NULL;
  INVALID(sinew_skinner_add_mesh(skinner, &add, &id, &error), "mesh->first_influence is null");
  mesh.first_influence = tube->first_influence;
  tube->indices[5] = kVertices;
  EXPECT(sinew_skinner_add_mesh(skinner, &add, &id, &error), SINEW_INVALID_DATA, "");
  check_cuts_of_a_name(skinner, add);
  tube->indices[5] = 0;
  tube->first_influence[3] = UINT32_MAX;
  EXPECT(sinew_skinner_add_mesh(skinner, &add, &id, &error), SINEW_INVALID_DATA, "");
  SinewMatrix3x4 palette[kJoints];
  float positions[kVertices * 3];
  bend_tube(0, palette);
  EXPECT(sinew_skin_on_cpu(&mesh, palette, kJoints, NULL, positions, NULL, &error), SINEW_INVALID_DATA, "");
  mesh = make_tube(tube);
  INVALID(sinew_skin_on_cpu(&mesh, NULL, kJoints, NULL, positions, NULL, &error), "palette is null");
  INVALID(sinew_skin_on_cpu(&mesh, palette, kJoints, NULL, NULL, NULL, &error), "positions is null");
  EXPECT(sinew_skin_on_cpu(&mesh, palette, kJoints - 1, NULL, positions, NULL, &error), SINEW_INVALID_DATA,
         "entry 3 of 3");
  OK(sinew_skin_on_cpu(&mesh, palette, kJoints, NULL, positions, NULL, &error));
  add.palette_format = SINEW_PALETTE_COMPACT;
  add.palette_scale = -1;
  INVALID(sinew_skinner_add_mesh(skinner, &add, &id, &error), "the scale of its palettes is -1");
  add.palette_format = 3;
  INVALID(sinew_skinner_add_mesh(skinner, &add, &id, &error), "info->palette_format");
  add.palette_format = SINEW_PALETTE_RIGID;
  OK(sinew_skinner_add_mesh(skinner, &add, &id, &error));
  MUST(id != 0);
  free(tube);
  return id;
}

static void check_draws_of_range(const SinewRange* range) {
  SinewPart part = SINEW_INIT(SinewPart);
  part.first_index = 6, part.index_count = 9;
  VkDrawIndexedIndirectCommand draws[4], untouched[4];
  memset(draws, 0xee, sizeof draws);
  memset(untouched, 0xee, sizeof untouched);
  INVALID(sinew_write_draws(range, NULL, 0, draws, 4, &error), "part is null");
  INVALID(sinew_write_draws(range, &part, 0, NULL, 4, &error), "out is null, but has 4 elements");
  INVALID(sinew_write_draws(range, &part, 0, draws, 2, &error), "count is 2, but there are 3 instances");
  part.size = 5;
  INVALID(sinew_write_draws(range, &part, 0, draws, 4, &error), "part: its size is 5");
  MUST(memcmp(draws, untouched, sizeof draws) == 0);
  part.size = sizeof part;
  OK(sinew_write_draws(range, &part, 50, draws, 4, &error));
  MUST(draws[2].firstIndex == 6 && draws[2].indexCount == 9 && draws[2].instanceCount == 1);
  MUST(draws[2].vertexOffset == 2 * kVertices && draws[2].firstInstance == 52);
  MUST(memcmp(&draws[3], untouched, sizeof *draws) == 0);
}

static void check_frames(SinewSkinner* skinner, uint32_t mesh) {
  SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);
  SinewPrepareInfo prepare = SINEW_INIT(SinewPrepareInfo);
  SinewRange range = SINEW_INIT(SinewRange);
  uint32_t count = 0;
  const uint32_t other = mesh + 5;
  const SinewSkinnerBatch unknown = {.mesh = other, .instance_count = 1}, known = {.mesh = mesh, .instance_count = 3};
  INVALID(sinew_skinner_prepare(skinner, &prepare, &error), "");
  INVALID(sinew_skinner_begin_frame(skinner, &frame, &error), "");
  frame.number = 1, frame.slot = 2, frame.explicit_slot = 1;
  INVALID(sinew_skinner_begin_frame(skinner, &frame, &error), "");
  frame.slot = 1;
  OK(sinew_skinner_begin_frame(skinner, &frame, &error));
  prepare.batch_count = 1;
  INVALID(sinew_skinner_prepare(skinner, &prepare, &error), "batches is null");
  prepare.batches = &unknown;
  INVALID(sinew_skinner_prepare(skinner, &prepare, &error), "");
  INVALID(sinew_skinner_page_requirements(skinner, &unknown, 1, NULL, &count, &error), "");
  prepare.batches = &known;
  prepare.group = 1;
  INVALID(sinew_skinner_prepare(skinner, &prepare, &error), "");
  prepare.group = 0, prepare.page_count = 1;
  INVALID(sinew_skinner_prepare(skinner, &prepare, &error), "info->pages is null");

  SinewPageRequirements pages[2];
  OK(sinew_skinner_page_requirements(skinner, &known, 1, NULL, &count, &error));
  MUST(count == 1);
  count = 0;
  INVALID(sinew_skinner_page_requirements(skinner, &known, 1, pages, &count, &error), "count is 0, but there are 1");
  count = 2;
  OK(sinew_skinner_page_requirements(skinner, &known, 1, pages, &count, &error));
  MUST(count == 1 && pages[0].size_bytes >= 3 * kVertices * 16 && pages[0].alignment > 0);

  prepare.page_count = 0;
  OK(sinew_skinner_prepare(skinner, &prepare, &error));
  OK(sinew_skinner_range_count(skinner, 5, &count, &error));
  MUST(count == 0);
  INVALID(sinew_skinner_range(skinner, 5, 0, &range, &error), "index 0: there are 0 ranges");
  INVALID(sinew_skinner_range(skinner, 0, 1, &range, &error), "index 1: there is 1 range");
  OK(sinew_skinner_range(skinner, 0, 0, &range, &error));
  MUST(range.instance_count == 3 && range.palette_count == 3 * range.palette_stride && range.palettes != NULL);
  MUST(range.palette_size == kJoints);
  INVALID(sinew_skinner_check_palettes(skinner, &error), "palettes are not written: group 0, batch 0");
  INVALID(sinew_skinner_discard_frame(skinner, &error), "frame 1 is not recorded");
  INVALID(sinew_skinner_reserve(skinner, 1, &known, 1, &error), "reserve: group 1 of 1");
  INVALID(sinew_skinner_reserve(skinner, 0, NULL, 1, &error), "batches is null");
  INVALID(sinew_skinner_reserve(skinner, 0, &unknown, 1, &error), "reserve: batch 0 names no mesh");
  OK(sinew_skinner_reserve(skinner, 0, &known, 1, &error));
  uint64_t changes = 0;
  INVALID(sinew_skinner_buffer_changes(skinner, NULL, &error), "out is null");
  OK(sinew_skinner_buffer_changes(skinner, &changes, &error));
  MUST(changes == 1);
  check_draws_of_range(&range);
  INVALID(sinew_skinner_record(skinner, VK_NULL_HANDLE, NULL, &error), "cmd is null");
  SinewRecordInfo record = SINEW_INIT(SinewRecordInfo);
  record.size = 4;
  INVALID(sinew_skinner_record(skinner, (VkCommandBuffer)&record, &record, &error), "info: its size is 4");
  SinewMeshBuffer buffer = SINEW_INIT(SinewMeshBuffer);
  INVALID(sinew_skinner_mesh_buffer(skinner, other, &buffer, &error), "no mesh ");
  OK(sinew_skinner_mesh_buffer(skinner, mesh, &buffer, &error));
  MUST(buffer.vertex_count == kVertices);
  SinewMemoryUsage usage = SINEW_INIT(SinewMemoryUsage);
  OK(sinew_skinner_memory_usage(skinner, &usage, &error));
  MUST(usage.mesh_bytes > 0 && usage.palette_bytes > 0 && usage.skinned_bytes > 0);
  OK(sinew_skinner_remove_mesh(skinner, other, &error));
}

void check_skinner(const Device* device) {
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  SinewSkinner* skinner = NULL;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "");
  info.instance = device->instance, info.physical_device = device->physical_device, info.device = device->device;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "get_instance_proc_addr");
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.format = 3;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "info->format is 3, but at most 2");
  info.format = 0, info.barriers = 256;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "info->barriers is 256, but at most 1");
  info.barriers = 0, info.queue_family_count = 2;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "info->queue_families is null");
  info.queue_family_count = 0, info.frames_in_flight = 17;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "");
  info.frames_in_flight = 0, info.update_groups = 257;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "");
  const uint32_t no_family = 99;
  info.update_groups = 0, info.record_family = &no_family;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "");
  MUST(skinner == NULL);
  info.record_family = NULL;
  info.debug_checks = 3;
  INVALID(sinew_skinner_create(&info, &skinner, &error), "info->debug_checks is 3, but at most 2");
  info.debug_checks = SINEW_CHECKS_ON;
  OK(sinew_skinner_create(&info, &skinner, &error));
  SinewSkinner* other = NULL;
  OK(sinew_skinner_create(&info, &other, &error));
  check_prepared_meshes(skinner, other);
  sinew_skinner_destroy(other);
  check_frames(skinner, check_meshes(skinner));
  SinewSkinnerFrame again = SINEW_INIT(SinewSkinnerFrame);
  INVALID(sinew_skinner_begin_frame(skinner, &again, &error), "");
  sinew_skinner_destroy(skinner);
  SinewVertexInput input = SINEW_INIT(SinewVertexInput);
  INVALID(sinew_vertex_input(3, 0, 0, 0, &input, &error), "format is 3");
  OK(sinew_vertex_input(SINEW_FORMAT_PACKED, 1, 0, 0, &input, &error));
  MUST(input.attribute_count == 3 && input.binding.stride == 16);
}
