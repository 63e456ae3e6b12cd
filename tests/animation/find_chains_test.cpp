// Chains of humanoids, by the names of their joints: of people at random, whose limbs are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "rig.h"
#include "sinew/animation/inverse_kinematics.h"
#include "split.h"

namespace sinew {
namespace {

/// How a program names joints: in the middle, on the left and on the right; then its words for parts of the body, of an
/// arm and of a leg.
struct Naming {
  std::string middle, left, right, hips, spine, neck, head, shoulder, arm[3], leg[3];
};

const char* const kNamings[] = {
    "mixamorig:%|mixamorig:Left%|mixamorig:Right%|Hips|Spine|Neck|Head|Shoulder|Arm|ForeArm|Hand|UpLeg|Leg|Foot",
    "DEF-%|DEF-%.L|DEF-%.R|spine|spine.003|spine.004|spine.006|shoulder|upper_arm|forearm|hand|thigh|shin|foot",
    "J_Bip_C_%|J_Bip_L_%|J_Bip_R_%|Hips|Spine|Neck|Head|Shoulder|UpperArm|LowerArm|Hand|UpperLeg|LowerLeg|Foot",
    "%|%_l|%_r|pelvis|spine_01|neck_01|head|clavicle|upperarm|lowerarm|hand|thigh|calf|foot",
    "%|left%|right%|hips|spine|neck|head|Shoulder|UpperArm|LowerArm|Hand|UpperLeg|LowerLeg|Foot",
    "Bip01 %|Bip01 L %|Bip01 R %|Pelvis|Spine|Neck|Head|Clavicle|UpperArm|Forearm|Hand|Thigh|Calf|Foot",
    "%|%_l|%_r|root|spine_1|neck|head|clavicle|upper_arm|forearm|hand|thigh|shin|foot",
};

Naming naming(const char* words) {
  const std::vector<std::string> w = test::split_texts(words);
  return {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], {w[8], w[9], w[10]}, {w[11], w[12], w[13]}};
}

Quat conjugate_of(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }
Vec3 turned(Quat q, Vec3 v) { return transform_point(to_matrix({{}, q, {1, 1, 1}}), v); }

/// A person with joints that turn any way, in a space with any axes; some joints are missing, others are added.
class RandomPerson {
 public:
  explicit RandomPerson(uint32_t seed) : random_(seed), naming_(naming(kNamings[seed % std::size(kNamings)])) {
    space_ = rotation();
    character_.space.up = turned(space_, {0, 1, 0}), character_.space.front = turned(space_, {0, 0, 1});
    const uint32_t hips = add(named(naming_.middle, naming_.hips), kNoJoint, {0, 1, 0});
    const uint32_t spine = add(named(naming_.middle, naming_.spine), int32_t(hips), {0, 1.4f, 0});
    for (std::vector<int> order{0, 1, 2, 3, 4}; !order.empty();) {
      const size_t next = random_() % order.size();
      const int what = order[next];
      order.erase(order.begin() + ptrdiff_t(next));
      if (what == 4)
        add_head(spine);
      else
        add_limb(what < 2, what % 2 == 0 ? 1.0f : -1.0f, what < 2 ? hips : spine);
    }
    for (uint32_t joint = 0; joint < parents().size(); ++joint) character_.skin.entries.push_back({int32_t(joint), {}});
  }

  void expect_found() const {
    const auto chains = find_chains(character_);
    ASSERT_TRUE(chains);
    ASSERT_TRUE(validate(*chains, character_));
    ASSERT_EQ(chains->size(), limbs_.size() + has_head_);
    size_t next = 0;
    for (const char* name : {"left leg", "right leg", "left arm", "right arm"}) {
      const auto limb = limbs_.find(name);
      if (limb == limbs_.end()) continue;
      ASSERT_EQ((*chains)[next].name, name);
      expect_limb(limb->second, std::get<TwoBoneChain>((*chains)[next++].kind));
    }
    if (has_head_) expect_head(std::get<AimChain>(chains->back().kind));
  }

 private:
  struct Limb {
    uint32_t joints[3] = {};
    Vec3 pole;  // in model space
    bool is_leg = false;
  };

  bool one_of(uint32_t count) { return random_() % count == 0; }
  float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Quat rotation() { return normalize(Quat{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)}); }
  std::vector<int32_t>& parents() { return character_.skeleton.parents; }

  static std::string named(std::string form, const std::string& word) { return form.replace(form.find('%'), 1, word); }

  /// `at`: y up, the front along z, the left along x.
  uint32_t add(const std::string& name, int32_t parent, Vec3 at) {
    const Vec3 place = turned(space_, at);
    const Quat own = rotation(), above = parent == kNoJoint ? Quat() : rotations_[size_t(parent)];
    const Vec3 origin = parent == kNoJoint ? Vec3() : places_[size_t(parent)];
    character_.skeleton.joint_names.push_back(name);
    parents().push_back(parent);
    character_.skeleton.rest_pose.push_back(
        {turned(conjugate_of(above), place - origin), conjugate_of(above) * own, {1, 1, 1}});
    places_.push_back(place), rotations_.push_back(own);
    return uint32_t(places_.size() - 1);
  }

