// Blending the matrices of a palette, and transforming by the result, in skin.comp and in vertex shaders. The shader
// that includes it declares the buffers `meshes` and `palette_rows`, the texels `palette_texels` and the constant
// kTexelPalettes.

struct Matrix3x4 {
  vec4 rows[3];
};

vec4 palette_row(uint row) { return kTexelPalettes != 0 ? texelFetch(palette_texels, int(row)) : palette_rows[row]; }

float weight_of(uint influence) { return float(influence >> 16) / 65535.0; }
uint first_row_of(uint influence) { return 3 * (influence & 0xffffu); }

void add_entry(inout Matrix3x4 sum, float weight, uint first_row) {
  [[unroll]] for (uint row = 0; row < 3; ++row) sum.rows[row] += weight * palette_row(first_row + row);
}

const Matrix3x4 kZero = Matrix3x4(vec4[3](vec4(0.0), vec4(0.0), vec4(0.0)));

// The weighted sum of a vertex's matrices, for any number of influences. `element` is the first influence quad, and
// `quad_stride` the number of elements from a quad to the next. `palette` is the first row of the palette.
Matrix3x4 blend_any(uint element, uint quad_stride, uint quads, uint palette) {
  Matrix3x4 sum = kZero;
  for (uint quad = 0; quad < quads; ++quad) {
    uvec4 influences = meshes[element + quad * quad_stride];
    for (uint i = 0; i < kInfluencesPerQuad; ++i) {
      if (influences[i] < kMinInfluence) return sum;
      add_entry(sum, weight_of(influences[i]), palette + first_row_of(influences[i]));
    }
  }
  return sum;
}

bool mirrors(Matrix3x4 m) { return dot(m.rows[0].xyz, cross(m.rows[1].xyz, m.rows[2].xyz)) < 0.0; }

// By the cofactors of the matrix, negated if the matrix mirrors, so that the normal still points outward. If the result
// is 0, because the matrix is singular, the normal does not change. The result has any length except 0.
vec3 transform_normal(Matrix3x4 m, vec3 normal) {
  vec3 x = m.rows[0].xyz, y = m.rows[1].xyz, z = m.rows[2].xyz;
  vec3 n = vec3(dot(cross(y, z), normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
  n = mirrors(m) ? -n : n;
  return any(notEqual(n, vec3(0.0))) ? n : normal;
}

vec3 transform_point(Matrix3x4 m, vec3 point) {
  vec4 p = vec4(point, 1.0);
  return vec3(dot(m.rows[0], p), dot(m.rows[1], p), dot(m.rows[2], p));
}
