#include "collada/collada_motion.h"

#include <algorithm>
#include <cmath>

#include "linear_keys.h"

namespace sinew::internal {
namespace {

constexpr uint64_t kCurvedCost = 64;  // of a number between keys of a Bézier curve, which is searched for

std::array<double, 16> row_of(const ColladaCurve& curve, size_t key) {
  std::array<double, 16> row{};
  for (size_t i = 0; i < row.size(); ++i) row[i] = curve.value(key, i);
  return row;
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
      step.matrix.keys.push_back(to_transform(matrix_of(ColladaPlacement::kMatrix, row_of(*step.matrix.curve, key))));
    }
  }
  cost_ += steps_.size();
}

/// Between two keys rotations take the shorter way, translation and scale go straight.
Transform ColladaMotion::MatrixKeys::at(double time, double inside) const {
  const ptrdiff_t before = curve->key_before(inside);
  if (before < 0) return keys.front();
  const size_t key = size_t(before);
  const Transform& a = keys[key];
  if (key + 1 == keys.size() || curve->interpolation(key) == ColladaInterpolation::kStep) return a;
  const double from = curve->time(key), to = curve->time(key + 1);
  if (time <= from) return a;
  if (time >= to) return keys[key + 1];
  const float share = float((time - from) / (to - from));
  const Transform& b = keys[key + 1];
  return {mix(a.translation, b.translation, share), mix(a.rotation, b.rotation, share), mix(a.scale, b.scale, share)};
}

Matrix3x4d ColladaMotion::Step::at(double time, double inside) const {
  if (transform == nullptr) return fixed;
  if (matrix.curve != nullptr) return to_matrix(matrix.at(time, inside));
  std::array<double, 16> numbers = transform->numbers;
  for (const ColladaChannel* channel : channels) {
    for (uint32_t i = 0; i < channel->count; ++i) numbers[channel->first + i] = channel->curve.at(i, time, inside);
  }
  return matrix_of(transform->kind, numbers);
}

Transform ColladaMotion::at(double time, double inside) const {
  if (steps_.size() == 1 && steps_.front().matrix.curve != nullptr) return steps_.front().matrix.at(time, inside);
  Matrix3x4d parent_from_node;
  for (const Step& step : steps_) parent_from_node = parent_from_node * step.at(time, inside);
  return to_transform(parent_from_node);
}

}  // namespace sinew::internal
