// The curves of a COLLADA animation: keys of one or more numbers, interpolated each by itself. Source: COLLADA 1.4.1
// specification, "Curve Interpolation" in chapter 4.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "collada/collada_document.h"
#include "curve_fit.h"

namespace sinew::internal {

enum class ColladaInterpolation : uint8_t { kLinear, kStep, kBezier, kHermite };

/// The content of a <source>: rows of numbers or of names.
struct ColladaSource {
  size_t width = 0;                                  // numbers a row; 0: there is no such source
  std::vector<double> numbers;                       // row by row
  std::vector<ColladaInterpolation> interpolations;  // if it holds names: one a row
  std::string unknown;                               // the first name that is no interpolation read here; it is linear
  bool ascends = true, is_finite = true;             // of the numbers
  size_t row_count() const { return width == 0 ? 0 : numbers.size() / width; }
};

struct ColladaCurve {
  std::shared_ptr<const ColladaSource> times, values, in_tangents, out_tangents, interpolations;  // never null

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

/// Reads the curves of samplers. Each source is read once.
class ColladaCurveReader {
 public:
  explicit ColladaCurveReader(const ColladaDocument& document) : document_(document) {}

  /// The curve of a <sampler>. What is missing is empty.
  ColladaCurve read(pugi::xml_node sampler);

 private:
  std::shared_ptr<const ColladaSource> source(pugi::xml_node element);

  const ColladaDocument& document_;
  std::unordered_map<size_t, std::shared_ptr<const ColladaSource>> sources_;  // by the hash of the element
};

}  // namespace sinew::internal
