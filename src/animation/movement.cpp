#include "movement.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/hierarchy.h"
#include "sinew/palette.h"

namespace sinew {
namespace {

Matrix3x4d linear_part(Matrix3x4d a) {
  for (auto& row : a.m) row[3] = 0;
  return a;
}

Matrix3x4d transposed(const Matrix3x4d& a) {
  Matrix3x4d b;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) b.m[r][c] = a.m[c][r];
  }
  return b;
}

Matrix3x4d scaled(Matrix3x4d a, double s) {
  for (auto& row : a.m) {
    for (double& value : row) value *= s;
  }
  return a;
}

double largest_difference(const Matrix3x4d& a, const Matrix3x4d& b) {
  double largest = 0;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) largest = std::max(largest, std::abs(a.m[r][c] - b.m[r][c]));
  }
  return largest;
}

/// The rotation of the polar decomposition; that of the columns where the matrix is singular.
/// Source: Higham, "Computing the Polar Decomposition - with Applications", 1986: the mean with the inverse transpose.
Matrix3x4d rotation_of(const Matrix3x4d& linear) {
  Matrix3x4d x = determinant(linear) < 0 ? scaled(linear, -1) : linear;
  if (!(determinant(x) > 1e-12 * std::pow(largest_difference(x, scaled(x, 0)), 3))) {
    return to_matrix({{}, to_transform(linear).rotation, {1, 1, 1}});
  }
  for (int i = 0; i < 50; ++i) {
    const Matrix3x4d y = transposed(inverse(x));
    Matrix3x4d mean;
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) mean.m[r][c] = (x.m[r][c] + y.m[r][c]) / 2;
    }
    const double change = largest_difference(mean, x);
    x = mean;
    if (change < 1e-14) break;
  }
  return x;
}

/// As to_transform's rotation, but not rounded to float.
void quaternion_of(const Matrix3x4d& r, double (&q)[4]) {
  const Quat rough = to_transform(r).rotation;
  // One Newton step from the rounded quaternion: the axis of what it leaves over, halved.
  const Matrix3x4d rest = r * transposed(to_matrix({{}, rough, {1, 1, 1}}));
  const double x = (rest.m[2][1] - rest.m[1][2]) / 4, y = (rest.m[0][2] - rest.m[2][0]) / 4,
               z = (rest.m[1][0] - rest.m[0][1]) / 4;
  q[0] = rough.x + x * rough.w + y * rough.z - z * rough.y;
  q[1] = rough.y - x * rough.z + y * rough.w + z * rough.x;
  q[2] = rough.z + x * rough.y - y * rough.x + z * rough.w;
  q[3] = rough.w - x * rough.x - y * rough.y - z * rough.z;
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& component : q) component /= size;
}

/// The uniform part of a matrix's scale.
double scale_of(const Matrix3x4d& a) { return std::cbrt(std::abs(determinant(a))); }

/// Rotation, uniform scale and translation: the frames a movement is measured between.
bool is_similarity(const Matrix3x4d& a) {
  const double size = scale_of(a);
  return determinant(a) > 0 &&
         largest_difference(scaled(rotation_of(linear_part(a)), size), linear_part(a)) < 1e-4 * size;
}

Matrix3x4d nearest_similarity(const Matrix3x4d& a) {
  const double size = scale_of(a);
  Matrix3x4d b = scaled(rotation_of(linear_part(a)), size > 0 ? size : 1);
  for (int r = 0; r < 3; ++r) b.m[r][3] = a.m[r][3];
  return b;
}

std::vector<bool> joints_that_matter(const Character& character) {
  std::vector<bool> matters(character.skeleton.joint_count());
  for (const SkinJoint& entry : character.skin.entries) {
    if (entry.joint != kNoJoint) matters[size_t(entry.joint)] = true;
  }
  for (size_t j = matters.size(); j-- > 0;) {
    const int32_t parent = character.skeleton.parents[j];
    if (matters[j] && parent != kNoJoint) matters[size_t(parent)] = true;
  }
  return matters;
}

