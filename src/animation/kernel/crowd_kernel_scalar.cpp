// The kernel for machines without vectors: one lane, plain loops, the same arithmetic.
#include <algorithm>
#include <cmath>

#include "baked_sample.h"
#include "kernel/crowd_kernel.h"

namespace sinew {
namespace {

double dot(const double (&a)[4], const double (&b)[4]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

constexpr size_t kStateRows = 16;  // as the vector kernels have them; here only the matrix is used

/// One layer's movement of step `i`, as it is stored.
Movement read(const KernelProgram& program, const KernelBatch& batch, const KernelLane& lane, const KernelRange& range,
              size_t i) {
  const size_t index = i * (program.scales ? 2 : 1) * kBakedComponents;
  const auto number = [&](size_t c) {
    const int16_t value = between(lane.frame[index + c], lane.frame[index + c + batch.frame_stride], lane.share);
    return double(float(value * 65536) * range.scale[c] + range.centre[c]);
  };
  Movement movement;
  for (size_t c = 0; c < 4; ++c) movement.rotation[c] = number(c);
  // What lies between two frames is shorter than they are, and would count for less in a blend.
  const double length = std::sqrt(dot(movement.rotation, movement.rotation));
  for (double& v : movement.rotation) v /= length > 0 ? length : 1;
  for (size_t c = 0; c < 3; ++c) movement.place[c] = number(4 + c);
  for (size_t c = 0; program.scales && c < 6; ++c) movement.stretch[c] = number(kBakedComponents + c);
  return movement;
}

double weight_of(const KernelLane& lane, size_t i) {
  return double(lane.weight) * double(lane.mask == nullptr ? 1.0f : lane.mask[i]);
}

/// sum = sum * (1 - share) + other * share, in one sign of the rotation.
void mix(const Movement& other, double share, double side, Movement& sum) {
  const auto towards = [&](double& a, double b) { a += (b - a) * share; };
  for (size_t c = 0; c < 4; ++c) towards(sum.rotation[c], side < 0 ? -other.rotation[c] : other.rotation[c]);
  for (size_t c = 0; c < 3; ++c) towards(sum.place[c], other.place[c]);
  for (size_t c = 0; c < 6; ++c) towards(sum.stretch[c], other.stretch[c]);
}

/// The mean of the blended layers, then what the others add.
Movement blended(const KernelProgram& program, const KernelBatch& batch, size_t i) {
  const KernelRange& range = program.steps[i].range;
  Movement sum = read(program, batch, batch.lanes[0][0], range, i), first = sum;
  double weights = weight_of(batch.lanes[0][0], i);
  for (uint32_t l = 1; l < batch.layer_count; ++l) {
    const KernelLane& lane = batch.lanes[l][0];
    const double weight = weight_of(lane, i);
    if (!(weight > 0)) continue;
    const Movement next = read(program, batch, lane, range, i);
    if (!(weights > 0)) first = next;
    weights += weight;
    mix(next, weight / weights, dot(first.rotation, next.rotation), sum);
  }
  for (uint32_t l = batch.layer_count; l < batch.layer_count + batch.additive_count; ++l) {
    const KernelLane& lane = batch.lanes[l][0];
    const Movement whole = read(program, batch, lane, program.additive_ranges[i], i);
    Movement part;  // nothing
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

void evaluate_scalar(const KernelProgram& program, const KernelBatch& batch, float* state) {
  const float scale = program.scale;
  store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, state);
  float* palette = batch.palettes[0];
  size_t entry = 0;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const KernelStep& step = program.steps[i];
    const Movement movement = blended(program, batch, i);
    const Vec3 origin{step.origin[0], step.origin[1], step.origin[2]};
    const Matrix3x4d skinning = load(state + step.parent_slot * kStateRows) * put_together(movement, origin);
    store(skinning, state + step.slot * kStateRows);
    if (step.has_entry) store(skinning, palette + 12 * entry++);
  }
  for (; entry % 4 != 0; ++entry) store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, palette + 12 * entry);
}

}  // namespace sinew
