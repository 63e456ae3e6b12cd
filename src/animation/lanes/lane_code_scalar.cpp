// The lane code for machines without vectors: one lane, plain loops, the same arithmetic.
#include <algorithm>
#include <cmath>

#include "baked_sample.h"
#include "lanes/lane_code.h"

namespace sinew {
namespace {

double dot(const double (&a)[4], const double (&b)[4]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

constexpr size_t kStateRows = 16;  // as the vector all have them; here only the matrix is used

/// One layer's delta of node `i`, as it is stored.
JointDelta read(const LaneProgram& program, const LaneSet& set, const Lane& lane, const NodeQuantization& range,
                size_t i) {
  const size_t index = i * (program.scales ? 2 : 1) * kChannelsPerBlock;
  const auto number = [&](size_t c) {
    const int16_t value = between(lane.frame[index + c], lane.frame[index + c + set.frame_stride], lane.share);
    return double(float(value * 65536) * range.scale[c] + range.center[c]);
  };
  JointDelta delta;
  for (size_t c = 0; c < 4; ++c) delta.rotation[c] = number(c);
  // What lies between two frames is shorter than they are, and would count for less in a blend.
  const double length = std::sqrt(dot(delta.rotation, delta.rotation));
  for (double& v : delta.rotation) v /= length > 0 ? length : 1;
  for (size_t c = 0; c < 3; ++c) delta.translation[c] = number(4 + c);
  for (size_t c = 0; program.scales && c < 6; ++c) delta.scale[c] = number(kChannelsPerBlock + c);
  return delta;
}

double weight_of(const Lane& lane, size_t i) {
  return double(lane.weight) * double(lane.mask == nullptr ? 1.0f : lane.mask[i]);
}

/// sum = sum * (1 - share) + other * share, in one sign of the rotation.
void mix(const JointDelta& other, double share, double side, JointDelta& sum) {
  const auto towards = [&](double& a, double b) { a += (b - a) * share; };
  for (size_t c = 0; c < 4; ++c) towards(sum.rotation[c], side < 0 ? -other.rotation[c] : other.rotation[c]);
  for (size_t c = 0; c < 3; ++c) towards(sum.translation[c], other.translation[c]);
  for (size_t c = 0; c < 6; ++c) towards(sum.scale[c], other.scale[c]);
}

/// The mean of the blended layers, then what the others add.
JointDelta blended(const LaneProgram& program, const LaneSet& set, size_t i) {
  const NodeQuantization& range = program.nodes[i].range;
  JointDelta sum = read(program, set, set.lanes[0][0], range, i), first = sum;
  double weights = weight_of(set.lanes[0][0], i);
  for (uint32_t l = 1; l < set.layer_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const double weight = weight_of(lane, i);
    if (!(weight > 0)) continue;
    const JointDelta next = read(program, set, lane, range, i);
    if (!(weights > 0)) first = next;
    weights += weight;
    mix(next, weight / weights, dot(first.rotation, next.rotation), sum);
  }
  for (uint32_t l = set.layer_count; l < set.layer_count + set.additive_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const JointDelta whole = read(program, set, lane, program.additive_quantizations[i], i);
    JointDelta part;  // nothing
    mix(whole, std::min(weight_of(lane, i), 1.0), whole.rotation[3], part);
    sum = add(sum, part);
  }
  if (!(dot(sum.rotation, sum.rotation) > 1e-24)) sum.rotation[3] = 1;
  return sum;
}

Matrix3x4d load(const float* state) {
  Matrix3x4d matrix;
  for (size_t i = 0; i < 12; ++i) matrix.m[i / 4][i % 4] = state[i];
  return matrix;
}

void store(const Matrix3x4d& matrix, float* out) {
  for (size_t i = 0; i < 12; ++i) out[i] = float(matrix.m[i / 4][i % 4]);
}

}  // namespace

void evaluate_scalar(const LaneProgram& program, const LaneSet& set, float* state) {
  const float scale = program.scale;
  store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, state);
  float* palette = set.palettes[0];
  size_t entry = 0;
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const ProgramNode& node = program.nodes[i];
    const JointDelta delta = blended(program, set, i);
    const Vec3 origin{node.origin[0], node.origin[1], node.origin[2]};
    const Matrix3x4d skinning = load(state + node.parent_state * kStateRows) * compose(delta, origin);
    store(skinning, state + node.state * kStateRows);
    if (node.has_entry) store(skinning, palette + 12 * entry++);
  }
  for (; entry % 4 != 0; ++entry) store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, palette + 12 * entry);
}

}  // namespace sinew
