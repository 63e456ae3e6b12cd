#include "sinew/animation/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "long_run.h"
#include "random_chains.h"
#include "rig.h"

namespace sinew {
namespace {

using Joints = std::vector<Matrix3x4d>;
using Draw = test::ChainDraw;

/// A pelvis at 1 m, with a leg of 0.5 m and 0.4 m whose knee bends a little to the front (+z), and a spine of three
/// joints above it. The foot has a toe.
Character person() {
  Character character;
  const Transform up{{0, 0.2f, 0}, {}, {1, 1, 1}};
  character.skeleton = {{"pelvis", "thigh", "shin", "foot", "toe", "spine", "neck", "head"},
                        {kNoJoint, 0, 1, 2, 3, 0, 5, 6},
                        {{{0, 1, 0}, {}, {1, 1, 1}},
                         {{0.1f, 0, 0}, {}, {1, 1, 1}},
                         {{0, -0.49f, 0.0994987f}, {}, {1, 1, 1}},
                         {{0, -0.4f, 0}, {}, {1, 1, 1}},
                         {{0, -0.05f, 0.1f}, {}, {1, 1, 1}},
                         up,
                         up,
                         up},
                        {}};
  for (int32_t joint = 0; joint < 8; ++joint) character.skin.entries.push_back({joint, {}});
  return character;
}

constexpr uint32_t kThigh = 1, kShin = 2, kFoot = 3, kToe = 4, kSpine = 5, kNeck = 6, kHead = 7;
constexpr double kWhole = 0.9;  // of the leg

TwoBoneChain leg(EndOrientation end_orientation = EndOrientation::kFollow) {
  return {kThigh, kShin, kFoot, {0, 0, 1}, end_orientation};
}

AimChain look(std::vector<AimJoint> joints = {{kHead, 1}}) {
  AimChain chain;
  chain.joints = std::move(joints);
  chain.axis = {0, 0, 2};
  chain.fade_distance = 0.1f;
  return chain;
}

Joints solved(const Character& character, const std::vector<Chain>& chains, const std::vector<ChainTarget>& targets) {
  const Status status = validate(chains, character);
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  Joints joints = test::rest_joints(character);
  apply_chains(character, chains, targets, joints);
  return joints;
}

Joints solved(const Character& character, const Chain& chain, Vec3 position, float weight = 1, Vec3 normal = {}) {
  return solved(character, {chain}, {{0, 0, position, weight, normal}});
}

Vec3 place(const Joints& joints, uint32_t joint) { return transform_point(joints[joint], {}); }
double distance(Vec3 a, Vec3 b) { return double(length(a - b)); }
Vec3 axis_of(const Matrix3x4d& matrix, Vec3 axis) {
  return normalize(transform_point(matrix, axis) - transform_point(matrix, {}));
}

double largest_difference(const Joints& a, const Joints& b) {
  double largest = 0;
  for (size_t j = 0; j < a.size(); ++j) largest = test::larger(largest, test::largest_difference(a[j], b[j]));
  return largest;
}

/// With each joint scaled, mirrored or turned, so that it shears what is below.
Character distorted_person(Draw& draw, uint32_t seed) {
  Character character = person();
  for (Transform& local : character.skeleton.rest_pose) {
    local.scale = {draw.between(0.5f, 2), draw.between(0.5f, 2), draw.between(0.5f, 2)};
    if (seed % 4 == 0) local.scale.x = -local.scale.x;
    local.rotation = normalize(Quat{draw.between(-0.2f, 0.2f), draw.between(-0.2f, 0.2f), 0, 1});
  }
  if (seed % 6 == 0) character.skeleton.model_from_root.m[1][1] = -1;
  return character;
}

/// Where the rotation of a joint from one pose to the other takes a direction.
Vec3 turned_by(const Joints& before, const Joints& after, uint32_t joint, Vec3 direction) {
  return axis_of(after[joint] * inverse(before[joint]), direction);
}

/// What hangs on the middle joint moves with it, and the rest of the body not at all.
void expect_leg_kept(const Joints& before, const Joints& after) {
  for (const auto& [a, b] : {std::pair{kThigh, kShin}, {kShin, kFoot}, {kFoot, kToe}})
    EXPECT_NEAR(distance(place(after, a), place(after, b)), distance(place(before, a), place(before, b)), 1e-5);
  for (const uint32_t other : {0u, kSpine, kHead}) EXPECT_EQ(distance(place(after, other), place(before, other)), 0);
}

TEST(TwoBoneChain, ReachesTargetsWithItsBonesAsTheyAre) {
  for (uint32_t seed = 1; seed <= (test::is_long_run() ? 20000u : 1000u); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed);
    const Character character = seed % 2 == 0 ? distorted_person(draw, seed) : person();
    const Joints before = test::rest_joints(character);
    const Vec3 hip = place(before, kThigh), along = normalize(place(before, kFoot) - hip);
    const double thigh = distance(hip, place(before, kShin)),
                 shin = distance(place(before, kShin), place(before, kFoot));
    const Vec3 to = normalize(along + draw.direction() * 0.7f);
    // Hinges that are not perpendicular to their bones reach less far back.
    const float share = seed % 2 == 0 ? 0.85f : draw.between(0.3f, 0.87f);
    const Vec3 target = hip + to * (share * float(thigh + shin));
    TwoBoneChain chain = leg(EndOrientation(seed % 3));
    chain.pole.z = draw.between(0, 1) < 0.5f ? -1.0f : 1.0f;
    const Vec3 normal = seed % 5 == 0 ? Vec3{NAN, 0, 0} : normalize(Vec3{draw.between(-1, 1), 1, draw.between(-1, 1)});
    const Joints after = solved(character, {"leg", chain}, target, 1, normal * 5);
    EXPECT_LT(distance(place(after, kFoot), target), 1e-5 * (thigh + shin));
    expect_leg_kept(before, after);
    const Vec3 up{0, 1, 0}, aside{0.6f, 0, 0.8f};
    if (chain.end_orientation == EndOrientation::kFollow) {
      for (const Vec3 v : {up, aside})
        EXPECT_LT(distance(turned_by(before, after, kFoot, v), turned_by(before, after, kShin, v)), 1e-4);
    } else {
      const bool is_level = chain.end_orientation == EndOrientation::kKeep || seed % 5 == 0;
      EXPECT_LT(distance(turned_by(before, after, kFoot, up), is_level ? up : normal), 1e-4);
      if (is_level) {
        EXPECT_LT(distance(turned_by(before, after, kFoot, aside), aside), 1e-4);
      }
    }
    if (seed % 2 == 0) continue;  // the bones of others are not in one plane
    const Vec3 knee = place(after, kShin) - hip, bend = knee - to * dot(knee, to);
    EXPECT_GT(dot(bend, axis_of(after[kThigh], chain.pole)), 0.03f) << "the knee bends towards the pole";
  }
}

TEST(TwoBoneChain, UnreachableTargetStretchesTheChainTowardsIt) {
  const Vec3 hip = place(test::rest_joints(person()), kThigh);
  for (const float reach : {1.0f, 0.8f}) {
    TwoBoneChain chain = leg();
    chain.reach = reach;
    for (const float far : {1.0f, 3.0f, 1e4f, 1e9f, INFINITY}) {
      const Vec3 foot = place(solved(person(), {"leg", chain}, {far, 1, 0}), kFoot);
      EXPECT_GT(distance(foot, hip), 0.98 * kWhole * double(reach)) << far;
      EXPECT_LT(distance(foot, hip), kWhole * double(reach)) << far;
      EXPECT_NEAR(foot.y, 1, 1e-4) << far;
      EXPECT_NEAR(foot.z, 0, 1e-4) << far;
    }
  }
}

TEST(TwoBoneChain, TargetWithoutWeightOrNumberChangesNothing) {
  const Character character = person();
  const Joints before = test::rest_joints(character);
  const float nan = std::nanf("");
  for (const ChainTarget& target : {ChainTarget{0, 0, {0.3f, 0.5f, 0}, 0}, ChainTarget{0, 0, {0.3f, 0.5f, 0}, -1},
                                    ChainTarget{0, 0, {0.3f, 0.5f, 0}, nan}, ChainTarget{0, 0, {nan, 0.5f, 0}},
                                    ChainTarget{0, 0, {0, 0, nan}}, ChainTarget{0, 7, {0.3f, 0.5f, 0}}}) {
    EXPECT_EQ(largest_difference(before, solved(character, {{"leg", leg()}}, {target})), 0);
  }
}

TEST(TwoBoneChain, WeightFades) {
  const Vec3 target{0.3f, 0.6f, 0.2f};
  double before = distance(place(test::rest_joints(person()), kFoot), target);
  for (const float weight : {0.1f, 0.3f, 0.5f, 0.7f, 0.9f, 1.0f, 7.0f}) {
    const double now = distance(place(solved(person(), {"leg", leg()}, target, weight), kFoot), target);
    EXPECT_LE(now, before - (weight > 1 ? 0 : 0.01));
    before = now;
  }
  EXPECT_LT(before, 1e-6);
}

TEST(TwoBoneChain, LastTargetOfAChainCounts) {
  const Joints both = solved(person(), {{"leg", leg()}}, {{0, 0, {0, 0.5f, 0.4f}}, {0, 0, {0.3f, 0.6f, 0.2f}}});
  EXPECT_LT(distance(place(both, kFoot), {0.3f, 0.6f, 0.2f}), 1e-6);
}

TEST(TwoBoneChain, BonesWithoutLengthGiveNumbers) {
  for (const uint32_t joint : {kShin, kFoot, kThigh}) {
    for (const bool scaled : {false, true}) {
      Character character = person();
      Transform& local = character.skeleton.rest_pose[joint];
      (scaled ? local.scale : local.translation) = {};
      for (const Vec3 target : {Vec3{0.3f, 0.6f, 0.2f}, Vec3{0.1f, 1, 0}, Vec3{}}) {
        const Joints after = solved(character, {"leg", leg(EndOrientation::kAlign)}, target, 1, {1, 1, 0});
        EXPECT_TRUE(std::isfinite(largest_difference(after, test::rest_joints(character))));
      }
    }
  }
}

// --- steps ---

/// The furthest that a joint of the chain moves, over the step of the target, for steps everywhere.
double largest_gain(const Character& character, const Chain& chain, std::span<const uint32_t> joints, uint32_t seed,
                    int count) {
  Draw draw(seed);
  const Vec3 from = place(test::rest_joints(character), joints[0]);
  double largest = 0;
  const float step = 1e-4f;
  for (int i = 0; i < count; ++i) {
    const float weight = i % 2 == 0 ? 1 : draw.between(0, 1);
    const float far = i % 5 == 0   ? draw.between(0.85f, 0.95f)
                      : i % 5 == 1 ? draw.between(0, 0.1f)
                                   : draw.between(0, 1.3f);
    const Vec3 away = draw.direction();
    const Vec3 target = from + (i % 7 == 0 ? normalize(Vec3{0, 1, -0.1f} + away * 0.02f) : away) * far;
    const Joints a = solved(character, chain, target, weight);
    const Joints b = solved(character, chain, target + draw.direction() * step, weight);
    for (const uint32_t joint : joints) {
      largest = test::larger(largest, distance(place(a, joint), place(b, joint)) / double(step));
    }
  }
  return largest;
}

TEST(TwoBoneChain, NoStepOfTheTargetMakesTheChainPop) {
  const uint32_t joints[] = {kThigh, kShin, kFoot};
  for (const float shin : {0.4f, 0.49f, 0.2f}) {
    Character character = person();
    character.skeleton.rest_pose[kFoot].translation.y = -shin;
    const double gain = largest_gain(character, {"leg", leg()}, joints, 3, (test::is_long_run() ? 100000 : 4000));
    EXPECT_LT(gain, double(kMaxChainGain));
    EXPECT_GT(gain, 1);
  }
}

/// The angle between the orientations of a joint, in radians.
double turn_between(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0;
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    largest = test::larger(largest, distance(axis_of(a, axis), axis_of(b, axis)));
  return largest;
}

TEST(AimChain, NoStepOfTheTargetMakesTheChainPop) {
  Draw draw(4);
  AimChain chain = look({{kNeck, 1}, {kHead, 2}});
  const float step = 1e-4f;
  for (const bool upright : {false, true}) {
    for (const float max_angle : {0.3f, 1.4f, 2.3f}) {
      chain.up = upright ? Vec3{0, 1, 0} : Vec3{};
      chain.max_angle = max_angle;
      double largest = 0;
      for (int i = 0; i < (test::is_long_run() ? 50000 : 3000); ++i) {
        const float weight = i % 2 == 0 ? 1 : draw.between(0, 1);
        const Vec3 away = i % 3 == 0 ? normalize(Vec3{0, 0, -1} + draw.direction() * 0.05f) : draw.direction();
        const Vec3 target = Vec3{0, 1.6f, 0} + away * draw.between(0, 0.5f);
        const Joints a = solved(person(), {"head", chain}, target, weight);
        const Joints b = solved(person(), {"head", chain}, target + draw.direction() * step, weight);
        for (const uint32_t joint : {kNeck, kHead})
          largest = test::larger(largest, turn_between(a[joint], b[joint]) / double(step));
      }
      EXPECT_LT(largest * double(chain.fade_distance), double(kMaxChainGain)) << max_angle;
    }
  }
}

// --- aim ---

/// The distance of a point from the ray along an axis of a joint.
double miss(const Joints& joints, const AimChain& chain, Vec3 target) {
  const Matrix3x4d& joint = joints[chain.joints.back().joint];
  const Vec3 from = transform_point(joint, chain.offset), along = axis_of(joint, chain.axis);
  const Vec3 to = target - from;
  return dot(to, along) < 0 ? INFINITY : double(length(to - along * dot(to, along)));
}

TEST(AimChain, AxisPointsAtTargetThroughAnyNumberOfJoints) {
  Draw draw(5);
  for (const auto& joints :
       {std::vector<AimJoint>{{kHead, 1}}, std::vector<AimJoint>{{kNeck, 1}, {kHead, 1}},
        std::vector<AimJoint>{{kSpine, 1}, {kNeck, 2}, {kHead, 3}}, std::vector<AimJoint>{{kSpine, 1}, {kHead, 3}}}) {
    for (const Vec3 offset : {Vec3{}, Vec3{0, 0.1f, 0.08f}}) {
      AimChain chain = look(joints);
      chain.offset = offset;
      for (int i = 0; i < 100; ++i) {
        const Vec3 direction = normalize(draw.direction() + Vec3{0, 0, 1.5f});  // within 80 degrees of the front
        const Vec3 target = Vec3{0, 1.6f, 0} + direction * draw.between(1, 5);
        EXPECT_LT(miss(solved(person(), {"head", chain}, target), chain, target), 1e-5);
      }
    }
  }
}

TEST(AimChain, JointsTurnByTheirShares) {
  const Joints after = solved(person(), {"head", look({{kNeck, 1}, {kHead, 3}})}, {1000, 1.6f, 1000});
  const Vec3 neck = axis_of(after[kNeck], {0, 0, 1}), head = axis_of(after[kHead], {0, 0, 1});
  EXPECT_NEAR(std::atan2(neck.x, neck.z), 0.25 * std::atan(1), 0.01);
  EXPECT_NEAR(std::atan2(head.x, head.z), std::atan(1), 1e-3);
}

TEST(AimChain, AngleIsLimitedAndComesBackBehind) {
  AimChain chain = look();
  chain.max_angle = 1;
  const auto angle_at = [&](double radians) {
    const Vec3 target{float(100 * std::sin(radians)), 1.6f, float(100 * std::cos(radians))};
    const Vec3 axis = axis_of(solved(person(), {"head", chain}, target)[kHead], {0, 0, 1});
    EXPECT_NEAR(axis.y, 0, 1e-6);
    return double(std::atan2(axis.x, axis.z));
  };
  EXPECT_NEAR(angle_at(0.9), 0.9, 1e-4);
  EXPECT_NEAR(angle_at(1), 1, 1e-4);
  EXPECT_LT(angle_at(1.5), 1);
  EXPECT_GT(angle_at(1.5), 0.5);
  EXPECT_LT(angle_at(3), 0.1);
  EXPECT_NEAR(angle_at(3.14159265), 0, 1e-4);
  EXPECT_NEAR(angle_at(-1.5), -angle_at(1.5), 1e-4);
}

TEST(AimChain, HeadStaysUpright) {
  AimChain chain = look();
  chain.offset = {0, 0.1f, 0.05f};
  chain.up = {0, 1, 0};
  const Vec3 target{2, 3, 2};
  for (const bool upright : {true, false}) {
    if (!upright) chain.up = {};
    const Joints after = solved(person(), {"head", chain}, target);
    EXPECT_LT(miss(after, chain, target), 1e-5);
    const float roll = std::abs(axis_of(after[kHead], {1, 0, 0}).y);
    EXPECT_EQ(roll < 0.01f, upright) << roll;
  }
}

TEST(AimChain, TargetAtTheJointGivesNumbers) {
  for (const float fade : {0.0f, 0.1f}) {
    AimChain chain = look({{kNeck, 1}, {kHead, 1}});
    chain.fade_distance = fade;
    chain.offset = {0, 0.1f, 0};
    chain.up = {0, 1, 0};
    for (const Vec3 target : {Vec3{0, 1.6f, 0}, Vec3{0, 1.4f, 0}, Vec3{0, 1.7f, 0}, Vec3{INFINITY, -INFINITY, 0}}) {
      const Joints after = solved(person(), {"head", chain}, target);
      EXPECT_TRUE(std::isfinite(largest_difference(after, test::rest_joints(person()))));
    }
  }
}

TEST(Chains, LowerChainSeesWhatTheUpperOneDid) {
  const std::vector<Chain> chains{{"head", look()}, {"leg", leg()}, {"hips", AimChain{{{0, 1}}, {0, 0, 1}, {}, {}}}};
  const Vec3 foot{0.4f, 0.4f, 0.2f}, eyes{1, 2, 1};
  const Joints after = solved(person(), chains, {{0, 0, eyes}, {0, 1, foot}, {0, 2, {0.5f, 1, 1}}});
  EXPECT_LT(distance(place(after, kFoot), foot), 1e-6);
  EXPECT_LT(miss(after, look(), eyes), 1e-5);
  EXPECT_GT(distance(axis_of(after[0], {0, 0, 1}), {0, 0, 1}), 0.1);
}

// --- checks ---

std::string refusal(const Chain& chain, const std::vector<Chain>& before = {}) {
  std::vector<Chain> chains = before;
  chains.push_back(chain);
  const Status status = validate(chains, person());
  if (status) return "";
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  return status.error().message;
}

template <class Change>
std::string refused_leg(Change change) {
  TwoBoneChain chain = leg();
  change(chain);
  return refusal({"leg", chain});
}

template <class Change>
std::string refused_look(Change change) {
  AimChain chain = look({{kNeck, 1}, {kHead, 2}});
  change(chain);
  return refusal({"look", chain});
}

TEST(Chains, FaultsAreNamed) {
  EXPECT_EQ(refusal({"leg", leg()}), "");
  EXPECT_EQ(refused_leg([](auto& c) { c.upper = 99; }), "chain 'leg': the character has no joint 99");
  EXPECT_EQ(refused_leg([](auto& c) { c.end = 99; }), "chain 'leg': the character has no joint 99");
  EXPECT_EQ(refused_leg([](auto& c) { c.end = kHead; }), "chain 'leg': joint 'head' is not below joint 'shin'");
  EXPECT_EQ(refused_leg([](auto& c) { c.middle = c.upper; }), "chain 'leg': joint 'thigh' is not below joint 'thigh'");
  EXPECT_EQ(refused_leg([](auto& c) { c.pole = {}; }), "chain 'leg': the pole is not a direction");
  EXPECT_EQ(refused_leg([](auto& c) { c.pole = {NAN, 0, 1}; }), "chain 'leg': the pole is not a direction");
  EXPECT_EQ(refused_leg([](auto& c) { c.pole = {0, -0.49f, 0.1f}; }), "chain 'leg': the pole is along the upper bone");
  EXPECT_EQ(refused_leg([](auto& c) { c.reach = 1.5f; }), "chain 'leg': reach is 1.5, not from 0.1 to 1");
  EXPECT_EQ(refused_leg([](auto& c) { c.soft = NAN; }), "chain 'leg': soft is nan, not from 0.02 to 0.5");
  EXPECT_EQ(refused_look([](auto& c) { c.joints.clear(); }), "chain 'look': it has no joint");
  EXPECT_EQ(refused_look([](auto& c) { c.joints.assign(9, {}); }), "chain 'look': it has more than 8 joints");
  EXPECT_EQ(refused_look([](auto& c) { c.joints[0].joint = 8; }), "chain 'look': the character has no joint 8");
  EXPECT_EQ(refused_look([](auto& c) { std::swap(c.joints[0], c.joints[1]); }),
            "chain 'look': joint 'neck' is not below joint 'head'");
  EXPECT_EQ(refused_look([](auto& c) { c.joints[0].share = 0; }),
            "chain 'look': a share is 0, not from 1e-06 to 1e+06");
  EXPECT_EQ(refused_look([](auto& c) { c.joints[0].share = 20; }),
            "chain 'look': the share of the last joint is less than a tenth");
  EXPECT_EQ(refused_look([](auto& c) { c.axis = {}; }), "chain 'look': the axis is not a direction");
  EXPECT_EQ(refused_look([](auto& c) { c.offset.x = NAN; }), "chain 'look': the offset is not finite");
  EXPECT_EQ(refused_look([](auto& c) { c.up = {0, 0, -1}; }), "chain 'look': up is along the axis");
  EXPECT_EQ(refused_look([](auto& c) { c.max_angle = 3; }), "chain 'look': max_angle is 3, not from 0.01 to 2.3");
  EXPECT_EQ(refused_look([](auto& c) { c.fade_distance = -1; }),
            "chain 'look': fade_distance is -1, not from 0 to 1e+09");
  EXPECT_EQ(refusal({"other", look({{kNeck, 1}})}, {{"look", look({{kSpine, 1}, {kHead, 1}})}}),
            "chain 'other': joint 'neck' is part of chain 'look'");
  const Character character = person();
  EXPECT_EQ(validate(std::vector<Chain>(33), character).error().message, "chains: there are 33, more than 32");
}

/// The shin lies between the chain's joints and turns by 90 degrees: the bone from thigh to foot is 0.49 m down and
/// 0.3 m back.
TEST(Chains, UpperBoneGoesThroughTheJointsBetween) {
  Character character = person();
  character.skeleton.rest_pose[kShin].rotation = {std::sqrt(0.5f), 0, 0, std::sqrt(0.5f)};
  TwoBoneChain chain{kThigh, kFoot, kToe, {0, -0.49f, -0.3005f}};
  const std::vector<Chain> along{{"leg", chain}};
  const Status status = validate(along, character);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "chain 'leg': the pole is along the upper bone");
  chain.pole = {0, -0.89f, 0.0995f};
  EXPECT_TRUE(validate(std::vector<Chain>{{"leg", chain}}, character));
}

}  // namespace
}  // namespace sinew
