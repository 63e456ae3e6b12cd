// The kernel for machines without vectors: one lane, plain loops, the same arithmetic.
#include "baked_sample.h"
#include "crowd_kernel.h"

namespace sinew {
namespace {

constexpr size_t kStateRows = 16;  // as the vector kernels have them; here only the matrix is used

float number(const KernelLane& lane, uint32_t frame_stride, const KernelStep& step, size_t index, size_t c) {
  const int16_t value = between(lane.frame[index + c], lane.frame[index + c + frame_stride], lane.share);
  return float(value * 65536) * step.scale[c] + step.centre[c];
}

/// The blend of all layers: sums, then divided by the weights' own.
Movement blended(const KernelBatch& batch, const KernelStep& step, size_t i, bool scales) {
  const size_t records = scales ? 2 : 1, index = i * records * kBakedComponents;
  double sum[14] = {}, weights = 0;
  for (uint32_t l = 0; l < batch.layer_count; ++l) {
    const KernelLane& lane = batch.lanes[l][0];
    float n[14] = {};
    for (size_t c = 0; c < records * kBakedComponents && c < 14; ++c)
      n[c] = number(lane, batch.frame_stride, step, index, c);
    const double weight =
        batch.layer_count == 1 ? 1 : lane.weight * (lane.mask == nullptr ? 1.0f : lane.mask[i]) + (l == 0 ? 1e-20 : 0);
    const double side = sum[0] * n[0] + sum[1] * n[1] + sum[2] * n[2] + sum[3] * n[3] < 0 ? -1 : 1;
    for (size_t c = 0; c < 14; ++c) sum[c] += weight * n[c] * (c < 4 ? side : 1);
    weights += weight;
  }
  Movement movement = {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1, 0, 0, 0}};
  for (size_t c = 0; c < 4; ++c) movement.rotation[c] = sum[c] / weights;
  for (size_t c = 0; c < 3; ++c) movement.place[c] = sum[4 + c] / weights;
  for (size_t c = 0; scales && c < 6; ++c) movement.stretch[c] = sum[8 + c] / weights;
  return movement;
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
    const Movement movement = blended(batch, step, i, program.scales);
    const Vec3 origin{step.origin[0], step.origin[1], step.origin[2]};
    const Matrix3x4d skinning = load(state + step.parent_slot * kStateRows) * put_together(movement, origin);
    store(skinning, state + step.slot * kStateRows);
    if (step.has_entry) store(skinning, palette + 12 * entry++);
  }
  for (; entry % 4 != 0; ++entry) store({{{scale, 0, 0, 0}, {0, scale, 0, 0}, {0, 0, scale, 0}}}, palette + 12 * entry);
}

}  // namespace sinew