class Planner {
 public:
  explicit Planner(const Character& character)
      : character_(character), model_from_joint_(character.skeleton.joint_count()), bind_(model_from_joint_.size()) {
    walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint_);
  }

  BakePlan plan() {
    const std::vector<bool> matters = joints_that_matter(character_);
    std::vector<int32_t> step_of(matters.size(), -1);
    add_constants(kNoJoint, {});
    for (uint32_t j = 0; j < matters.size(); ++j) {
      if (!matters[j]) continue;
      const int32_t parent = character_.skeleton.parents[j];
      const bool has_entry = is_bound(j);
      bind_[j] = has_entry ? inverse(entries()[next_entry_].joint_from_mesh) : bind_of_unbound(j);
      BakedJoint step;
      step.joint = int32_t(j);
      step.parent = parent == kNoJoint ? -1 : step_of[size_t(parent)];
      step.entry = has_entry ? int32_t(next_entry_++) : -1;
      step.origin = {float(bind_[j].m[0][3]), float(bind_[j].m[1][3]), float(bind_[j].m[2][3])};
      step_of[j] = int32_t(plan_.joints.size());
      add(step, inverse(bind_[j]), parent == kNoJoint ? character_.skeleton.model_from_root : bind_[size_t(parent)],
          {});
      add_constants(int32_t(j), bind_[j]);
    }
    divide_by_scale();
    return std::move(plan_);
  }

 private:
  const std::vector<SkinJoint>& entries() const { return character_.skin.entries; }

  /// The next entry is of joint `j`, and its bind pose is one a movement can be measured from.
  bool is_bound(uint32_t j) const {
    return next_entry_ < entries().size() && entries()[next_entry_].joint == int32_t(j) &&
           is_similarity(entries()[next_entry_].joint_from_mesh);
  }

  /// Where a joint without an inverse bind stood when the first one below it was bound: at rest both move alike.
  Matrix3x4d bind_of_unbound(uint32_t j) const {
    for (size_t e = next_entry_; e < entries().size(); ++e) {
      if (!is_similarity(entries()[e].joint_from_mesh)) continue;
      const Matrix3x4d at_rest = model_from_joint_[size_t(entries()[e].joint)] * entries()[e].joint_from_mesh;
      return nearest_similarity(inverse(at_rest) * model_from_joint_[j]);
    }
    return nearest_similarity(model_from_joint_[j]);
  }

  /// The entries of `joint` that are a constant away from it.
  void add_constants(int32_t joint, const Matrix3x4d& bind) {
    const int32_t parent = joint == kNoJoint ? -1 : int32_t(plan_.joints.size()) - 1;
    for (; next_entry_ < entries().size() && entries()[next_entry_].joint == joint; ++next_entry_) {
      BakedJoint step;
      step.parent = parent;
      step.entry = int32_t(next_entry_);
      add(step, {}, {}, bind * entries()[next_entry_].joint_from_mesh);
    }
  }

  void add(const BakedJoint& step, const Matrix3x4d& frame_from_model, const Matrix3x4d& model_from_parent,
           const Matrix3x4d& constant) {
    plan_.joints.push_back(step);
    plan_.frame_from_model.push_back(frame_from_model);
    plan_.model_from_parent.push_back(model_from_parent);
    plan_.constants.push_back(constant);
  }

  /// Takes the first root's scale at rest out of every root, so that a rig that is only large or small stays rigid.
  void divide_by_scale() {
    for (size_t i = 0; i < plan_.joints.size() && plan_.scale == 1; ++i) {
      const BakedJoint& step = plan_.joints[i];
      if (step.parent >= 0) continue;
      const double scale =
          scale_of(step.joint == kNoJoint ? plan_.constants[i]
                                          : model_from_joint_[size_t(step.joint)] * plan_.frame_from_model[i]);
      if (scale > 0) plan_.scale = scale;
    }
    for (size_t i = 0; i < plan_.joints.size(); ++i) {
      if (plan_.joints[i].parent >= 0) continue;
      plan_.model_from_parent[i] = scaled(plan_.model_from_parent[i], 1 / plan_.scale);
      plan_.constants[i] = scaled(plan_.constants[i], 1 / plan_.scale);
    }
  }

  const Character& character_;
  std::vector<Matrix3x4d> model_from_joint_;  // at rest
  std::vector<Matrix3x4d> bind_;              // B
  BakePlan plan_;
  size_t next_entry_ = 0;
};

}  // namespace

