// The scalar lane code, for machines without vectors: one lane, plain loops, the same steps in double precision.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "baked_sample.h"
#include "double_quaternion.h"
#include "lanes/lane_code.h"
#include "sinew/asset/compact_matrix.h"

namespace sinew::internal {
namespace {

constexpr size_t kStateRows = 16;  // as in the vector lane code; only the matrix is used here

/// The delta of node `i` in one layer.
JointDelta read(const LaneProgram& program, const LaneSet& set, const Lane& lane, const NodeQuantization& quantization,
                size_t i) {
  const size_t index = i * (program.scales ? 2 : 1) * kChannelsPerBlock;
  const auto channel_value = [&](size_t c) {
    const int16_t value = between(lane.frame[index + c], lane.frame[index + c + set.frame_stride], lane.share);
    return double(float(value * 65536) * quantization.scale[c] + quantization.center[c]);
  };
  JointDelta delta;
  for (size_t c = 0; c < 4; ++c) delta.rotation[c] = channel_value(c);
  // A quaternion between two frames is shorter than 1, and would count for less in a blend.
  const double length = std::sqrt(dot(delta.rotation, delta.rotation));
  for (double& v : delta.rotation) v /= length > 0 ? length : 1;
  for (size_t c = 0; c < 3; ++c) delta.translation[c] = channel_value(4 + c);
  for (size_t c = 0; program.scales && c < 6; ++c) delta.scale[c] = channel_value(kChannelsPerBlock + c);
  return delta;
}

double weight_of(const Lane& lane, size_t i) {
  return double(lane.weight) * double(lane.mask == nullptr ? 1.0f : lane.mask[i]);
}

/// sum = sum * (1 - share) + other * share. With a negative `cosine`, the other quaternion changes its sign.
void mix(const JointDelta& other, double share, double cosine, JointDelta& sum) {
  const auto towards = [&](double& a, double b) { a += (b - a) * share; };
  for (size_t c = 0; c < 4; ++c) towards(sum.rotation[c], cosine < 0 ? -other.rotation[c] : other.rotation[c]);
  for (size_t c = 0; c < 3; ++c) towards(sum.translation[c], other.translation[c]);
  for (size_t c = 0; c < 6; ++c) towards(sum.scale[c], other.scale[c]);
}

/// The delta of node `i`: the mean of the blended layers, then the additive layers in order.
JointDelta blended(const LaneProgram& program, const LaneSet& set, size_t i) {
  const NodeQuantization& quantization = program.nodes[i].range;
  JointDelta sum = read(program, set, set.lanes[0][0], quantization, i), first = sum;
  double weights = weight_of(set.lanes[0][0], i);
  for (uint32_t l = 1; l < set.layer_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const double weight = weight_of(lane, i);
    if (!(weight > 0)) continue;
    const JointDelta next = read(program, set, lane, quantization, i);
    if (!(weights > 0)) first = next;
    weights += weight;
    mix(next, weight / weights, dot(first.rotation, next.rotation), sum);
  }
  for (uint32_t l = set.layer_count; l < set.layer_count + set.additive_count; ++l) {
    const Lane& lane = set.lanes[l][0];
    const JointDelta addition = read(program, set, lane, program.additive_quantizations[i], i);
    JointDelta partial;  // the identity
    mix(addition, std::min(weight_of(lane, i), 1.0), addition.rotation[3], partial);
    sum = add(sum, partial);
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

/// Entry `entry` of a palette.
void store_entry(const LaneSet& set, const Matrix3x4d& matrix, float scale, size_t entry) {
  if (!set.compact) return store(matrix, set.palettes[0] + 12 * entry);
  const CompactMatrix packed = compact(matrix_cast<float>(matrix), scale);
  std::memcpy(set.palettes[0] + 4 * entry, &packed, sizeof packed);
}

}  // namespace

void evaluate_scalar(const LaneProgram& program, const LaneSet& set, float* state) {
  const float scale = program.scale;
  store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, state);
  size_t entry = 0;
  for (size_t i = 0; i < program.nodes.size(); ++i) {
    const ProgramNode& node = program.nodes[i];
    const JointDelta delta = blended(program, set, i);
    const Vec3 origin{node.origin[0], node.origin[1], node.origin[2]};
    const Matrix3x4d skinning = load(state + node.parent_state * kStateRows) * compose(delta, origin);
    store(skinning, state + node.state * kStateRows);
    if (node.has_entry) store_entry(set, skinning, scale, entry++);
    if (node.socket_state >= 0 && set.socket_states != nullptr)
      store(skinning, set.socket_states + 12 * node.socket_state);
  }
  const Matrix3x4d model_space = {{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}};
  for (; entry % 4 != 0; ++entry) store_entry(set, model_space, scale, entry);
}

}  // namespace sinew::internal
