#include "sinew/asset/skinned_vertex.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

uint32_t to_snorm16(float value) {
  const float clamped = std::clamp(value, -1.0f, 1.0f);
  return uint32_t(uint16_t(int16_t(std::lround(clamped * 32767.0f))));
}

float from_snorm16(uint32_t bits) { return std::max(float(int16_t(uint16_t(bits))) / 32767.0f, -1.0f); }

/// 1 or -1, never 0: a sign of 0 would fold normals with x = 0 or y = 0 to a wrong point.
float sign_of(float value) { return value < 0 ? -1.0f : 1.0f; }

/// Projects a unit vector onto the octahedron and unfolds it onto a square; x and y are from -1 to 1.
Vec2 fold(Vec3 n) {
  const float sum = std::abs(n.x) + std::abs(n.y) + std::abs(n.z);
  const float x = n.x / sum, y = n.y / sum;
  if (n.z < 0) return {(1 - std::abs(y)) * sign_of(x), (1 - std::abs(x)) * sign_of(y)};
  return {x, y};
}

}  // namespace

uint32_t encode_normal(Vec3 n) {
  const Vec2 p = fold(n);
  return to_snorm16(p.x) | to_snorm16(p.y) << 16;
}

uint32_t encode_tangent(Vec4 t) {
  const Vec2 p = fold({t.x, t.y, t.z});
  // The nearest 16-bit value of y whose last bit is `bit`, which stores the handedness.
  const int bit = t.w < 0 ? 1 : 0;
  const long half = std::min(std::lround((p.y * 32767.0f - float(bit)) / 2), 16383l);
  return to_snorm16(p.x) | uint32_t(uint16_t(half * 2 + bit)) << 16;
}

Vec3 decode_normal(uint32_t encoded) {
  float x = from_snorm16(encoded & 0xffff), y = from_snorm16(encoded >> 16);
  const float z = 1 - std::abs(x) - std::abs(y);
  const float fold = std::max(-z, 0.0f);
  x -= fold * sign_of(x);
  y -= fold * sign_of(y);
  return normalize(Vec3{x, y, z});
}

Vec4 decode_tangent(uint32_t encoded) {
  const Vec3 t = decode_normal(encoded);
  return {t.x, t.y, t.z, (encoded >> 16 & 1) != 0 ? -1.0f : 1.0f};
}

Vec3 decode_position(const PackedSkinnedVertex& vertex, const Box& box) {
  const Vec3 extent = box.high - box.low;
  const auto share = [&](int axis) { return float(vertex.position[axis]) / 65535.0f; };
  return box.low + Vec3{extent.x * share(0), extent.y * share(1), extent.z * share(2)};
}

}  // namespace sinew
