#include "sinew/animation/inverse_kinematics.h"

#include <algorithm>
#include <cassert>
#include <string>

#include "asset/exceptions.h"
#include "asset/plain_text.h"
#include "chain_solver.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/mesh.h"

namespace sinew {

using namespace internal;
namespace {

constexpr float kMinSine = 0.02f;  // between two directions that must not be parallel: 1 degree
constexpr double kMinLastShare = 0.1;

Vec3d place_of(const Matrix3x4d& matrix) { return {matrix.m[0][3], matrix.m[1][3], matrix.m[2][3]}; }

Vec3d direction(const Matrix3x4d& matrix, Vec3 a) {
  const auto row = [&](int r) {
    return matrix.m[r][0] * double(a.x) + matrix.m[r][1] * double(a.y) + matrix.m[r][2] * double(a.z);
  };
  return {row(0), row(1), row(2)};
}

// --- checks ---

bool is_direction(Vec3 a) { return is_finite(a) && length(a) > 0 && std::isfinite(length(a)); }

bool are_parallel(Vec3 a, Vec3 b) { return !(length(cross(normalize(a), normalize(b))) >= kMinSine); }

/// Checks the chains of one character, one after the other.
class ChainCheck {
 public:
  explicit ChainCheck(const Character& character)
      : skeleton_(character.skeleton), chain_of_(character.skeleton.joint_count(), nullptr) {}

  Status check(const Chain& chain) {
    chain_ = &chain;
    const auto* two_bone = std::get_if<TwoBoneChain>(&chain.kind);
    Status status = two_bone != nullptr ? check_two_bone(*two_bone) : check_aim(std::get<AimChain>(chain.kind));
    return status ? claim() : status;
  }

 private:
  Error refuse(const std::string& why) const {
    return {ErrorCode::kInvalidArgument, "chain '" + chain_->name + "': " + why};
  }
  std::string quoted(uint32_t joint) const { return "'" + skeleton_.joint_names[joint] + "'"; }

  Status check_range(const char* what, float value, float low, float high) const {
    if (value >= low && value <= high) return {};
    return refuse(std::string(what) + " is " + number_text(double(value)) + ", not from " + number_text(double(low)) +
                  " to " + number_text(double(high)));
  }

  Status check_joint(uint32_t joint) const {
    if (joint < skeleton_.joint_count()) return {};
    return refuse("the character has no joint " + std::to_string(joint));
  }

  Status check_below(uint32_t joint, uint32_t above) const {
    if (Status status = check_joint(joint); !status) return status;
    for (int32_t parent = skeleton_.parents[joint]; parent != kNoJoint; parent = skeleton_.parents[size_t(parent)]) {
      if (uint32_t(parent) == above) return {};
    }
    return refuse("joint " + quoted(joint) + " is not below joint " + quoted(above));
  }

  Status check_two_bone(const TwoBoneChain& chain) const {
    for (const Status& status : {check_joint(chain.upper), check_range("reach", chain.reach, 0.1f, 1),
                                 check_range("soft", chain.soft, 0.02f, 0.5f)}) {
      if (!status) return status;
    }
    if (Status status = check_below(chain.middle, chain.upper); !status) return status;
    if (Status status = check_below(chain.end, chain.middle); !status) return status;
    if (!is_direction(chain.pole)) return refuse("the pole is not a direction");
    if (is_direction(bone(chain)) && are_parallel(chain.pole, bone(chain)))
      return refuse("the pole is along the upper bone");
    return {};
  }

  /// In the rest pose, from the upper joint to the middle one, in the space of the upper one.
  Vec3 bone(const TwoBoneChain& chain) const {
    Matrix3x4d upper_from_joint;
    for (uint32_t joint = chain.middle; joint != chain.upper; joint = uint32_t(skeleton_.parents[joint]))
      upper_from_joint = to_matrix(skeleton_.rest_pose[joint]) * upper_from_joint;
    return transform_point(upper_from_joint, {});
  }

  Status check_aim(const AimChain& chain) const {
    if (chain.joints.empty()) return refuse("it has no joint");
    if (chain.joints.size() > kMaxAimJoints)
      return refuse("it has more than " + std::to_string(kMaxAimJoints) + " joints");
    if (Status status = check_joint(chain.joints[0].joint); !status) return status;
    for (size_t i = 0; i < chain.joints.size(); ++i) {
      if (Status status = check_range("a share", chain.joints[i].share, 1e-6f, 1e6f); !status) return status;
      if (i == 0) continue;
      if (Status status = check_below(chain.joints[i].joint, chain.joints[i - 1].joint); !status) return status;
    }
    if (share_of(chain, chain.joints.size() - 1) < kMinLastShare)
      return refuse("the share of the last joint is less than a tenth");
    if (!is_direction(chain.axis)) return refuse("the axis is not a direction");
    if (!is_finite(chain.offset)) return refuse("the offset is not finite");
    if (!is_finite(chain.up)) return refuse("up is not finite");
    if (is_direction(chain.up) && are_parallel(chain.up, chain.axis)) return refuse("up is along the axis");
    if (Status status = check_range("max_angle", chain.max_angle, 0.01f, 2.3f); !status) return status;
    return check_range("fade_distance", chain.fade_distance, 0, kMaxCoordinate);
  }

