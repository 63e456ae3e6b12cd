#include "shapes.h"

#include <array>
#include <cstdio>

namespace steps {
namespace {

using sinew::Vec3;

constexpr float kBoneWidth = 0.25f;                        // of its length
constexpr float kMaxBoneWidth = 0.042f, kMinBone = 1e-4f;  // meters

/// Triangles with a normal each: no two share a vertex. `corners` has three indices of `points` for each.
sinew::Mesh faceted(std::span<const Vec3> points, std::span<const uint8_t> corners) {
  sinew::Mesh mesh;
  for (size_t i = 0; i < corners.size(); i += 3) {
    const Vec3 a = points[corners[i]], b = points[corners[i + 1]], c = points[corners[i + 2]];
    const Vec3 normal = sinew::normalize(sinew::cross(b - a, c - a));
    for (const Vec3 corner : {a, b, c}) {
      mesh.indices.push_back(uint32_t(mesh.positions.size()));
      mesh.positions.push_back(corner), mesh.normals.push_back(normal);
    }
  }
  return mesh;
}

/// An octahedron from one point to another, thickest near the first.
sinew::Mesh bone(Vec3 from, Vec3 to) {
  const Vec3 along = to - from;
  const Vec3 aside = std::abs(along.y) > 0.9f * sinew::length(along) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const float width = std::min(kBoneWidth * sinew::length(along), kMaxBoneWidth);
  const Vec3 u = sinew::normalize(sinew::cross(along, aside)) * width;
  const Vec3 v = sinew::normalize(sinew::cross(along, u)) * width;
  const Vec3 middle = from + along * 0.2f;
  const Vec3 points[] = {from, to, middle + u, middle + v, middle - u, middle - v};
  constexpr uint8_t kCorners[] = {0, 3, 2, 0, 4, 3, 0, 5, 4, 0, 2, 5, 1, 2, 3, 1, 3, 4, 1, 4, 5, 1, 5, 2};
  return faceted(points, kCorners);
}

Vec3 origin_of(const sinew::Matrix3x4d& matrix) { return sinew::transform_point(matrix, {}); }

}  // namespace

sinew::Quat rotation_about(Vec3 axis, float degrees) {
  const float half = degrees * 3.14159265f / 360, s = std::sin(half);
  return {axis.x * s, axis.y * s, axis.z * s, std::cos(half)};
}

sinew::Mesh box(Vec3 low, Vec3 high) {
  const std::array<Vec3, 8> corners = sinew::corners_of({low, high});
  constexpr uint8_t kCorners[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
  return faceted(corners, kCorners);
}

void draw_signal_post(Canvas& canvas) { canvas.draw(box({-0.06f, 0, -0.3f}, {0.06f, 1.5f, -0.2f}), {}, kPale); }

void draw_axes(Canvas& canvas, const sinew::Matrix3x4d& model_from_joint, float length) {
  const float w = length * 0.1f;  // they stand out from the arm
  canvas.draw(box({-w, -w, -w}, {length, w, w}), model_from_joint, {0.7f, 0.02f, 0.02f});
  canvas.draw(box({-w, -w, -w}, {w, length, w}), model_from_joint, {0.04f, 0.5f, 0.04f});
  canvas.draw(box({-w, -w, -w}, {w, w, length}), model_from_joint, {0.03f, 0.1f, 0.8f});
}

void draw_bones(Canvas& canvas, const sinew::Skeleton& skeleton, std::span<const sinew::Matrix3x4d> model_from_joint,
                std::span<const Vec3> colors) {
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    const int32_t parent = skeleton.parents[joint];
    if (parent == sinew::kNoJoint) continue;
    const Vec3 from = origin_of(model_from_joint[size_t(parent)]), to = origin_of(model_from_joint[joint]);
    if (sinew::length(to - from) > kMinBone) canvas.draw(bone(from, to), {}, colors[size_t(parent)]);
  }
}

std::string text(Vec3 point) {
  char line[64];
  std::snprintf(line, sizeof line, "(%.3f, %.3f, %.3f)", double(point.x), double(point.y), double(point.z));
  return line;
}

double difference(std::span<const Vec3> a, std::span<const Vec3> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) largest = std::max(largest, double(sinew::length(a[i] - b[i])));
  return largest;
}

}  // namespace steps