Movement take_apart(const Matrix3x4d& movement, Vec3 origin) {
  const Matrix3x4d linear = linear_part(movement), rotation = rotation_of(linear);
  const Matrix3x4d stretch = transposed(rotation) * linear;
  Movement result;
  quaternion_of(rotation, result.rotation);
  for (int r = 0; r < 3; ++r) {
    result.place[r] =
        movement.m[r][3] + linear.m[r][0] * origin.x + linear.m[r][1] * origin.y + linear.m[r][2] * origin.z;
    result.stretch[r] = stretch.m[r][r];
  }
  result.stretch[3] = (stretch.m[0][1] + stretch.m[1][0]) / 2;
  result.stretch[4] = (stretch.m[0][2] + stretch.m[2][0]) / 2;
  result.stretch[5] = (stretch.m[1][2] + stretch.m[2][1]) / 2;
  return result;
}

Matrix3x4d put_together(const Movement& movement, Vec3 origin) {
  const double x = movement.rotation[0], y = movement.rotation[1], z = movement.rotation[2], w = movement.rotation[3];
  const double s = 2 / (x * x + y * y + z * z + w * w);
  const Matrix3x4d rotation = {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0},
                                {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), 0},
                                {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y), 0}}};
  const double* k = movement.stretch;
  Matrix3x4d result = rotation * Matrix3x4d{{{k[0], k[3], k[4], 0}, {k[3], k[1], k[5], 0}, {k[4], k[5], k[2], 0}}};
  for (int r = 0; r < 3; ++r) {
    const double* row = result.m[r];
    result.m[r][3] = movement.place[r] - row[0] * origin.x - row[1] * origin.y - row[2] * origin.z;
  }
  return result;
}

BakePlan plan_bake(const Character& character) { return Planner(character).plan(); }

namespace {

Matrix3x4d movement_of(const BakePlan& plan, size_t i, std::span<const Transform> pose) {
  const int32_t joint = plan.joints[i].joint;
  if (joint == kNoJoint) return plan.constants[i];
  return plan.model_from_parent[i] * to_matrix(pose[size_t(joint)]) * plan.frame_from_model[i];
}

/// Each step's movement, times its parent's.
template <class MovementOf>
std::vector<Matrix3x4d> walk(const BakePlan& plan, MovementOf movement) {
  std::vector<Matrix3x4d> skinning(plan.joints.size());
  for (size_t i = 0; i < skinning.size(); ++i) {
    const int32_t parent = plan.joints[i].parent;
    skinning[i] = parent < 0 ? scaled(movement(i), plan.scale) : skinning[size_t(parent)] * movement(i);
  }
  return skinning;
}

}  // namespace

std::vector<Movement> measure_movements(const BakePlan& plan, std::span<const Transform> pose) {
  std::vector<Movement> movements;
  movements.reserve(plan.joints.size());
  for (size_t i = 0; i < plan.joints.size(); ++i) {
    movements.push_back(take_apart(movement_of(plan, i, pose), plan.joints[i].origin));
  }
  return movements;
}

std::vector<Matrix3x4d> walk_pose(const BakePlan& plan, std::span<const Transform> pose) {
  return walk(plan, [&](size_t i) { return movement_of(plan, i, pose); });
}

std::vector<Matrix3x4d> walk_movements(const BakePlan& plan, std::span<const Movement> movements) {
  return walk(plan, [&](size_t i) { return put_together(movements[i], plan.joints[i].origin); });
}

}  // namespace sinew
