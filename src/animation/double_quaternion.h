// Quaternions in double precision, as plain arrays: x y z w.
#pragma once

namespace sinew::internal {

inline double dot(const double (&a)[4], const double (&b)[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

}  // namespace sinew::internal
