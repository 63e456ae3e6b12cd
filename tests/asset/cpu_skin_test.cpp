// Skinning on the CPU, linear and by dual quaternions, against evaluations that are written another way.
#include "sinew/asset/cpu_skin.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "asset/dual_quaternion.h"
#include "asset/larger_error.h"

namespace sinew {
namespace {

using internal::SplitMatrix;
using Rows = std::array<std::array<double, 3>, 3>;

struct Vec3d {
  double x = 0, y = 0, z = 0;
  Vec3d operator+(Vec3d b) const { return {x + b.x, y + b.y, z + b.z}; }
  Vec3d operator*(double s) const { return {x * s, y * s, z * s}; }
};
Vec3d vector_of(Vec3 v) { return {double(v.x), double(v.y), double(v.z)}; }
Vec3d vector_of(Vec4 v) { return {double(v.x), double(v.y), double(v.z)}; }
Vec3d cross(Vec3d a, Vec3d b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vec3d unit(Vec3d a) { return a * (1 / std::sqrt(dot(a, a))); }
double distance(Vec3d a, Vec3d b) { return std::sqrt(dot(a + b * -1, a + b * -1)); }

/// A rotation of unit length as scalar and vector part.
struct Rotation {
  double w = 1;
  Vec3d v;
  Vec3d apply(Vec3d p) const { return p + cross(v, cross(v, p) + p * w) * 2; }
};

Vec3d row_of(const Matrix3x4& m, int row) { return {m.m[row][0], m.m[row][1], m.m[row][2]}; }
Vec3d column_of(const Matrix3x4& m, int column) { return {m.m[0][column], m.m[1][column], m.m[2][column]}; }

/// The rotation nearest to a matrix that does not mirror: turned towards the matrix until it stays. It is slow, and has
/// nothing in common with Newton's iteration. Source: Mueller, Bender, Chentanez, Macklin: A robust method to extract
/// the rotational part of deformations, 2016.
Rotation nearest_rotation(const Matrix3x4& m, double sign) {
  Rotation q;
  for (int step = 0; step < 2000; ++step) {
    const Vec3d axes[] = {q.apply({1, 0, 0}), q.apply({0, 1, 0}), q.apply({0, 0, 1})};
    Vec3d turn;
    double along = 0;
    for (int i = 0; i < 3; ++i) {
      turn = turn + cross(axes[i], column_of(m, i) * sign);
      along += dot(axes[i], column_of(m, i) * sign);
    }
    const Vec3d omega = turn * (1 / (std::abs(along) + 1e-12));
    const double angle = std::sqrt(dot(omega, omega));
    if (angle < 1e-15) break;
    const Vec3d axis = omega * (std::sin(angle / 2) / angle);
    const double cosine = std::cos(angle / 2);
    q = {cosine * q.w - dot(axis, q.v), q.v * cosine + axis * q.w + cross(axis, q.v)};
  }
  return q;
}

/// The position by the formulas of Kavan et al. 2008, stretches first.
Vec3d blended_position(std::span<const Influence> influences, std::span<const Matrix3x4> palette, Vec3d p) {
  double c0 = 0, ce0 = 0;
  Vec3d c, ce, stretched;
  Rotation first;
  for (size_t i = 0; i < influences.size(); ++i) {
    const Matrix3x4& m = palette[influences[i].entry];
    const double sign = determinant(m) < 0 ? -1 : 1, weight = influences[i].weight;
    Rotation q = nearest_rotation(m, sign);
    if (i == 0) first = q;
    if (q.w * first.w + dot(q.v, first.v) < 0) q = {-q.w, q.v * -1};
    const Vec3d moved{dot(row_of(m, 0), p), dot(row_of(m, 1), p), dot(row_of(m, 2), p)};
    stretched = stretched + Rotation{q.w, q.v * -1}.apply(moved) * weight;
    const Vec3d t = column_of(m, 3);
    c0 += weight * q.w, c = c + q.v * weight;
    ce0 += weight * -0.5 * dot(t, q.v);
    ce = ce + (t * q.w + cross(t, q.v)) * (0.5 * weight);
  }
  const double size = std::sqrt(c0 * c0 + dot(c, c));
  c0 /= size, ce0 /= size, c = c * (1 / size), ce = ce * (1 / size);
  const Vec3d rotated = stretched + cross(c, cross(c, stretched) + stretched * c0) * 2;
  return rotated + (ce * c0 + c * -ce0 + cross(c, ce)) * 2;
}

class Random {
 public:
  float from(float low, float high) { return std::uniform_real_distribution(low, high)(engine_); }

  Matrix3x4 rotation(float largest_angle) {
    const Vec3 axis = normalize(Vec3{from(-1, 1), from(-1, 1), from(-1, 1)});
    const float half = from(-largest_angle, largest_angle) / 2;
    const Quat q{axis.x * std::sin(half), axis.y * std::sin(half), axis.z * std::sin(half), std::cos(half)};
    return matrix_cast<float>(to_matrix(Transform{{from(-2, 2), from(-2, 2), from(-2, 2)}, q, {1, 1, 1}}));
  }

  /// A rotation times a stretch along axes of its own; with shear, because the axes are others.
  Matrix3x4 matrix(Vec3 scale) {
    Matrix3x4 stretch;
    stretch.m[0][0] = scale.x, stretch.m[1][1] = scale.y, stretch.m[2][2] = scale.z;
    Matrix3x4 axes = rotation(3);
    Matrix3x4 back = axes;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) back.m[i][j] = axes.m[j][i];
      axes.m[i][3] = back.m[i][3] = 0;
    }
    return rotation(3) * axes * stretch * back;
  }

