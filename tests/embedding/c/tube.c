#include "tube.h"

#include <math.h>

static void add_influences(Tube* tube, uint32_t vertex, float y) {
  const int joint = y < kJoints - 1 ? (int)y : kJoints - 1;
  const float next = joint + 1 < kJoints ? (y - (float)joint) / 2 : 0;  // at most half
  uint32_t at = tube->first_influence[vertex];
  tube->influences[at++] = (SinewInfluence){(uint16_t)joint, 1 - next};
  if (next > 0) tube->influences[at++] = (SinewInfluence){(uint16_t)(joint + 1), next};
  tube->first_influence[vertex + 1] = at;
}

SinewMesh make_tube(Tube* tube) {
  uint32_t indices = 0;
  tube->first_influence[0] = 0;
  for (uint32_t v = 0; v < kVertices; ++v) {
    const uint32_t ring = v / kSides, side = v % kSides, next = ring * kSides + (side + 1) % kSides;
    const float angle = 6.2831853f * (float)side / kSides, y = 4 * (float)ring / (kRings - 1);
    const float normal[3] = {cosf(angle), 0, sinf(angle)};
    for (int i = 0; i < 3; ++i) {
      tube->normals[v][i] = normal[i];
      tube->positions[v][i] = 0.4f * normal[i];
    }
    tube->positions[v][1] = y;
    add_influences(tube, v, y);
    if (ring + 1 == kRings) continue;
    const uint32_t corners[6] = {v, next, v + kSides, next, next + kSides, v + kSides};
    for (int i = 0; i < 6; ++i) tube->indices[indices++] = corners[i];
  }
  SinewMesh mesh = SINEW_INIT(SinewMesh);
  mesh.vertex_count = kVertices, mesh.index_count = kIndices;
  mesh.influence_count = tube->first_influence[kVertices];
  mesh.positions = tube->positions[0], mesh.normals = tube->normals[0];
  mesh.indices = tube->indices;
  mesh.first_influence = tube->first_influence, mesh.influences = tube->influences;
  return mesh;
}

static SinewMatrix3x4 multiplied(const SinewMatrix3x4* a, const SinewMatrix3x4* b) {
  SinewMatrix3x4 product;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      product.m[row][column] = column == 3 ? a->m[row][3] : 0;
      for (int i = 0; i < 3; ++i) product.m[row][column] += a->m[row][i] * b->m[i][column];
    }
  }
  return product;
}

void bend_tube(float angle, SinewMatrix3x4* palette) {
  const float c = cosf(angle), s = sinf(angle);
  const SinewMatrix3x4 turned = {{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
  const SinewMatrix3x4 up = {{{1, 0, 0, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}}};
  SinewMatrix3x4 joint = turned;
  for (int j = 0; j < kJoints; ++j) {
    const SinewMatrix3x4 joint_from_mesh = {{{1, 0, 0, 0}, {0, 1, 0, -(float)j}, {0, 0, 1, 0}}};
    palette[j] = multiplied(&joint, &joint_from_mesh);
    const SinewMatrix3x4 next = multiplied(&joint, &up);
    joint = multiplied(&next, &turned);
  }
}
