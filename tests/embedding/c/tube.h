// A mesh of the host's own, not from a file: a tube of four joints that bends.
#ifndef TUBE_H
#define TUBE_H

#include "sinew/c/asset.h"

enum { kJoints = 4, kRings = 13, kSides = 8, kVertices = kRings * kSides, kIndices = (kRings - 1) * kSides * 6 };

typedef struct Tube {
  float positions[kVertices][3], normals[kVertices][3];
  uint32_t indices[kIndices];
  uint32_t first_influence[kVertices + 1];
  SinewInfluence influences[kVertices * 2];
} Tube;

/// Fills `tube`; the mesh points into it.
SinewMesh make_tube(Tube* tube);

/// The palette of a tube that bends by `angle` at each joint.
void bend_tube(float angle, SinewMatrix3x4* palette);

#endif