  /// A non-uniform scale with random shear and translation, never far from the axes. `mirrored` negates the z scale.
  Matrix3x4 upright(bool mirrored) {
    Matrix3x4 result;
    result.m[0][0] = 1.5f, result.m[1][1] = 0.6f, result.m[2][2] = mirrored ? -1.1f : 1.1f;
    for (auto& row : result.m) {
      for (float& element : row) element += from(-0.25f, 0.25f);
    }
    return result;
  }

 private:
  std::mt19937 engine_{7};
};

/// The largest element of rotation * stretch - matrix.
double error_of(const SplitMatrix& split, const Matrix3x4& m) {
  const auto [x, y, z, w] = split.rotation;
  const Rotation rotation{w, {x, y, z}};
  double largest = std::abs(x * x + y * y + z * z + w * w - 1);
  for (int column = 0; column < 3; ++column) {
    const auto& s = split.stretch;
    const Vec3d moved = rotation.apply({s[0][column], s[1][column], s[2][column]}), wanted = column_of(m, column);
    for (const double error : {moved.x - wanted.x, moved.y - wanted.y, moved.z - wanted.z, s[column][0] - s[0][column]})
      largest = sinew::internal::larger_error(largest, std::abs(error));
  }
  for (int row = 0; row < 3; ++row)
    largest = sinew::internal::larger_error(largest, std::abs(split.translation[row] - m.m[row][3]));
  return largest;
}

TEST(DualQuaternion, SplitsAnyMatrix) {
  Random random;
  for (int i = 0; i < 200; ++i) {
    const Matrix3x4 rigid = random.rotation(3.14f), stretched = random.matrix({0.2f, 1, 3}),
                    mirrored = random.matrix({-1, 0.5f, 2});
    EXPECT_LT(error_of(internal::split(rigid), rigid), 1e-6) << i;  // of a matrix in floats
    EXPECT_LT(error_of(internal::split(stretched), stretched), 1e-6) << i;
    EXPECT_LT(error_of(internal::split(mirrored), mirrored), 1e-6) << i;
    const auto trace = [](const auto& s) { return s.stretch[0][0] + s.stretch[1][1] + s.stretch[2][2]; };
    EXPECT_GT(trace(internal::split(stretched)), 0);
    EXPECT_LT(trace(internal::split(mirrored)), 0);
  }
}

TEST(DualQuaternion, SplitsSingularMatrices) {
  Matrix3x4 flat, line, point, turned_line;
  flat.m[1][1] = 0;
  line.m[0][0] = line.m[1][1] = 0;
  point.m[0][0] = point.m[1][1] = point.m[2][2] = 0;
  turned_line = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {-2, 0, 0, 3}}};
  for (const Matrix3x4& m : {flat, line, point, turned_line}) EXPECT_LT(error_of(internal::split(m), m), 1e-6);
  Matrix3x4 opposite;
  for (int i = 0; i < 3; ++i) opposite.m[i][i] = i == 0 ? -2.0f : 0.0f;
  EXPECT_LT(error_of(internal::split(opposite), opposite), 1e-6);
  point.m[0][0] = NAN;
  EXPECT_TRUE(std::isnan(internal::split(point).stretch[0][0]));
}

