// Blending the entries of a palette, and transforming by the result, in skin.comp and in vertex shaders. The shader
// that includes it declares the buffers `meshes` and `palette_rows`, the texels `palette_texels`, and the constants
// kTexelPalettes and kDualQuaternions.

#include "shared/dual_quaternion.glsl"

struct Matrix3x4 {
  vec4 rows[3];
};

// The sum over a vertex's influences. With dual quaternions `matrix` is that of the stretches.
struct BlendSum {
  Matrix3x4 matrix;
  vec4 real, dual;  // the dual quaternion
  vec4 heaviest;    // the rotation of the heaviest influence, which comes first
};

vec4 palette_row(uint row) { return kTexelPalettes != 0 ? texelFetch(palette_texels, int(row)) : palette_rows[row]; }
vec4[3] palette_entry(uint row) { return vec4[3](palette_row(row), palette_row(row + 1), palette_row(row + 2)); }

float weight_of(uint influence) { return float(influence >> 16) / 65535.0; }
uint first_row_of(uint influence) { return kRowsPerEntry * (influence & 0xffffu); }

const BlendSum kNothing =
    BlendSum(Matrix3x4(vec4[3](vec4(0.0), vec4(0.0), vec4(0.0))), vec4(0.0), vec4(0.0), vec4(0.0));

// The product of two quaternions.
vec4 product(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// q and -q are the same rotation: each is added with the sign that is nearer to the heaviest influence's.
void add_split(inout BlendSum sum, float weight, SplitMatrix split) {
  if (sum.heaviest == vec4(0.0)) sum.heaviest = split.rotation;
  vec4 q = dot(split.rotation, sum.heaviest) < 0.0 ? -split.rotation : split.rotation;
  sum.real += weight * q;
  sum.dual += 0.5 * weight * product(vec4(split.translation, 0.0), q);
  [[unroll]] for (uint row = 0; row < 3; ++row) sum.matrix.rows[row].xyz += weight * split.stretch[row];
}

// `rows` are those of a palette entry.
void add_entry(inout BlendSum sum, float weight, vec4 rows[3]) {
  if (kDualQuaternions != 0) {
    add_split(sum, weight, unpack_split(rows));
  } else {
    [[unroll]] for (uint row = 0; row < 3; ++row) sum.matrix.rows[row] += weight * rows[row];
  }
}

// The matrix that the sum is: of dual quaternions, translation * rotation * stretch.
Matrix3x4 matrix_of(BlendSum sum) {
  if (kDualQuaternions == 0) return sum.matrix;
  float inverse = dot(sum.real, sum.real) > 0.0 ? inversesqrt(dot(sum.real, sum.real)) : 0.0;
  vec4 real = inverse * sum.real;
  vec3 translation = 2.0 * inverse * product(sum.dual, vec4(-real.xyz, real.w)).xyz;
  mat3 stretch = mat3(sum.matrix.rows[0].xyz, sum.matrix.rows[1].xyz, sum.matrix.rows[2].xyz);  // symmetric
  mat3 rows = transpose(matrix_of(real) * stretch);
  return Matrix3x4(vec4[3](vec4(rows[0], translation.x), vec4(rows[1], translation.y), vec4(rows[2], translation.z)));
}

// The blended matrix of a vertex, for any number of influences. `element` is the first influence quad, and
// `quad_stride` the number of elements from a quad to the next. `palette` is the first row of the palette.
Matrix3x4 blend_any(uint element, uint quad_stride, uint quads, uint palette) {
  BlendSum sum = kNothing;
  for (uint quad = 0; quad < quads; ++quad) {
    uvec4 influences = meshes[element + quad * quad_stride];
    for (uint i = 0; i < kInfluencesPerQuad; ++i) {
      if (influences[i] < kMinInfluence) return matrix_of(sum);
      add_entry(sum, weight_of(influences[i]), palette_entry(palette + first_row_of(influences[i])));
    }
  }
  return matrix_of(sum);
}

bool mirrors(Matrix3x4 m) { return dot(m.rows[0].xyz, cross(m.rows[1].xyz, m.rows[2].xyz)) < 0.0; }

vec3 transform_direction(Matrix3x4 m, vec3 v) {
  return vec3(dot(m.rows[0].xyz, v), dot(m.rows[1].xyz, v), dot(m.rows[2].xyz, v));
}

float dot_plus(vec3 a, vec3 b, float c) { return a.x * b.x + (a.y * b.y + (a.z * b.z + c)); }

// Much smaller than the cofactors of any matrix that does not collapse the mesh, and free of cost: a product becomes a
// multiply-add.
const float kLeast = 1e-30;

// By the cofactors of the matrix. The result points inward if the matrix mirrors. Where the cofactors are 0, because
// the matrix is singular, the normal does not change. The result has any length except 0.
vec3 transform_normal(Matrix3x4 m, vec3 normal) {
  vec3 x = m.rows[0].xyz, y = m.rows[1].xyz, z = m.rows[2].xyz;
  vec3 least = kLeast * normal;
  return vec3(dot_plus(cross(y, z), normal, least.x), dot_plus(cross(z, x), normal, least.y),
              dot_plus(cross(x, y), normal, least.z));
}

vec3 transform_point(Matrix3x4 m, vec3 point) {
  vec4 p = vec4(point, 1.0);
  return vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
}
