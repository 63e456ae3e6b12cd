// Acceleration structures over skinned vertices through the C interface: the posed meshes of a crowd on a device, the
// steps of their structures, and the checks of those in the rest pose, late ones, and those of another instance.
// Buffers have made-up addresses: nothing is traced.

#include "harness.h"

enum { kPeople = 3, kMaxRefits = 2 };
static const VkDeviceAddress kBuffer = 0x10000, kIndices = 0x90000;

/// Three people in a row.
static void update_row(SinewSkinnedCrowd* crowd, uint64_t number) {
  const uint32_t models[kPeople] = {0};
  SinewMatrix3x4 places[kPeople] = {{{{0}}}};
  SinewPlayback playbacks[kPeople] = {{{{0}}}};
  for (int i = 0; i < kPeople; ++i) {
    for (int row = 0; row < 3; ++row) places[i].m[row][row] = 1;
    places[i].m[2][3] = (float)-i;
  }
  SinewInstances people = SINEW_INIT(SinewInstances);
  people.count = kPeople, people.models = models;
  people.world_from_model = places, people.playbacks = playbacks;
  update(crowd, number, &people);
}

static void check_posed_meshes(SinewSkinnedCrowd* crowd, SinewPosedVertices* vertices) {
  uint32_t count = 9, mesh = 9;
  OK(sinew_skinned_crowd_posed_mesh_count(crowd, &count, &error));
  MUST(count == 0);
  update_row(crowd, 1);
  OK(sinew_skinned_crowd_posed_mesh_count(crowd, &count, &error));
  MUST(count >= 1 && count <= kPeople);
  uint32_t drawn = 0;
  for (uint32_t i = 0; i < count; ++i) {
    SinewPlacedMesh placed = SINEW_INIT(SinewPlacedMesh);
    OK(sinew_skinned_crowd_posed_mesh(crowd, i, &placed, &error));
    MUST(placed.model == 0 && placed.buffer != VK_NULL_HANDLE && placed.wearable == UINT32_MAX);
    drawn += placed.instance_count;
  }
  MUST(drawn == kPeople);
  for (uint32_t i = 0; i < kPeople; ++i) {
    OK(sinew_skinned_crowd_posed_mesh_of(crowd, i, &mesh, &error));
    MUST(mesh < count);
  }
  OK(sinew_skinned_crowd_posed_mesh_of(crowd, kPeople, &mesh, &error));
  MUST(mesh == UINT32_MAX);
  OK(sinew_skinned_crowd_posed_vertices(crowd, 0, kBuffer, vertices, &error));
  MUST(vertices->mesh != 0 && vertices->vertex_count > 100 && vertices->vertex_bytes == 16);
  MUST(vertices->skinned_frame == 1 && vertices->address >= kBuffer);
  SinewPlacedMesh placed = SINEW_INIT(SinewPlacedMesh);
  REFUSED(sinew_skinned_crowd_posed_mesh(crowd, count, &placed, &error), "no such posed mesh");
  REFUSED(sinew_skinned_crowd_posed_vertices(crowd, count, kBuffer, vertices, &error), "no such posed mesh");
  REFUSED(sinew_skinned_crowd_posed_vertices(crowd, 0, 0, vertices, &error), "buffer has no such vertices");
}

static void check_range(void) {
  SinewRange range = SINEW_INIT(SinewRange);
  range.mesh = 4, range.skinned_frame = 9, range.instance_count = 2, range.vertex_count = 10, range.vertex_bytes = 24;
  range.vertices_offset = 64;
  SinewPosedVertices vertices = {0};
  REFUSED(sinew_posed_vertices(&range, 1, kBuffer, &vertices, &error), "no such vertices");  // no buffer
  memset(&range.vertices, 1, sizeof range.vertices);
  OK(sinew_posed_vertices(&range, 1, kBuffer, &vertices, &error));
  MUST(vertices.mesh == 4 && vertices.skinned_frame == 9 && vertices.address == kBuffer + 64 + 240);
  REFUSED(sinew_posed_vertices(&range, 2, kBuffer, &vertices, &error), "no such vertices");
}

