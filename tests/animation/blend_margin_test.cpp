// Dual quaternions carry no vertex further than the derived bound, in random blends, between poses and within ranges.
#include "blend_margin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "asset/dual_quaternion.h"
#include "sinew/asset/cpu_skin.h"

namespace sinew {
namespace {

using internal::BlendGroups;
using internal::BlendSpread;
using internal::BoxD;
using internal::DeltaRange;
using internal::JointDelta;

double dot(const double (&a)[4], const double (&b)[4]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

double distance_between(Vec3 a, Vec3 b) { return std::hypot(double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z); }

class RandomDraw {
 public:
  explicit RandomDraw(uint32_t seed) : random_(seed) {}

  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  uint32_t below(uint32_t count) { return uint32_t(random_() % count); }

  /// A unit quaternion within an angle of `center`, of quaternions.
  void rotation(const double (&center)[4], double angle, double (&q)[4]) {
    double axis[3], size = 0;
    for (double& v : axis) v = std::normal_distribution<double>()(random_), size += v * v;
    const double half = between(0, angle), s = std::sin(half) / std::sqrt(size), w = std::cos(half);
    const double t[4] = {axis[0] * s, axis[1] * s, axis[2] * s, w};
    q[0] = center[3] * t[0] + center[0] * w + center[1] * t[2] - center[2] * t[1];
    q[1] = center[3] * t[1] - center[0] * t[2] + center[1] * w + center[2] * t[0];
    q[2] = center[3] * t[2] + center[0] * t[1] - center[1] * t[0] + center[2] * w;
    q[3] = center[3] * w - center[0] * t[0] - center[1] * t[1] - center[2] * t[2];
  }

  JointDelta delta(double angle, double size) {
    JointDelta result;
    rotation({0, 0, 0, 1}, angle, result.rotation);
    for (double& v : result.translation) v = between(-size, size);
    return result;
  }

 private:
  std::mt19937 random_;
};

/// A vertex with `count` influences, of one node each. `parent_of` gives the parent of each node.
struct Blended {
  Mesh mesh;
  BakedCharacter baked;
  BlendGroups groups;

  Blended(std::vector<int32_t> parents, RandomDraw& draw, bool scales = false) {
    const auto count = uint32_t(parents.size());
    std::vector<float> weights;
    float sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += weights.emplace_back(float(std::pow(draw.between(0.1, 1), 3)));
    for (float& weight : weights) weight /= sum;
    std::sort(weights.rbegin(), weights.rend());
    mesh.positions = {{float(draw.between(-1, 1)), float(draw.between(-1, 1)), float(draw.between(-1, 1))}};
    mesh.normals = {{0, 0, 1}};
    mesh.first_influence = {0, count};
    std::vector<uint16_t> entries(count);
    for (uint32_t i = 0; i < count; ++i) entries[i] = uint16_t(i);
    for (uint32_t i = count; i-- > 1;) std::swap(entries[i], entries[draw.below(i + 1)]);
    for (uint32_t i = 0; i < count; ++i) mesh.influences.push_back({entries[i], weights[i]});
    mesh.blend = Blend::kDualQuaternion;
    for (uint32_t i = 0; i < count; ++i) baked.nodes.push_back({int32_t(i), parents[i], int32_t(i), {}});
    baked.blocks_per_node = scales ? 2 : 1;
    std::vector<uint32_t> node_of(entries.size());
    for (uint32_t i = 0; i < count; ++i) node_of[i] = i;
    const Vec3 p = mesh.positions[0];
    const BoxD at{{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    groups = internal::group_blends(mesh, baked, {&at, 1}, node_of);
  }

  std::vector<Matrix3x4d> skinning(std::span<const JointDelta> deltas) const {
    std::vector<Matrix3x4d> result;
    for (size_t i = 0; i < deltas.size(); ++i) {
      const Matrix3x4d own = compose(deltas[i], {});
      result.push_back(baked.nodes[i].parent < 0 ? own : result[size_t(baked.nodes[i].parent)] * own);
    }
    return result;
  }

  /// How far dual quaternions carry the vertex from where linear blending puts it.
  double carried(std::span<const Matrix3x4d> matrices) const {
    std::vector<Matrix3x4> palette;
    for (const Matrix3x4d& matrix : matrices) palette.push_back(matrix_cast<float>(matrix));
    Vec3 rigid, linear, normal;
    skin_on_cpu(mesh, palette, {&rigid, 1}, {&normal, 1});
    Mesh other = mesh;
    other.blend = Blend::kLinear;
    skin_on_cpu(other, palette, {&linear, 1}, {&normal, 1});
    return distance_between(rigid, linear);
  }

  double largest_distance(std::span<const Matrix3x4d> matrices) const {
    double largest = 0;
    for (const Matrix3x4d& a : matrices) {
      for (const Matrix3x4d& b : matrices)
        largest = std::max(
            largest, distance_between(transform_point(a, mesh.positions[0]), transform_point(b, mesh.positions[0])));
    }
    return largest;
  }
};

constexpr double kRounding = 3e-5;  // of floats: beside a half turn, an angle is off by more than its rounding

/// Blends of roots, whose angles and distances are given to the bound as they are.
double largest_share(uint32_t influences, double angle, uint32_t seed) {
  RandomDraw draw(seed);
  double largest = 0;
  for (int i = 0; i < 3000; ++i) {
    const Blended blended(std::vector<int32_t>(influences, -1), draw);
    std::vector<JointDelta> deltas;
    for (uint32_t j = 0; j < influences; ++j) deltas.push_back(draw.delta(angle / 2, 1));
    if (i % 3 == 0 && angle > 3) {  // all but one almost opposite to that one
      for (uint32_t j = 1; j < influences; ++j) {
        draw.rotation(deltas[0].rotation, 1e-3, deltas[j].rotation);
        const double(&q)[4] = deltas[j].rotation;
        const double turned[4] = {q[3], q[2], -q[1], -q[0]};  // times a half turn about x
        std::copy(turned, turned + 4, deltas[j].rotation);
      }
    }
    const auto matrices = blended.skinning(deltas);
    std::vector<BlendSpread> spreads;
    for (const auto& pair : blended.groups.pairs) {
      const double cosine = std::abs(dot(deltas[pair.node].rotation, deltas[pair.other].rotation));
      const Vec3 p = blended.mesh.positions[0];
      spreads.push_back(
          {std::acos(std::min(cosine, 1.0)),
           distance_between(transform_point(matrices[pair.node], p), transform_point(matrices[pair.other], p)), 0});
    }
    const double bound = blend_margin(blended.groups.groups[0], blended.groups.pairs, spreads);
    const double carried = blended.carried(matrices);
    EXPECT_LE(carried, bound + kRounding) << influences << " influences, blend " << i;
    largest = std::max(largest, carried / bound);
  }
  return largest;
}

TEST(BlendMargin, HoldsForAnyRotationsAndTranslations) {
  for (const double angle : {0.1, 1.0, 2.0, std::numbers::pi}) {
    for (const uint32_t influences : {2, 3, 4, 8}) {
      const double share = largest_share(influences, angle, influences);
      if (influences > 2) continue;
      EXPECT_GT(share, 0.95) << angle << ": it is no more than needed";
    }
  }
}

/// The vertices between two poses, with a tree of nodes that turn by up to `turn` from one to the other.
void expect_walk_holds(double turn, double stretch, uint32_t seed) {
  RandomDraw draw(seed);
  for (int i = 0; i < 400; ++i) {
    const Blended blended({-1, 0, 1, 0}, draw, stretch > 0);
    std::vector<JointDelta> before, after;
    for (size_t j = 0; j < 4; ++j) {
      before.push_back(draw.delta(1.2, 0.3));
      after.push_back(before.back());
      draw.rotation(before.back().rotation, turn, after.back().rotation);
      for (double& v : after.back().translation) v += draw.between(-0.1, 0.1);
      for (JointDelta* delta : {&before.back(), &after.back()}) {
        for (int k = 0; k < 6; ++k) delta->scale[k] += draw.between(-stretch, stretch);
      }
    }
    std::vector<std::vector<Matrix3x4d>> poses;
    for (int k = 0; k <= 40; ++k) {
      std::vector<JointDelta> between = before;
      for (size_t j = 0; j < between.size(); ++j) {
        const auto mix = [&](double a, double b) { return a + (b - a) * k / 40; };
        for (int c = 0; c < 4; ++c) between[j].rotation[c] = mix(before[j].rotation[c], after[j].rotation[c]);
        for (int c = 0; c < 3; ++c) between[j].translation[c] = mix(before[j].translation[c], after[j].translation[c]);
        for (int c = 0; c < 6; ++c) between[j].scale[c] = mix(before[j].scale[c], after[j].scale[c]);
      }
      poses.push_back(blended.skinning(between));
    }
    internal::BlendWalk walk(blended.groups, blended.baked);
    walk.begin_clip(std::vector<internal::QuantizationUnits>(4));
    walk.next(before, poses.front(), true), walk.next(after, poses.back(), false);
    std::vector<double> slack(4);  // how far vertices leave the line between both poses, measured
    const Vec3 p = blended.mesh.positions[0];
    for (size_t j = 0; j < 4; ++j) {
      const Vec3 a = transform_point(poses.front()[j], p), b = transform_point(poses.back()[j], p);
      for (int k = 0; k <= 40; ++k)
        slack[j] = std::max(slack[j],
                            distance_between(transform_point(poses[size_t(k)][j], p), a + (b - a) * (float(k) / 40)));
    }
    const std::span<const double> margins = walk.margins(slack, 100);
    for (const auto& pose : poses) {
      for (const Influence influence : blended.mesh.influences)
        ASSERT_LE(blended.carried(pose), margins[influence.entry] + kRounding) << "turn " << turn << ", walk " << i;
    }
  }
}

TEST(BlendMargin, HoldsBetweenTwoPoses) {
  for (const double turn : {0.05, 0.5, 1.4}) {
    for (const double stretch : {0.0, 0.02, 0.15}) expect_walk_holds(turn, stretch, 5);
  }
}

/// Between two poses that are the same up to a half turn of the middle joint, nothing is measured but the ends.
TEST(BlendMargin, CountsWhatATurnPassesBetweenTwoPoses) {
  RandomDraw draw(3);
  Blended blended({-1, 0}, draw);
  blended.mesh.positions[0] = {0, 1, 0};
  blended.mesh.influences = {{0, 0.5f}, {1, 0.5f}};
  const uint32_t node_of[] = {0, 1};
  const BoxD at{{0, 1, 0}, {0, 1, 0}};
  blended.groups = internal::group_blends(blended.mesh, blended.baked, {&at, 1}, node_of);
  const double half = std::numbers::pi / 4;
  const std::vector<JointDelta> before = {{}, {{0, 0, -std::sin(half), std::cos(half)}}},
                                after = {{}, {{0, 0, -std::sin(half), -std::cos(half)}}};
  internal::BlendWalk walk(blended.groups, blended.baked);
  walk.begin_clip(std::vector<internal::QuantizationUnits>(2));
  walk.next(before, blended.skinning(before), true), walk.next(after, blended.skinning(after), false);
  const double slack[] = {0, 1};
  const std::vector<JointDelta> middle = {{}, {{0, 0, 1, 0}}};
  EXPECT_GT(blended.carried(blended.skinning(middle)), 0.9);
  EXPECT_GE(walk.margins(slack, 100)[1], blended.carried(blended.skinning(middle)));
}

void expect_ranges_hold(double arc, double stretch, double far, uint32_t seed) {
  RandomDraw draw(seed);
  for (int i = 0; i < 100; ++i) {
    const Blended blended({-1, 0, 1, 0}, draw, stretch > 0);
    std::vector<DeltaRange> ranges(4);
    for (DeltaRange& range : ranges) {
      draw.rotation({0, 0, 0, 1}, 0.8, range.center);
      range.arc = draw.between(0, arc);
      for (int c = 0; c < 3; ++c) {
        range.translation.low[c] = draw.between(-0.5, 0.5);
        range.translation.high[c] = range.translation.low[c] + draw.between(0, far);
      }
      range.min_scale = 1 - draw.between(0, stretch), range.max_scale = 1 + draw.between(0, stretch);
    }
    const std::vector<double> margins = blend_margins(blended.groups, blended.baked, ranges, 1000);
    for (int k = 0; k < 100; ++k) {
      std::vector<JointDelta> deltas(4);
      for (size_t j = 0; j < 4; ++j) {
        draw.rotation(ranges[j].center, ranges[j].arc, deltas[j].rotation);
        for (int c = 0; c < 3; ++c) {
          deltas[j].translation[c] = draw.between(ranges[j].translation.low[c], ranges[j].translation.high[c]);
          deltas[j].scale[c] = draw.between(ranges[j].min_scale, ranges[j].max_scale);
        }
      }
      const double carried = blended.carried(blended.skinning(deltas));
      for (const Influence influence : blended.mesh.influences)
        ASSERT_LE(carried, margins[influence.entry] + kRounding) << "arc " << arc << ", ranges " << i;
    }
  }
}

TEST(BlendMargin, HoldsForAllPosesInRanges) {
  for (const double arc : {0.01, 0.3, 1.5}) {
    for (const double stretch : {0.0, 0.05, 0.5}) {
      for (const double far : {0.0, 2.0}) expect_ranges_hold(arc, stretch, far, 9);
    }
  }
}

/// Products of stretches turn, although none of them does: the polar decomposition of a product is not the product of
/// the rotations. Stretches of one node at most are symmetric, and turn nothing.
TEST(BlendMargin, CountsTheTiltOfStretchesInAChain) {
  RandomDraw draw(6);
  double largest_share = 0;
  for (int i = 0; i < 2000; ++i) {
    internal::Stretch chain;
    Matrix3x4d product, rotations;
    for (int node = 0; node < 3; ++node) {
      JointDelta delta = draw.delta(1.5, 0);
      rotations = rotations * compose(delta, {});
      const double low = draw.between(0.6, 1), high = draw.between(1, 1.5);
      delta.scale[0] = low, delta.scale[1] = high, delta.scale[2] = draw.between(low, high);
      product = product * compose(delta, {});
      chain.append(low, high, high - low);
    }
    const auto polar = internal::split(matrix_cast<float>(product)),
               plain = internal::split(matrix_cast<float>(rotations));
    double cosine = 0;
    for (size_t c = 0; c < 4; ++c) cosine += polar.rotation[c] * plain.rotation[c];
    BlendSpread spread;
    add_stretch(chain, {}, 1, spread);
    EXPECT_LE(std::acos(std::min(std::abs(cosine), 1.0)), spread.angle + 1e-3) << i;
    largest_share = std::max(largest_share, std::acos(std::min(std::abs(cosine), 1.0)) / spread.angle);
  }
  EXPECT_GT(largest_share, 0.1);
}

/// Two joints at rest in the middle of their ranges: only what the ranges allow carries the vertex.
TEST(BlendMargin, OfRangesGrowsWithArcsAndTranslations) {
  RandomDraw draw(4);
  const Blended blended({-1, 0}, draw);
  std::vector<DeltaRange> ranges(2);
  for (DeltaRange& range : ranges) range.translation.include({0, 0, 0}, {0, 0, 0});
  const auto margin = [&] { return blend_margins(blended.groups, blended.baked, ranges, 100)[0]; };
  EXPECT_LT(margin(), 1e-4);
  ranges[1].arc = 0.5;
  const double turned = margin();
  EXPECT_GT(turned, 5e-3);
  ranges[1].translation.high[0] = 5;
  EXPECT_GT(margin(), 5 * turned);
}

}  // namespace
}  // namespace sinew
