// Chains and targets drawn at random, for characters of random rigs.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "rig.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/character.h"

namespace sinew::test {

/// Whether a chain is one that floats bear: no bone is shorter than a fifth of the chain, nor almost the hinge itself.
inline bool is_limb(const Character& character, const TwoBoneChain& chain) {
  const std::vector<Matrix3x4d> joints = rest_joints(character);
  const auto place = [&](uint32_t joint) { return transform_point(joints[joint], {}); };
  const Vec3 first = place(chain.middle) - place(chain.upper), second = place(chain.end) - place(chain.middle);
  const Vec3 pole = transform_point(joints[chain.upper], chain.pole) - place(chain.upper);
  const float whole = length(first) + length(second);
  const float beside = dot(normalize(cross(first, pole)), normalize(second));
  return std::min(length(first), length(second)) > 0.2f * whole && std::abs(beside) < 0.8f;
}

/// Draws rigs, chains and targets.
class ChainDraw {
 public:
  explicit ChainDraw(uint32_t seed, bool limbs_only = false) : random_(seed), limbs_only_(limbs_only) {}
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  uint32_t below(uint32_t count) { return uint32_t(random_() % count); }
  Vec3 vector(float size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  Vec3 direction() {
    Vec3 inside = vector(1);
    while (length(inside) > 1 || length(inside) < 0.1f) inside = vector(1);
    return normalize(inside);
  }

  /// Two-bone and aim chains that have no joint in common, as many as there is room for.
  std::vector<Chain> chains(const Character& character) {
    std::vector<Chain> made;
    for (int attempt = 0; attempt < 60; ++attempt) {
      made.push_back({"chain " + std::to_string(made.size()), {}});
      attempt % 2 == 0 ? draw_two_bone(character, made.back()) : draw_aim(character, made.back());
      if (made.size() > kMaxChains || !validate(made, character)) made.pop_back();
    }
    return made;
  }

  /// Of about half the instances, for about half the chains. Some of them are not usable.
  std::vector<ChainTarget> targets(size_t instances, size_t chains) {
    std::vector<ChainTarget> made;
    for (uint32_t instance = 0; instance < instances; ++instance) {
      if (below(2) == 0) continue;
      for (uint32_t chain = 0; chain < chains; ++chain) {
        if (below(2) == 0) continue;
        ChainTarget target{instance, chain, vector(0.8f), below(2) == 0 ? 1 : between(0, 1), vector(1)};
        if (below(10) == 0) target.position = target.position * 1e5f;
        if (below(20) == 0) target.position.x = NAN;
        if (below(20) == 0) target.weight = below(2) == 0 ? NAN : -1.0f;
        if (below(20) == 0) target.normal = below(2) == 0 ? Vec3{} : Vec3{NAN, 1, 0};
        made.push_back(target);
      }
    }
    return made;
  }

 private:
  /// `count` joints, each below the one before; the last of them random.
  std::vector<uint32_t> joints(const Skeleton& skeleton, size_t count) {
    std::vector<uint32_t> above;
    for (int32_t joint = int32_t(below(skeleton.joint_count())); joint != kNoJoint;
         joint = skeleton.parents[size_t(joint)])
      above.push_back(uint32_t(joint));
    std::vector<uint32_t> drawn;
    for (size_t i = 0; i < above.size() && drawn.size() < count; i += 1 + below(2)) drawn.push_back(above[i]);
    std::reverse(drawn.begin(), drawn.end());
    return drawn;
  }

  void draw_two_bone(const Character& character, Chain& chain) {
    const std::vector<uint32_t> drawn = joints(character.skeleton, 3);
    if (drawn.size() < 3) return;
    const TwoBoneChain two_bone{drawn[0],
                                drawn[1],
                                drawn[2],
                                vector(1),
                                EndOrientation(below(3)),
                                between(limbs_only_ ? 0.9f : 0.3f, 1),
                                between(0.02f, 0.3f)};
    if (!limbs_only_ || is_limb(character, two_bone)) chain.kind = two_bone;
  }

  void draw_aim(const Character& character, Chain& chain) {
    AimChain aim;
    for (const uint32_t joint : joints(character.skeleton, 1 + below(4)))
      aim.joints.push_back({joint, between(0.5f, 1)});
    aim.axis = vector(1);
    if (below(2) == 0) aim.offset = vector(0.05f);
    if (below(2) == 0) aim.up = vector(1);
    aim.max_angle = between(0.5f, 2.3f);
    aim.fade_distance = between(0.05f, 0.3f);
    chain.kind = aim;
  }

  std::mt19937 random_;
  bool limbs_only_;
};

}  // namespace sinew::test
