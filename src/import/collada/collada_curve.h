// The curves of a COLLADA animation: keys of one or more numbers, interpolated each by itself. Source: COLLADA 1.4.1
// specification, "Curve Interpolation" in chapter 4.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "collada/collada_source.h"
#include "curve_fit.h"

namespace sinew::internal {

enum class ColladaInterpolation : uint8_t { kLinear, kStep, kBezier, kHermite };

/// How a curve goes on after each key.
struct ColladaKinds {
  std::vector<ColladaInterpolation> kinds;  // of each key; LINEAR beyond
  std::string unknown;                      // the first name that is no interpolation read here; it is linear
};

struct ColladaCurve {
  std::shared_ptr<const ColladaSource> times, values, in_tangents, out_tangents;  // never null
  std::shared_ptr<const ColladaKinds> interpolations;                             // never null

  size_t key_count() const { return times->row_count(); }
  size_t width() const { return values->width; }
  /// In seconds, as all times here.
  double time(size_t key) const { return times->numbers[key]; }
  double value(size_t key, size_t component) const { return values->numbers[key * values->width + component]; }

  /// How the curve goes on after a key. Bézier and Hermite curves without tangents are linear.
  ColladaInterpolation interpolation(size_t key) const;

  /// The last key that counts at `time`, looked at from a side; -1 before the first.
  ptrdiff_t key_before(double time, Side side) const;

  /// One component at `time`. The curve stands still before its first and after its last key. A step is made at its
  /// key.
  double at(size_t component, double time, Side side) const;

  /// An upper bound of how far a component goes between two times that have no key between them.
  double variation(size_t component, double begin, double end) const;

  /// Why the curve cannot be used; empty if it can.
  std::string fault() const;
};

/// Reads the curves of samplers.
class ColladaCurveReader {
 public:
  explicit ColladaCurveReader(ColladaSources& sources) : sources_(sources) {}

  /// The curve of a <sampler>. What is missing is empty.
  ColladaCurve read(pugi::xml_node sampler);

 private:
  ColladaSources& sources_;
  std::unordered_map<const ColladaSource*, std::shared_ptr<const ColladaKinds>> kinds_;  // read once for each source
};

}  // namespace sinew::internal
