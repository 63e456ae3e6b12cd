#include "collada/collada_curve.h"

#include <algorithm>
#include <cmath>

namespace sinew::internal {
namespace {

ColladaKinds kinds_of(const ColladaSource& source) {
  ColladaKinds result;
  for (const std::string_view name : source.words) {
    ColladaInterpolation kind = ColladaInterpolation::kLinear;
    if (name == "STEP") kind = ColladaInterpolation::kStep;
    if (name == "BEZIER") kind = ColladaInterpolation::kBezier;
    if (name == "HERMITE") kind = ColladaInterpolation::kHermite;
    if (kind == ColladaInterpolation::kLinear && name != "LINEAR" && result.unknown.empty()) result.unknown = name;
    result.kinds.push_back(kind);
  }
  return result;
}

/// The four control points of one component between two keys, in time and value.
struct Cubic {
  double times[4], values[4];
};

double bezier(const double (&p)[4], double s) {
  const double r = 1 - s;
  return r * r * r * p[0] + 3 * r * r * s * p[1] + 3 * r * s * s * p[2] + s * s * s * p[3];
}

/// Where the curve has a time. The control points lie between the ends: time does not go back.
double parameter_at(const double (&times)[4], double time) {
  const double size = times[3] - times[0], share = (time - times[0]) / size;
  const double x1 = (times[1] - times[0]) / size, x2 = (times[2] - times[0]) / size;
  const bool is_even = std::abs(x1 - 1.0 / 3) < 1e-9 && std::abs(x2 - 2.0 / 3) < 1e-9;
  return is_even ? share : cubic_parameter(x1, x2, share);
}

struct Tangent {
  double time = 0, value = 0;
};

/// A tangent of one component. Tangents of one number a component have no time, and get `time`. Those of one number
/// more have one time for all components.
Tangent tangent_of(const ColladaSource& source, size_t key, size_t component, size_t width, double time) {
  const double* row = &source.numbers[key * source.width];
  if (source.width == 2 * width) return {row[2 * component], row[2 * component + 1]};
  if (source.width == width + 1) return {row[0], row[component + 1]};
  return {time, row[component]};
}

Cubic control_points(const ColladaCurve& curve, size_t key, size_t component) {
  const bool is_hermite = curve.interpolation(key) == ColladaInterpolation::kHermite;
  const double from = curve.time(key), to = curve.time(key + 1), size = to - from;
  const double first = curve.value(key, component), last = curve.value(key + 1, component);
  const double out_time = is_hermite ? size : from + size / 3, in_time = is_hermite ? size : to - size / 3;
  Tangent out = tangent_of(*curve.out_tangents, key, component, curve.width(), out_time);
  Tangent in = tangent_of(*curve.in_tangents, key + 1, component, curve.width(), in_time);
  if (is_hermite) {
    out = {from + out.time / 3, first + out.value / 3};
    in = {to - in.time / 3, last - in.value / 3};
  }
  return {{from, std::clamp(out.time, from, to), std::clamp(in.time, from, to), to},
          {first, out.value, in.value, last}};
}

}  // namespace

ColladaInterpolation ColladaCurve::interpolation(size_t key) const {
  const auto& kinds = interpolations->kinds;
  const ColladaInterpolation kind = key < kinds.size() ? kinds[key] : ColladaInterpolation::kLinear;
  const bool is_curved = kind == ColladaInterpolation::kBezier || kind == ColladaInterpolation::kHermite;
  const auto fits = [&](const ColladaSource& tangents) {
    const size_t n = tangents.width;
    return tangents.row_count() >= key_count() && (n == width() || n == width() + 1 || n == 2 * width());
  };
  return is_curved && !(fits(*in_tangents) && fits(*out_tangents)) ? ColladaInterpolation::kLinear : kind;
}

ptrdiff_t ColladaCurve::key_before(double time, Side side) const {
  const auto& all = times->numbers;
  const auto after = side == Side::kBefore ? std::lower_bound(all.begin(), all.end(), time)
                                           : std::upper_bound(all.begin(), all.end(), time);
  return after - all.begin() - 1;
}

double ColladaCurve::at(size_t component, double time, Side side) const {
  const ptrdiff_t before = key_before(time, side);
  if (before < 0) return value(0, component);
  const size_t key = size_t(before);
  const double first = value(key, component);
  if (key + 1 == key_count()) return first;
  const double from = this->time(key), to = this->time(key + 1);
  switch (interpolation(key)) {
    case ColladaInterpolation::kStep:
      return first;
    case ColladaInterpolation::kLinear:
      return first + (value(key + 1, component) - first) * ((time - from) / (to - from));
    case ColladaInterpolation::kBezier:
    case ColladaInterpolation::kHermite:
      break;
  }
  if (time <= from) return first;
  if (time >= to) return value(key + 1, component);
  const Cubic cubic = control_points(*this, key, component);
  return bezier(cubic.values, parameter_at(cubic.times, time));
}

double ColladaCurve::variation(size_t component, double begin, double end) const {
  const ptrdiff_t before = key_before(begin, Side::kAt);
  const bool is_curved =
      before >= 0 && size_t(before) + 1 < key_count() && interpolation(size_t(before)) >= ColladaInterpolation::kBezier;
  if (!is_curved) return std::abs(at(component, end, Side::kBefore) - at(component, begin, Side::kAt));
  const Cubic cubic = control_points(*this, size_t(before), component);
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += std::abs(cubic.values[i + 1] - cubic.values[i]);
  return sum;
}

std::string ColladaCurve::fault() const {
  if (key_count() == 0) return "no keys";
  if (times->width != 1) return "times of several numbers";
  if (values->row_count() != key_count()) return "another number of values than of times";
  if (!times->ascends) return "times that do not ascend";
  if (!times->is_finite || !values->is_finite) return "numbers that are not finite";
  if (!in_tangents->is_finite || !out_tangents->is_finite) return "tangents that are not finite";
  return "";
}

ColladaCurve ColladaCurveReader::read(pugi::xml_node sampler) {
  const auto names = sources_.input(sampler, "INTERPOLATION");
  auto& kinds = kinds_[names.get()];
  if (kinds == nullptr) kinds = std::make_shared<const ColladaKinds>(kinds_of(*names));
  return {sources_.input(sampler, "INPUT"), sources_.input(sampler, "OUTPUT"), sources_.input(sampler, "IN_TANGENT"),
          sources_.input(sampler, "OUT_TANGENT"), kinds};
}

}  // namespace sinew::internal