  /// Keeps the joints from the first to the last for this chain.
  Status claim() {
    for (uint32_t joint = last_joint(*chain_);; joint = uint32_t(skeleton_.parents[joint])) {
      if (chain_of_[joint] != nullptr)
        return refuse("joint " + quoted(joint) + " is part of chain '" + chain_of_[joint]->name + "'");
      chain_of_[joint] = chain_;
      if (joint == first_joint(*chain_)) return {};
    }
  }

  const Skeleton& skeleton_;
  std::vector<const Chain*> chain_of_;  // of each joint
  const Chain* chain_ = nullptr;
};

// --- the stage ---

/// Joints in model space, of which whole branches can be turned.
class Joints {
 public:
  Joints(const Skeleton& skeleton, std::span<Matrix3x4d> model_from_joint)
      : skeleton_(skeleton), model_from_joint_(model_from_joint) {}

  const Matrix3x4d& operator[](uint32_t joint) const { return model_from_joint_[joint]; }
  Vec3d place(uint32_t joint) const { return place_of(model_from_joint_[joint]); }

  /// Turns a joint and all below it about its place. They follow each other: joints are in depth-first order.
  void turn(uint32_t joint, const Rotation& rotation) {
    const Vec3d place = place_of(model_from_joint_[joint]);
    size_t each = joint;
    do {
      model_from_joint_[each] = rotated(model_from_joint_[each], rotation, place);
      ++each;
    } while (each < model_from_joint_.size() && skeleton_.parents[each] >= int32_t(joint));
  }

 private:
  const Skeleton& skeleton_;
  std::span<Matrix3x4d> model_from_joint_;
};

void apply(const TwoBoneChain& chain, const CleanTarget& target, Vec3 up, Joints& joints) {
  const TwoBonePose pose{joints.place(chain.upper), joints.place(chain.middle), joints.place(chain.end),
                         direction(joints[chain.upper], chain.pole)};
  const TwoBoneRotations rotations = solve_two_bone(pose, chain, target, up);
  joints.turn(chain.upper, rotations.upper);
  joints.turn(chain.middle, rotations.middle);
  joints.turn(chain.end, rotations.end);
}

void apply(const AimChain& chain, const CleanTarget& target, Vec3 up, Joints& joints) {
  const size_t last = chain.joints.size() - 1;
  const uint32_t end = chain.joints[last].joint;
  const auto pose = [&] {
    return AimPose{joints.place(end), direction(joints[end], chain.axis), direction(joints[end], chain.offset),
                   direction(joints[end], chain.up)};
  };
  const AimPlan plan = plan_aim(pose(), chain, target);
  for (size_t i = 0; i < last; ++i) joints.turn(chain.joints[i].joint, share_of(plan, share_of(chain, i)));
  joints.turn(end, finish_aim(pose(), chain, plan, share_of(chain, last), up));
}

/// The target that counts for a chain.
std::optional<CleanTarget> target_of(size_t chain, std::span<const ChainTarget> targets) {
  for (size_t i = targets.size(); i-- > 0;) {
    if (targets[i].chain == chain) return clean(targets[i]);
  }
  return std::nullopt;
}

/// The chain that begins at a joint; null if there is none.
const Chain* chain_at(uint32_t joint, std::span<const Chain> chains) {
  const auto found = std::ranges::find_if(chains, [&](const Chain& chain) { return first_joint(chain) == joint; });
  return found == chains.end() ? nullptr : &*found;
}

}  // namespace

Status validate(std::span<const Chain> chains, const Character& character) SINEW_TRY {
  if (chains.size() > kMaxChains) {
    return Error{ErrorCode::kInvalidArgument,
                 "chains: there are " + std::to_string(chains.size()) + ", more than " + std::to_string(kMaxChains)};
  }
  ChainCheck check(character);
  for (const Chain& chain : chains) {
    if (Status status = check.check(chain); !status) return status;
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

void apply_chains(const Character& character, std::span<const Chain> chains, std::span<const ChainTarget> targets,
                  std::span<Matrix3x4d> model_from_joint) {
  assert(model_from_joint.size() == character.skeleton.joint_count());
  if (targets.empty()) return;
  Joints joints(character.skeleton, model_from_joint);
  // From the root on: a chain sees what the chains above it have done.
  for (uint32_t joint = 0; joint < model_from_joint.size(); ++joint) {
    const Chain* chain = chain_at(joint, chains);
    if (chain == nullptr) continue;
    const std::optional<CleanTarget> target = target_of(size_t(chain - chains.data()), targets);
    if (!target) continue;
    std::visit([&](const auto& kind) { apply(kind, *target, character.space.up, joints); }, chain->kind);
  }
}

}  // namespace sinew