  /// Joints between and beside those of a limb, with names that are much like theirs.
  uint32_t add_more(const std::string& form, const std::string& word, uint32_t joint, Vec3 at) {
    if (one_of(3)) add(named(form, word + "_twist"), int32_t(joint), at);
    if (one_of(3)) add(named(form, word + "_ik"), int32_t(joint), at);
    return one_of(4) ? add(named(form, word + "_roll"), int32_t(joint), at) : joint;
  }

  void add_limb(bool is_leg, float side, uint32_t above) {
    const std::string& form = side > 0 ? naming_.left : naming_.right;
    const auto& words = is_leg ? naming_.leg : naming_.arm;
    if (!is_leg) above = add(named(form, naming_.shoulder), int32_t(above), {0.1f * side, 1.4f, 0});
    const Vec3 along = is_leg ? Vec3{0, -1, 0} : Vec3{side, 0, 0};
    const Vec3 upper{(is_leg ? 0.1f : 0.2f) * side, is_leg ? 0.9f : 1.4f, 0};
    const Vec3 bend = cross(along, Vec3{between(-1, 1), between(-1, 1), between(-1, 1)});
    const bool is_straight = one_of(2);
    const uint32_t missing = one_of(4) ? 1 + random_() % 2 : 3;
    Limb limb;
    limb.is_leg = is_leg, limb.pole = turned(space_, is_straight ? Vec3{0, 0, is_leg ? 1.0f : -1.0f} : normalize(bend));
    for (uint32_t i = 0; i < 3; ++i) {
      Vec3 at = upper + along * (0.3f * float(i));
      if (i == 1 && !is_straight) at = at + normalize(bend) * between(0.03f, 0.2f);
      limb.joints[i] = add(i == missing ? "stick" : named(form, words[i]), int32_t(above), at);
      above = add_more(form, words[i], limb.joints[i], at);
    }
    if (missing == 3) limbs_[std::string(side > 0 ? "left " : "right ") + (is_leg ? "leg" : "arm")] = limb;
  }

  void add_head(uint32_t above) {
    has_head_ = !one_of(6), has_neck_ = !one_of(4);
    neck_ = add(has_neck_ ? named(naming_.middle, naming_.neck) : "stick", int32_t(above), {0, 1.5f, 0});
    head_ = add(has_head_ ? named(naming_.middle, naming_.head) : "stick", int32_t(neck_), {0, 1.6f, 0.05f});
    add(named(naming_.middle, "head_end"), int32_t(head_), {0, 1.8f, 0});
  }

  void expect_limb(const Limb& limb, const TwoBoneChain& chain) const {
    EXPECT_EQ(chain.upper, limb.joints[0]);
    EXPECT_EQ(chain.middle, limb.joints[1]);
    EXPECT_EQ(chain.end, limb.joints[2]);
    EXPECT_LT(length(normalize(turned(rotations_[chain.upper], chain.pole)) - limb.pole), 1e-4f);
    EXPECT_EQ(chain.end_orientation, limb.is_leg ? EndOrientation::kAlign : EndOrientation::kFollow);
  }

  void expect_head(const AimChain& chain) const {
    ASSERT_EQ(chain.joints.size(), has_neck_ ? 2u : 1u);
    EXPECT_EQ(chain.joints.back().joint, head_);
    EXPECT_LT(length(turned(rotations_[head_], chain.axis) - character_.space.front), 1e-5f);
    float low = INFINITY, high = -INFINITY;
    for (const Vec3 p : places_)
      low = std::min(low, dot(p, character_.space.up)), high = std::max(high, dot(p, character_.space.up));
    EXPECT_NEAR(chain.fade_distance, 0.15f * (high - low), 1e-5f);
    if (!has_neck_) return;
    EXPECT_EQ(chain.joints[0].joint, neck_);
    EXPECT_NEAR(chain.joints[0].share / (chain.joints[0].share + chain.joints[1].share), 0.35f, 1e-6f)
        << "a third is the neck's";
  }

  std::mt19937 random_;
  const Naming naming_;
  Quat space_;
  Character character_;
  std::vector<Vec3> places_;     // of joints, in model space
  std::vector<Quat> rotations_;  // likewise
  std::map<std::string, Limb> limbs_;
  bool has_head_ = false, has_neck_ = false;
  uint32_t head_ = 0, neck_ = 0;
};

TEST(FindChains, FindsTheLimbsOfRandomPeople) {
  for (uint32_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomPerson(seed).expect_found();
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(find_chains(test::random_rig({}))->empty());
}

}  // namespace
}  // namespace sinew
