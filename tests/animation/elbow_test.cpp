// How much of its volume the built-in character's elbow keeps when it bends, with linear blending and with dual
// quaternions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/import.h"

namespace sinew {
namespace {

constexpr float kBall = 0.1f;  // meters: the radius of the ball around the joint in which volume counts
constexpr int kRays = 150;     // along each side of the ball

class Elbow {
 public:
  Elbow() {
    Result<Character> loaded = load_character(SINEW_SOURCE_DIR "/assets/character.glb");
    EXPECT_TRUE(loaded) << loaded.error().message;
    character_ = std::move(*loaded);
    const auto& names = character_.skeleton.joint_names;
    forearm_ = uint32_t(std::find(names.begin(), names.end(), "forearm_l") - names.begin());
    EXPECT_LT(forearm_, names.size());
    rest_.resize(names.size());
    walk_hierarchy(character_.skeleton, character_.skeleton.rest_pose, rest_);
    for (int i = 0; i < 3; ++i) center_[i] = rest_[forearm_].m[i][3];
  }

  /// The volume of the arm within the ball, in liters, after a turn of the forearm around a horizontal axis that is
  /// perpendicular to the arm.
  double liters(Blend blend, double degrees) {
    character_.mesh.blend = blend;
    const std::vector<Vec3> positions = bent(degrees * std::numbers::pi / 180);
    double volume = 0;
    const float step = 2 * kBall / float(kRays);
    for (int x = 0; x < kRays; ++x) {
      for (int y = 0; y < kRays; ++y) {
        const float dx = -kBall + (float(x) + 0.5f) * step, dy = -kBall + (float(y) + 0.5f) * step;
        const float half = kBall * kBall - dx * dx - dy * dy;
        if (half > 0) volume += double(inside(positions, dx, dy, std::sqrt(half))) * double(step) * double(step);
      }
    }
    return volume * 1000;
  }

 private:
  std::vector<Vec3> bent(double radians) const {
    std::vector<Matrix3x4d> joints = rest_;
    const double c = std::cos(radians), s = std::sin(radians);
    Matrix3x4d turn = {{{c, 0, -s, 0}, {0, 1, 0, 0}, {s, 0, c, 0}}};  // around y: the arms point to the sides
    for (int row = 0; row < 3; ++row) {
      turn.m[row][3] = center_[row];
      for (int i = 0; i < 3; ++i) turn.m[row][3] -= turn.m[row][i] * center_[i];
    }
    for (uint32_t joint = forearm_; joint < joints.size(); ++joint) {
      if (is_below(joint)) joints[joint] = turn * joints[joint];
    }
    std::vector<Matrix3x4> palette(character_.skin.palette_size());
    build_palette(character_.skin, joints, palette);
    std::vector<Vec3> positions(character_.mesh.vertex_count()), normals(positions.size());
    skin_on_cpu(character_.mesh, palette, positions, normals);
    return positions;
  }

  bool is_below(uint32_t joint) const {
    while (joint > forearm_) joint = uint32_t(character_.skeleton.parents[joint]);
    return joint == forearm_;
  }

  /// The length of a ray along z that is inside the mesh, within `half` of the ball's middle: crossings into the mesh
  /// count from their depth on, crossings out of it are taken away.
  float inside(const std::vector<Vec3>& positions, float dx, float dy, float half) const {
    const float px = float(center_[0]) + dx, py = float(center_[1]) + dy;
    const float middle = float(center_[2]);
    float length = 0;
    const auto& indices = character_.mesh.indices;
    for (size_t i = 0; i < indices.size(); i += 3) {
      const Vec3 a = positions[indices[i]], b = positions[indices[i + 1]], c = positions[indices[i + 2]];
      if (std::max({a.x, b.x, c.x}) < px || std::min({a.x, b.x, c.x}) > px) continue;
      if (std::max({a.y, b.y, c.y}) < py || std::min({a.y, b.y, c.y}) > py) continue;
      const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      const float wa = (b.x - px) * (c.y - py) - (b.y - py) * (c.x - px);
      const float wb = (c.x - px) * (a.y - py) - (c.y - py) * (a.x - px);
      const float wc = area - wa - wb;
      if (area == 0 || wa * area < 0 || wb * area < 0 || wc * area < 0) continue;
      const float z = (wa * a.z + wb * b.z + wc * c.z) / area;
      const float behind = middle + half - std::clamp(z, middle - half, middle + half);
      length += area < 0 ? behind : -behind;  // from the front of the ray, counterclockwise is clockwise
    }
    return length;
  }

  Character character_;
  uint32_t forearm_ = 0;
  std::vector<Matrix3x4d> rest_;
  double center_[3] = {};
};

TEST(Elbow, KeepsItsVolumeWithDualQuaternions) {
  Elbow elbow;
  const double rest = elbow.liters(Blend::kLinear, 0);
  EXPECT_NEAR(elbow.liters(Blend::kDualQuaternion, 0), rest, 1e-4 * rest);
  EXPECT_GT(rest, 0.3);
  EXPECT_LT(rest, 2);
  std::printf("volume of the elbow, in a ball of %.0f cm: %.3f l\n", double(kBall) * 100, rest);
  for (const double degrees : {90.0, 150.0}) {
    const double linear = elbow.liters(Blend::kLinear, degrees) / rest;
    const double rigid = elbow.liters(Blend::kDualQuaternion, degrees) / rest;
    std::printf("  bent by %3.0f degrees: %5.1f %% with linear blending, %5.1f %% with dual quaternions\n", degrees,
                100 * linear, 100 * rigid);
    EXPECT_GT(rigid, linear + 0.03) << degrees;
  }
}

}  // namespace
}  // namespace sinew
