// Fewer joints for a level of detail: joints whose own motion does not show are merged into those above them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lod/level_error.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew::internal {

/// How joints move what is given in model space of the rest pose: model_from_joint of a pose times its inverse in the
/// rest pose. Joint `joint_count` stands still: it moves what has no joint.
class JointMotion {
 public:
  /// Keeps at most 96 of the poses.
  JointMotion(const SamplePoses& poses, const Skeleton& skeleton);

  /// False if the rest pose flattens a joint, so that its inverse does not exist: then no joint can be merged.
  bool exists() const { return exists_; }
  uint32_t joint_count() const { return joint_count_; }
  uint32_t pose_count() const { return pose_count_; }
  const Matrix3x4& at(uint32_t pose, uint32_t joint) const {
    return motion_[size_t{pose} * (joint_count_ + 1) + joint];
  }
  /// Adds to `joints`, ascending, those between them that a bake must not fold: blends would move what is below on the
  /// chord in place of the arc, by more than `max_shift`, or would turn it the wrong way round. See bake() for another
  /// skin.
  void add_unfoldable(double max_shift, std::vector<uint32_t>& joints) const;
  /// Of the joints, in model space of the rest pose.
  std::span<const Vec3> origins() const { return origins_; }
  /// The joint above; joint_count() if there is none.
  uint32_t parent(uint32_t joint) const { return parents_[joint]; }
  /// The entry of `joint` in make_skin(joints).
  uint16_t entry_of(std::span<const uint32_t> joints, uint32_t joint) const;
  /// A skin whose entries are `joints`, ascending, for vertices in model space of the rest pose.
  Skin make_skin(std::span<const uint32_t> joints) const;

 private:
  double widest_angle(uint32_t joint) const;
  bool may_fold(uint32_t folded, uint32_t below, double max_shift) const;

  uint32_t joint_count_ = 0, pose_count_ = 0;
  bool exists_ = true;
  std::vector<uint32_t> parents_;
  std::vector<Matrix3x4d> joint_from_rest_;  // the inverse of model_from_joint in the rest pose
  std::vector<Matrix3x4> motion_;            // [pose][joint]
  std::vector<Vec3> origins_;                // of joints, in model space of the rest pose
  std::vector<double> bends_;  // of each joint: the widest angle between two poses, relative to its parent
};

/// How much a joint moves a point.
struct JointWeight {
  uint32_t joint = 0;
  float weight = 0;
};

/// The joints that move a vertex of a mesh; `none` stands for no joint.
std::vector<JointWeight> joint_weights(const Mesh& mesh, const Skin& skin, uint32_t none, uint32_t vertex);

/// Points in model space of the rest pose, and the joints that move them.
struct MovedPoints {
  std::vector<Vec3> rest;
  std::vector<uint32_t> first{0};  // in `weights`, of each point; then the end
  std::vector<JointWeight> weights;

  size_t count() const { return rest.size(); }
  std::span<const JointWeight> weights_of(size_t point) const {
    return std::span(weights).subspan(first[point], first[point + 1] - first[point]);
  }
  void add(Vec3 at, std::span<const JointWeight> moved_by) {
    rest.push_back(at);
    weights.insert(weights.end(), moved_by.begin(), moved_by.end());
    first.push_back(uint32_t(weights.size()));
  }
};

/// Merges joints one after the other, the one that shows least first, as long as no point moves by more than
/// `max_distance` in any pose. Returns of each joint the one that replaces it: itself where it is kept. Joints that
/// move no point replace nothing.
std::vector<uint32_t> merge_joints(const JointMotion& motion, const MovedPoints& points, double max_distance);

/// The weights of a point with merged joints, largest first, at most `max_count` of them, which add to 1.
std::vector<JointWeight> merged_weights(std::span<const JointWeight> weights, std::span<const uint32_t> replaced_by,
                                        size_t max_count);

/// The largest distance in any pose by which a point with the weights `merged` leaves one with `exact`.
double largest_shift(const JointMotion& motion, Vec3 rest, std::span<const JointWeight> exact,
                     std::span<const JointWeight> merged);

}  // namespace sinew::internal
