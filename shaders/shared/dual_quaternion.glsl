// A palette entry for dual-quaternion skinning: a matrix as translation * rotation * stretch, where the stretch is
// symmetric. It has the size of the matrix, three rows:
//   rows[0]      the rotation, a quaternion x y z w, of length |mean|. Where the matrix mirrors, `mean` is negative, and
//                so is w; else neither is. `mean` is the mean of the stretch's diagonal;
//                at least kMinMean, so that the rotation is not lost.
//   rows[1].xyz  the translation
//   rows[1].w    of the stretch divided by `mean`: element xx minus 1
//   rows[2]      likewise: yy minus 1, xy, xz, yz. The diagonal elements minus 1 add up to 0.

const float kMinMean = 1e-15;

struct SplitMatrix {
  vec4 rotation;  // of unit length
  vec3 translation;
  mat3 stretch;
};

SplitMatrix unpack_split(vec4 rows[3]) {
  float size = length(rows[0]);
  float mean = (floatBitsToUint(rows[0].w) >> 31) != 0 ? -size : size;
  vec3 diagonal = vec3(rows[1].w, rows[2].x, -rows[1].w - rows[2].x) + 1.0;
  mat3 stretch = mat3(diagonal.x, rows[2].y, rows[2].z, rows[2].y, diagonal.y, rows[2].w, rows[2].z, rows[2].w,
                      diagonal.z);
  return SplitMatrix(rows[0] / size, rows[1].xyz, mean * stretch);
}

vec4[3] pack_split(SplitMatrix split) {
  mat3 s = split.stretch;
  float mean = (s[0][0] + s[1][1] + s[2][2]) / 3.0;
  if (abs(mean) < kMinMean) mean = kMinMean;
  float inverse = 1.0 / mean;
  bool negative = (floatBitsToUint(split.rotation.w) >> 31) != 0;
  return vec4[3](split.rotation * (negative ? -mean : mean), vec4(split.translation, s[0][0] * inverse - 1.0),
                 vec4(s[1][1] * inverse - 1.0, s[0][1] * inverse, s[0][2] * inverse, s[1][2] * inverse));
}

// The rotation matrix of a quaternion of unit length.
mat3 matrix_of(vec4 q) {
  vec3 x2 = q.x * q.xyz, y2 = q.y * q.xyz, w2 = q.w * q.xyz;
  float zz = q.z * q.z;
  return mat3(1.0 - 2.0 * (y2.y + zz), 2.0 * (x2.y + w2.z), 2.0 * (x2.z - w2.y),   // the first column
              2.0 * (x2.y - w2.z), 1.0 - 2.0 * (x2.x + zz), 2.0 * (y2.z + w2.x),   // the second
              2.0 * (x2.z + w2.y), 2.0 * (y2.z - w2.x), 1.0 - 2.0 * (x2.x + y2.y));
}
