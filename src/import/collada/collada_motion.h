// The motion of one node of a COLLADA scene: its placing elements with the animated numbers put in, multiplied.
#pragma once

#include <vector>

#include "collada/collada_animations.h"
#include "double_transform.h"

namespace sinew::internal {

/// The transform of a node without animation.
Matrix3x4d rest_of(const ColladaElement& element);

class ColladaMotion {
 public:
  /// Borrows `element` and `channels`, which move transforms of `element`. Of several for one number the last one
  /// counts.
  ColladaMotion(const ColladaElement& element, const std::vector<const ColladaChannel*>& channels);

  /// The transform at a time, in seconds. Shear is lost.
  DoubleTransform at(double seconds, Side side) const;

  /// An upper bound of how far angles turn between two times that have no key between them, in degrees.
  double turned_degrees(double begin, double end) const;

  /// How much work at() is, in steps of some ten nanoseconds.
  uint64_t cost() const { return cost_; }

 private:
  /// A whole matrix that is animated: its keys decomposed.
  struct MatrixKeys {
    const ColladaCurve* curve = nullptr;
    std::vector<DoubleTransform> keys;
    DoubleTransform at(double seconds, Side side) const;
  };
  struct Step {
    Matrix3x4d fixed;  // used if nothing else is set
    const ColladaTransform* transform = nullptr;
    std::vector<const ColladaChannel*> channels;
    MatrixKeys matrix;
    Matrix3x4d at(double seconds, Side side) const;
  };

  std::vector<Step> steps_;
  uint64_t cost_ = 1;
};

}  // namespace sinew::internal
