#include "sinew/asset/cpu_skin.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sinew {
namespace {

Mesh point(Vec3 position, Vec3 normal, std::vector<Influence> influences) {
  Mesh mesh;
  mesh.positions = {position};
  mesh.normals = {normal};
  mesh.uvs = {{}};
  mesh.first_influence = {0, uint32_t(influences.size())};
  mesh.influences = std::move(influences);
  return mesh;
}

// --- what is expected, by plain arithmetic in double precision ---

struct Vector {
  double x = 0, y = 0, z = 0;
};
Vector vector_of(Vec3 v) { return {double(v.x), double(v.y), double(v.z)}; }
Vector vector_of(Vec4 v) { return {double(v.x), double(v.y), double(v.z)}; }
double product(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector combined(Vector a, Vector b, double share) { return {a.x + b.x * share, a.y + b.y * share, a.z + b.z * share}; }
Vector crossed(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vector unit(Vector a) { return combined({}, a, 1 / std::sqrt(product(a, a))); }
double distance(Vector a, Vector b) { return std::sqrt(product(combined(a, b, -1), combined(a, b, -1))); }

/// The weighted sum of where the palette entries map a direction, or a place.
Vector expected_sum(Vector d, bool is_place, std::span<const Influence> influences,
                    std::span<const Matrix3x4> palette) {
  Vector sum;
  for (const Influence influence : influences) {
    const auto row = [&](int r) {
      const float* m = palette[influence.entry].m[r];
      return double(m[0]) * d.x + double(m[1]) * d.y + double(m[2]) * d.z + (is_place ? double(m[3]) : 0);
    };
    sum = combined(sum, {row(0), row(1), row(2)}, double(influence.weight));
  }
  return sum;
}

class RandomSurface {
 public:
  float number() { return between_(random_); }
  Vec3 direction() { return normalize(Vec3{number(), number(), number()}); }
  /// A non-uniform scale with random shear and translation. `mirrored` negates the z scale.
  Matrix3x4 matrix(bool mirrored) {
    Matrix3x4 result = {{{1.5f, 0, 0, number()}, {0, 0.6f, 0, number()}, {0, 0, mirrored ? -1.1f : 1.1f, number()}}};
    for (auto& row : result.m) {
      for (int column = 0; column < 3; ++column) row[column] += 0.25f * number();
    }
    return result;
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<float> between_{-1, 1};
};

/// With one to seven influences, the heaviest first.
TEST(CpuSkin, TangentFrameMatchesTheSkinnedTangentAndBitangent) {
  RandomSurface random;
  for (int i = 0; i < 2000; ++i) {
    const bool mirrored = i % 2 != 0;
    const Vec3 n = random.direction();
    const Vec3 t = normalize(cross(n, random.direction()));
    const float handedness = i % 3 != 0 ? 1.0f : -1.0f;
    std::vector<Influence> influences;
    for (int count = 1 + i % 7, k = 0; k < count; ++k)
      influences.push_back({uint16_t((2 * k + i) % 3), 2 * float(count - k) / float(count * (count + 1))});
    Mesh mesh = point({1, 2, 3}, n, influences);
    mesh.tangents = {{t.x, t.y, t.z, handedness}};
    const std::vector<Matrix3x4> palette = {random.matrix(mirrored), random.matrix(mirrored), random.matrix(mirrored)};
    Vec3 position, normal;
    Vec4 tangent;
    skin_on_cpu(mesh, palette, {&position, 1}, {&normal, 1}, {&tangent, 1});

    const auto sum_of = [&](Vector d) { return expected_sum(d, false, influences, palette); };
    EXPECT_LT(distance(vector_of(position), expected_sum({1, 2, 3}, true, influences, palette)), 1e-5);
    EXPECT_NEAR(length(normal), 1, 1e-6);
    const Vector along = sum_of(vector_of(t));
    const Vector bitangent = combined({}, crossed(vector_of(n), vector_of(t)), double(handedness));
    const Vector across = sum_of(bitangent);
    EXPECT_LT(distance(vector_of(tangent), unit(along)), 1e-6);
    EXPECT_NEAR(product(vector_of(normal), unit(along)), 0, 1e-6);
    EXPECT_NEAR(product(vector_of(normal), unit(across)), 0, 1e-6);
    EXPECT_GT(product(vector_of(normal), sum_of(vector_of(n))), 0) << "the normal points inward";
    // A shader computes the component of the bitangent that is perpendicular to the tangent.
    const Vector shaded = combined({}, crossed(vector_of(normal), vector_of(tangent)), double(tangent.w));
    EXPECT_LT(distance(shaded, unit(combined(across, unit(along), -product(across, unit(along))))), 1e-5) << mirrored;
    EXPECT_EQ(tangent.w, mirrored ? -handedness : handedness);
  }
}

TEST(CpuSkin, TangentIsUnchangedWhereThePaletteEntryFlattensIt) {
  Mesh mesh = point({0, 0, 0}, {0, 0, 1}, {{0, 1}});
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
