// Meshes of few triangles, for the first steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "canvas.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skeleton.h"

namespace steps {

/// Sees an arm that is two meters long, on the post of draw_signal_post().
inline const host::Camera kSignalCamera{{0.15f, 1.25f, 0}, 4.3f, 0.35f, 0.12f, 0.6f};

/// Linear colors.
inline constexpr sinew::Vec3 kOrange{0.85f, 0.22f, 0.03f}, kBlue{0.10f, 0.30f, 0.62f}, kPale{0.66f, 0.70f, 0.78f};

/// The rotation about an axis of unit length; counter-clockwise where the axis points to the viewer.
sinew::Quat rotation_about(sinew::Vec3 axis, float degrees);

/// A box of 12 triangles.
sinew::Mesh box(sinew::Vec3 low, sinew::Vec3 high);

/// The post of a railway signal, behind its arm: it stands on the ground and ends at the joint of steps 1 and 2.
void draw_signal_post(Canvas& canvas);

/// The axes of a joint: x red, y green, z blue.
void draw_axes(Canvas& canvas, const sinew::Matrix3x4d& model_from_joint, float length);

/// A bone from each joint to its parent, with the color of the parent. `colors` has one for each joint.
void draw_bones(Canvas& canvas, const sinew::Skeleton& skeleton, std::span<const sinew::Matrix3x4d> model_from_joint,
                std::span<const sinew::Vec3> colors);

/// As (x, y, z), for messages.
std::string text(sinew::Vec3 point);

/// The largest distance between points of equal index, and the largest difference between elements of matrices.
double difference(std::span<const sinew::Vec3> a, std::span<const sinew::Vec3> b);
template <class Scalar>
double difference(const std::vector<sinew::BasicMatrix3x4<Scalar>>& a,
                  const std::vector<sinew::BasicMatrix3x4<Scalar>>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (int element = 0; element < 12; ++element)
      largest =
          std::max(largest, std::abs(double(a[i].m[element / 4][element % 4] - b[i].m[element / 4][element % 4])));
  }
  return largest;
}

}  // namespace steps