static void check_geometry(const SinewPosedVertices* vertices) {
  SinewStructureTriangles triangles = SINEW_INIT(SinewStructureTriangles);
  triangles.indices = kIndices, triangles.first_index = 6, triangles.index_count = 30;
  triangles.alpha_mode = SINEW_ALPHA_MASK;
  SinewStructureGeometry made = SINEW_INIT(SinewStructureGeometry);
  OK(sinew_structure_geometry(vertices, SINEW_FORMAT_OCTAHEDRAL, &triangles, &made, &error));
  MUST(made.geometry.geometry.triangles.vertexData.deviceAddress == vertices->address && made.geometry.flags == 0);
  MUST(made.triangles.primitiveCount == 10 && made.triangles.primitiveOffset == 24);
  MUST(sinew_structure_geometry(vertices, SINEW_FORMAT_PACKED, &triangles, &made, &error) == SINEW_UNSUPPORTED);
  REFUSED(sinew_structure_geometry(vertices, SINEW_FORMAT_FLOAT, &triangles, &made, &error), "has not the format");
  REFUSED(sinew_structure_geometry(vertices, 3, &triangles, &made, &error), "format is 3");
  triangles.alpha_mode = 3;
  REFUSED(sinew_structure_geometry(vertices, SINEW_FORMAT_OCTAHEDRAL, &triangles, &made, &error), "alpha_mode is 3");
  triangles.alpha_mode = SINEW_ALPHA_OPAQUE, triangles.index_count = 0;
  REFUSED(sinew_structure_geometry(vertices, SINEW_FORMAT_OCTAHEDRAL, &triangles, &made, &error), "no triangles");
}

static void check_steps(const SinewPosedVertices* vertices) {
  SinewStructureState state = {.refits = 1};
  SinewPosedVertices now = *vertices;
  uint32_t step = 9;
  REFUSED(sinew_structure_check(&state, &now, &error), "was not built from skinned vertices");
  OK(sinew_structure_next_step(&state, &now, kMaxRefits, &step, &error));
  MUST(step == SINEW_STRUCTURE_BUILD);
  OK(sinew_structure_note_step(&state, &now, step, 1, &error));
  MUST(state.is_built == 1 && state.refits == 1 && state.written_frame == 1);
  OK(sinew_structure_check(&state, &now, &error));
  OK(sinew_structure_next_step(&state, &now, kMaxRefits, &step, &error));
  MUST(step == SINEW_STRUCTURE_KEEP);
  now.skinned_frame = 2;
  REFUSED(sinew_structure_check(&state, &now, &error), "is late");
  OK(sinew_structure_next_step(&state, &now, kMaxRefits, &step, &error));
  MUST(step == SINEW_STRUCTURE_REFIT);
  OK(sinew_structure_note_step(&state, &now, step, 2, &error));
  MUST(state.refits == 2);
  now.address += 160;
  REFUSED(sinew_structure_check(&state, &now, &error), "pose of another instance");
  OK(sinew_structure_next_step(&state, &now, kMaxRefits, &step, &error));
  MUST(step == SINEW_STRUCTURE_BUILD);
  OK(sinew_structure_discard_step(&state, 2, &error));
  MUST(state.is_built == 0);
  REFUSED(sinew_structure_note_step(&state, &now, 3, 2, &error), "step is 3");
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SinewModel* model = NULL;
  OK(sinew_model_load(argv[1], NULL, &model, &error));
  if (model == NULL) return 1;
  Device device = make_device();
  SinewSkinnedCrowd* crowd = make_crowd(&device, model);
  SinewPosedVertices vertices = {0};
  check_posed_meshes(crowd, &vertices);
  OK(sinew_skinned_crowd_posed_vertices(crowd, 0, kBuffer, &vertices, &error));
  check_range();
  check_geometry(&vertices);
  check_steps(&vertices);
  sinew_skinned_crowd_destroy(crowd);
  sinew_model_destroy(model);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
