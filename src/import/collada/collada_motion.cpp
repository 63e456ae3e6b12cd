#include "collada/collada_motion.h"

#include <algorithm>
#include <cmath>

#include "asset/polar.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kCurvedCost = 64;  // of a number between keys of a Bézier curve, which is searched for

std::array<double, 16> row_of(const ColladaCurve& curve, size_t key) {
  std::array<double, 16> row{};
  for (size_t i = 0; i < row.size(); ++i) row[i] = curve.value(key, i);
  return row;
}

Double3 mix(const Double3& a, const Double3& b, double share) {
  return {a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share};
}

Double3 column(const Matrix3x4d& matrix, int index) {
  return {matrix.m[0][index], matrix.m[1][index], matrix.m[2][index]};
}

/// The rotation whose first two columns are `x` and `y`.
Matrix3x4d with_axes(const Double3& x, const Double3& y) {
  return {{{x[0], y[0], x[1] * y[2] - x[2] * y[1], 0},
           {x[1], y[1], x[2] * y[0] - x[0] * y[2], 0},
           {x[2], y[2], x[0] * y[1] - x[1] * y[0], 0}}};
}

/// Like to_transform(), but not rounded to float: rounding would look like jumps of the curves.
DoubleTransform decompose(const Matrix3x4d& matrix) {
  const Transform rounded = to_transform(matrix);
  const Double3 x = column(matrix, 0), y = column(matrix, 1), z = column(matrix, 2);
  const double sign = determinant(matrix) < 0 ? -1 : 1, size = std::sqrt(dot(x, x));
  Matrix3x4d turn = to_matrix(Transform{{}, rounded.rotation, {1, 1, 1}});
  if (size > 0) {
    const Double3 unit_x = x * Double3{sign / size, sign / size, sign / size};
    const double along = dot(unit_x, y);
    const Double3 rest = y - unit_x * Double3{along, along, along};
    const double width = std::sqrt(dot(rest, rest));
    if (width > 0) turn = with_axes(unit_x, rest * Double3{1 / width, 1 / width, 1 / width});
  }
  double q[4];
  quaternion_of(turn, q);
  return {column(matrix, 3),
          {q[0], q[1], q[2], q[3]},
          {dot(column(turn, 0), x), dot(column(turn, 1), y), dot(column(turn, 2), z)}};
}

bool is_whole_matrix(const ColladaChannel& channel) { return channel.count == 16; }

}  // namespace

Matrix3x4d rest_of(const ColladaElement& element) {
  Matrix3x4d rest;
  for (const ColladaTransform& transform : element.transforms)
    rest = rest * matrix_of(transform.kind, transform.numbers);
  return rest;
}

ColladaMotion::ColladaMotion(const ColladaElement& element, const std::vector<const ColladaChannel*>& channels) {
  std::vector<std::vector<const ColladaChannel*>> by_transform(element.transforms.size());
  for (const ColladaChannel* channel : channels) {
    auto& all = by_transform[channel->transform];
    if (is_whole_matrix(*channel)) all.clear();
    all.push_back(channel);
  }
  for (size_t i = 0; i < by_transform.size(); ++i) {
    const ColladaTransform& transform = element.transforms[i];
    if (by_transform[i].empty()) {  // one step for several that stand still
      if (steps_.empty() || steps_.back().transform != nullptr) steps_.emplace_back();
      steps_.back().fixed = steps_.back().fixed * matrix_of(transform.kind, transform.numbers);
      continue;
    }
    Step& step = steps_.emplace_back();
    step.transform = &transform;
    step.channels = by_transform[i];
    cost_ += 2;
    for (const ColladaChannel* channel : step.channels) {
      cost_ += channel->count * (channel->curve.in_tangents->width > 0 ? kCurvedCost : 1);
    }
    if (!is_whole_matrix(*step.channels.front()) || step.channels.size() > 1) continue;
    step.matrix.curve = &step.channels.front()->curve;
    for (size_t key = 0; key < step.matrix.curve->key_count(); ++key) {
      step.matrix.keys.push_back(decompose(matrix_of(ColladaPlacement::kMatrix, row_of(*step.matrix.curve, key))));
    }
  }
  cost_ += steps_.size();
}

/// Between two keys rotations take the shorter way, translation and scale go straight.
DoubleTransform ColladaMotion::MatrixKeys::at(double seconds, Side side) const {
  const ptrdiff_t before = curve->key_before(seconds, side);
  if (before < 0) return keys.front();
  const size_t key = size_t(before);
  const DoubleTransform& a = keys[key];
  if (key + 1 == keys.size() || curve->interpolation(key) == ColladaInterpolation::kStep) return a;
  const double from = curve->time(key), to = curve->time(key + 1), share = (seconds - from) / (to - from);
  if (share >= 1) return keys[key + 1];
  const DoubleTransform& b = keys[key + 1];
  return {mix(a.translation, b.translation, share), slerp(a.rotation, b.rotation, share), mix(a.scale, b.scale, share)};
}

Matrix3x4d ColladaMotion::Step::at(double seconds, Side side) const {
  if (transform == nullptr) return fixed;
  if (matrix.curve != nullptr) return to_matrix(matrix.at(seconds, side));
  std::array<double, 16> numbers = transform->numbers;
  for (const ColladaChannel* channel : channels) {
    for (uint32_t i = 0; i < channel->count; ++i) numbers[channel->first + i] = channel->curve.at(i, seconds, side);
  }
  return matrix_of(transform->kind, numbers);
}

DoubleTransform ColladaMotion::at(double seconds, Side side) const {
  if (steps_.size() == 1 && steps_.front().matrix.curve != nullptr) return steps_.front().matrix.at(seconds, side);
  Matrix3x4d parent_from_node;
  for (const Step& step : steps_) parent_from_node = parent_from_node * step.at(seconds, side);
  return decompose(parent_from_node);
}

double ColladaMotion::turned_degrees(double begin, double end) const {
  double degrees = 0;
  for (const Step& step : steps_) {
    if (step.transform == nullptr || step.transform->kind != ColladaPlacement::kRotate) continue;
    for (const ColladaChannel* channel : step.channels) {
      const bool has_angle = channel->first <= 3 && 3 < channel->first + channel->count;
      if (has_angle) degrees += channel->curve.variation(3 - channel->first, begin, end);
    }
  }
  return degrees;
}

}  // namespace sinew::internal
