// Random meshes and palettes from a seed. Normals, numbers of influences and joints differ from vertex to vertex.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {

/// The same numbers from a seed everywhere.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  float between(float low, float high) { return low + (high - low) * float(engine_() / 4294967296.0); }
  uint32_t below(uint32_t count) { return uint32_t(uint64_t{engine_()} * count >> 32); }
  bool one_of(uint32_t count) { return below(count) == 0; }  // with a chance of one in `count`
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(uint32_t(values.size()))];
  }
  Vec3 direction();

 private:
  std::mt19937 engine_;
};

struct RigShape {
  uint32_t vertices = 100, joints = 8;
  uint32_t min_influences = 1, max_influences = 4;
  uint32_t seed = 1;
  uint32_t targets = 0;  // morph targets; they leave the first and the last vertex where they are
};

/// A mesh within a cube of 2 units, with tangents of both signs, valid for a palette of `shape.joints` entries. Weights
/// are multiples of 1/65,535, so that the GPU has exactly the same ones.
Mesh make_mesh(const RigShape& shape);

/// One weight for each morph target: most are 0, the others between -0.3 and 1.2.
std::vector<float> make_weights(uint32_t targets, uint32_t seed);

/// kRigid: a scale of each joint, equal in all directions. kMirrored: non-uniform as well.
enum class RigScaling { kNone, kRigid, kNonUniform, kMirrored };

/// One matrix for each joint: rotations, translations and scales differ. They are limited so that blended matrices
/// never cancel.
std::vector<Matrix3x4> make_palette(uint32_t joints, uint32_t seed, RigScaling scaling);

}  // namespace sinew::test
