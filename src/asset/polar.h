// The polar decomposition of matrices, in double precision.
#pragma once

#include "sinew/api.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

/// A matrix is flat below this determinant, if its largest entry is 1.
inline constexpr double kFlat = 1e-9;

SINEW_API Matrix3x4d linear_part(Matrix3x4d a);
SINEW_API Matrix3x4d transposed(const Matrix3x4d& a);  // of the linear part, without translation
SINEW_API Matrix3x4d scaled(Matrix3x4d a, double s);   // every entry
SINEW_API double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b);

/// The rotation R of the polar decomposition R * S of a linear part; S is symmetric. Where the matrix mirrors, R is
/// still a rotation, and S is negative. A flat matrix has several; the result is one of them. Source: Higham,
/// "Computing the Polar Decomposition - with Applications", 1986.
SINEW_API Matrix3x4d rotation_of(const Matrix3x4d& linear);

/// The same quaternion x y z w as to_transform() gives, but not rounded to float.
SINEW_API void quaternion_of(const Matrix3x4d& rotation, double (&q)[4]);

}  // namespace sinew::internal