Mesh mesh_of(std::vector<Vec3> positions, std::vector<std::vector<Influence>> influences) {
  Mesh mesh;
  mesh.blend = Blend::kDualQuaternion;
  mesh.normals.assign(positions.size(), {0, 0, 1});
  mesh.positions = std::move(positions);
  mesh.first_influence = {0};
  for (const auto& of_vertex : influences) {
    mesh.influences.insert(mesh.influences.end(), of_vertex.begin(), of_vertex.end());
    mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
  }
  return mesh;
}

std::vector<Vec3> skinned(const Mesh& mesh, std::span<const Matrix3x4> palette) {
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  skin_on_cpu(mesh, palette, positions, normals);
  return positions;
}

TEST(DualQuaternion, EveryVertexIsThatOfAnotherEvaluation) {
  Random random;
  double largest = 0;
  for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{2, 2, 2}, Vec3{0.5f, 1, 1.5f}, Vec3{-1, 1, 1}}) {
    std::vector<Matrix3x4> palette;
    for (int i = 0; i < 40; ++i) palette.push_back(random.matrix(scale));
    std::vector<Vec3> positions;
    std::vector<std::vector<Influence>> influences;
    for (uint32_t v = 0; v < 300; ++v) {
      positions.push_back({random.from(-1, 1), random.from(-1, 1), random.from(-1, 1)});
      std::vector<Influence>& own = influences.emplace_back();
      const uint32_t count = 1 + v % 8;
      for (uint32_t i = 0; i < count; ++i)
        own.push_back({uint16_t((v * 7 + i * 5) % 40), 2.0f / float(count * (count + 1)) * float(count - i)});
    }
    const Mesh mesh = mesh_of(positions, influences);
    const std::vector<Vec3> moved = skinned(mesh, palette);
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
      const Vec3 p = positions[v];
      const Vec3d wanted = blended_position(mesh.influences_of(v), palette, {p.x, p.y, p.z});
      const double error = std::hypot(moved[v].x - wanted.x, moved[v].y - wanted.y, moved[v].z - wanted.z);
      EXPECT_LT(error, 2e-6) << v;
      largest = sinew::internal::larger_error(largest, error);
    }
  }
  std::printf("largest error %.1e, in a cube of 2\n", largest);
}

TEST(DualQuaternion, OneInfluenceIsTheMatrixItself) {
  Random random;
  const std::vector<Matrix3x4> palette = {random.matrix({0.3f, 2, -1})};
  Mesh mesh = mesh_of({{1, 2, 3}}, {{{0, 1}}});
  mesh.tangents = {{1, 0, 0, 1}};
  const auto all = [&](Blend blend) {
    mesh.blend = blend;
    std::vector<Vec3> positions(1), normals(1);
    std::vector<Vec4> tangents(1);
    skin_on_cpu(mesh, palette, positions, normals, tangents);
    return std::array<float, 10>{positions[0].x, positions[0].y, positions[0].z, normals[0].x,  normals[0].y,
                                 normals[0].z,   tangents[0].x,  tangents[0].y,  tangents[0].z, tangents[0].w};
  };
  const auto linear = all(Blend::kLinear), rigid = all(Blend::kDualQuaternion);
  for (size_t i = 0; i < linear.size(); ++i) EXPECT_NEAR(linear[i], rigid[i], 1e-6) << i;
}

/// A twist around x: the second joint is turned. Halfway, linear blending shrinks the ring.
TEST(DualQuaternion, TwistedRingsKeepTheirRadius) {
  for (const double degrees : {45.0, 90.0, 150.0, 179.0}) {
    const double half = degrees * std::numbers::pi / 360;
    const Quat twist{float(std::sin(half)), 0, 0, float(std::cos(half))};
    const std::vector<Matrix3x4> palette = {Matrix3x4(),
                                            matrix_cast<float>(to_matrix(Transform{{}, twist, {1, 1, 1}}))};
    Mesh mesh = mesh_of({{0, 1, 0}, {0, 0, 1}}, {{{0, 0.5f}, {1, 0.5f}}, {{1, 0.75f}, {0, 0.25f}}});
    const std::vector<Vec3> kept = skinned(mesh, palette);
    EXPECT_NEAR(length(kept[0]), 1, 1e-6) << degrees;
    EXPECT_NEAR(length(kept[1]), 1, 1e-6) << degrees;
    EXPECT_NEAR(kept[0].y, std::cos(half), 1e-6) << "half of the twist";
    mesh.blend = Blend::kLinear;
    EXPECT_NEAR(length(skinned(mesh, palette)[0]), std::cos(half), 1e-6) << degrees;
  }
}

TEST(DualQuaternion, EntriesWithoutWeightAreNotRead) {
  Matrix3x4 nan;
  nan.m[0][0] = NAN;
  const std::vector<Matrix3x4> palette = {Matrix3x4(), nan};
  const Mesh mesh = mesh_of({{1, 2, 3}}, {{{0, 1}, {1, 0}}});
  EXPECT_EQ(length(skinned(mesh, palette)[0] - Vec3{1, 2, 3}), 0);
}

/// What shaders/shared/dual_quaternion.glsl reads.
SplitMatrix unpacked(const Matrix3x4& packed) {
  SplitMatrix split;
  const float* q = packed.m[0];
  const float size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const float mean = std::signbit(q[3]) ? -size : size;
  for (int i = 0; i < 4; ++i) split.rotation[i] = q[i] / size;
  for (int i = 0; i < 3; ++i) split.translation[i] = packed.m[1][i];
  const float xx = packed.m[1][3], yy = packed.m[2][0];
  const float xy = packed.m[2][1], xz = packed.m[2][2], yz = packed.m[2][3];
  split.stretch = {{{1 + xx, xy, xz}, {xy, 1 + yy, yz}, {xz, yz, 1 - xx - yy}}};
  for (auto& row : split.stretch) row = {row[0] * mean, row[1] * mean, row[2] * mean};
  return split;
}

TEST(DualQuaternion, PackedPalettesHoldAllOfTheMatrix) {
  Random random;
  std::vector<Matrix3x4> palette = {Matrix3x4(), {{{0, 0, 0, 5}, {0, 0, 0, 6}, {0, 0, 0, 7}}}};
  for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{0.2f, 1, 3}, Vec3{-1, 1, 1}, Vec3{100, 100, 100}, Vec3{0, 1, 1}})
    palette.push_back(random.matrix(scale));
  std::vector<Matrix3x4> packed(palette.size());
  internal::pack_palette(palette, packed);
  for (size_t i = 0; i < palette.size(); ++i) {
    const double size = i == 5 ? 100 : 3;
    EXPECT_LT(error_of(unpacked(packed[i]), palette[i]), 1e-6 * size) << i;
  }
}

// --- linear blending, and frames of tangents ---

/// The weighted sum of where the palette entries map a direction, or a place.
Vec3d expected_sum(Vec3d d, bool is_place, std::span<const Influence> influences, std::span<const Matrix3x4> palette) {
  Vec3d sum;
  for (const Influence influence : influences) {
    const Matrix3x4& m = palette[influence.entry];
    const Vec3d mapped{dot(row_of(m, 0), d), dot(row_of(m, 1), d), dot(row_of(m, 2), d)};
    sum = sum + (is_place ? mapped + column_of(m, 3) : mapped) * double(influence.weight);
  }
  return sum;
}

/// With one to seven influences, the heaviest first.
TEST(CpuSkin, TangentFrameMatchesTheSkinnedTangentAndBitangent) {
  Random random;
  const auto any_direction = [&] {
    return normalize(Vec3{random.from(-1, 1), random.from(-1, 1), random.from(-1, 1)});
  };
  for (int i = 0; i < 2000; ++i) {
    const bool mirrored = i % 2 != 0;
    const Vec3 n = any_direction(), t = normalize(cross(n, any_direction()));
    const float handedness = i % 3 != 0 ? 1.0f : -1.0f;
    std::vector<Influence> influences;
    for (int count = 1 + i % 7, k = 0; k < count; ++k)
      influences.push_back({uint16_t((2 * k + i) % 3), 2 * float(count - k) / float(count * (count + 1))});
    Mesh mesh = mesh_of({{1, 2, 3}}, {influences});
    mesh.blend = Blend::kLinear;
    mesh.normals = {n}, mesh.tangents = {{t.x, t.y, t.z, handedness}};
    const std::vector<Matrix3x4> palette = {random.upright(mirrored), random.upright(mirrored),
                                            random.upright(mirrored)};
    Vec3 position, normal;
    Vec4 tangent;
    skin_on_cpu(mesh, palette, {&position, 1}, {&normal, 1}, {&tangent, 1});

    const auto sum_of = [&](Vec3d d) { return expected_sum(d, false, influences, palette); };
    EXPECT_LT(distance(vector_of(position), expected_sum({1, 2, 3}, true, influences, palette)), 1e-5);
    EXPECT_NEAR(length(normal), 1, 1e-6);
    const Vec3d along = unit(sum_of(vector_of(t)));
    const Vec3d across = sum_of(cross(vector_of(n), vector_of(t)) * double(handedness));
    EXPECT_LT(distance(vector_of(tangent), along), 1e-6);
    EXPECT_NEAR(dot(vector_of(normal), along), 0, 1e-6);
    EXPECT_NEAR(dot(vector_of(normal), unit(across)), 0, 1e-6);
    EXPECT_GT(dot(vector_of(normal), sum_of(vector_of(n))), 0) << "the normal points inward";
    // A shader computes the component of the bitangent that is perpendicular to the tangent.
    const Vec3d shaded = cross(vector_of(normal), vector_of(tangent)) * double(tangent.w);
    EXPECT_LT(distance(shaded, unit(across + along * -dot(across, along))), 1e-5) << mirrored;
    EXPECT_EQ(tangent.w, mirrored ? -handedness : handedness);
  }
}

TEST(CpuSkin, TangentIsUnchangedWhereThePaletteEntryFlattensIt) {
  Mesh mesh = mesh_of({{0, 0, 0}}, {{{0, 1}}});
  mesh.blend = Blend::kLinear;
  mesh.tangents = {{1, 0, 0, -1}};
  Vec3 position, normal;
  Vec4 tangent;
  skin_on_cpu(mesh, std::vector<Matrix3x4>{{{{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}}, {&position, 1}, {&normal, 1},
              {&tangent, 1});
  EXPECT_EQ(tangent.x, 1);
  EXPECT_EQ(tangent.w, -1);
}

}  // namespace
}  // namespace sinew
