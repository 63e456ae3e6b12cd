#include "joint_delta.h"

#include <cmath>

#include "asset/polar.h"
#include "sinew/animation/pose.h"

namespace sinew::internal {
namespace {

constexpr double kSimilarityTolerance = 1e-5;  // for the rounding of a file's floats

Vec3 translation_of(const Matrix3x4d& a) { return {float(a.m[0][3]), float(a.m[1][3]), float(a.m[2][3])}; }

void multiply(const double (&a)[4], const double (&b)[4], double (&c)[4]) {
  c[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  c[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  c[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  c[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

Matrix3x4d scale_matrix(const double (&k)[6]) {
  return {{{k[0], k[3], k[4], 0}, {k[3], k[1], k[5], 0}, {k[4], k[5], k[2], 0}}};
}

/// The upper half of a matrix.
void write_symmetric(const Matrix3x4d& k, double (&upper)[6]) {
  upper[0] = k.m[0][0], upper[1] = k.m[1][1], upper[2] = k.m[2][2];
  upper[3] = k.m[0][1], upper[4] = k.m[0][2], upper[5] = k.m[1][2];
}

/// The uniform scale of a matrix: the cube root of its volume factor.
double scale_of(const Matrix3x4d& a) { return std::cbrt(std::abs(determinant(a))); }

/// True if the matrix keeps no extent, or almost none, along some axis.
bool is_flat(const Matrix3x4d& a) {
  return !(std::abs(determinant(a)) > kFlat * std::pow(largest_difference(linear_part(a), scaled(a, 0)), 3));
}

/// True for rotation, uniform scale and translation: a delta is measured between such coordinate frames.
bool is_similarity(const Matrix3x4d& a) {
  const double size = scale_of(a);
  return determinant(a) > 0 &&
         largest_difference(scaled(rotation_of(linear_part(a)), size), linear_part(a)) < kSimilarityTolerance * size;
}

Matrix3x4d nearest_similarity(const Matrix3x4d& a) {
  const double size = scale_of(a);
  Matrix3x4d b = scaled(rotation_of(linear_part(a)), size > 0 ? size : 1);
  for (int r = 0; r < 3; ++r) b.m[r][3] = a.m[r][3];
  return b;
}

/// For each joint: whether the joint or a joint below it has a palette entry.
std::vector<bool> find_used_joints(const Skeleton& skeleton, const Skin& skin) {
  std::vector<bool> is_used(skeleton.joint_count());
  for (const PaletteEntry& entry : skin.entries) {
    if (entry.joint != kNoJoint) is_used[size_t(entry.joint)] = true;
  }
  for (size_t j = is_used.size(); j-- > 0;) {
    const int32_t parent = skeleton.parents[j];
    if (is_used[j] && parent != kNoJoint) is_used[size_t(parent)] = true;
  }
  return is_used;
}

class Planner {
 public:
  Planner(const Skeleton& skeleton, const Skin& skin, bool fold)
      : skeleton_(skeleton),
        skin_(skin),
        fold_(fold),
        model_from_joint_(skeleton.joint_count()),
        bind_(model_from_joint_.size()) {
    walk_hierarchy(skeleton, skeleton.rest_pose, model_from_joint_);
    plan_.rest_pose = skeleton.rest_pose;
  }

  BakePlan plan() {
    const std::vector<bool> is_used = find_used_joints(skeleton_, skin_);
    node_of_.assign(is_used.size(), -1), pending_.resize(is_used.size());
    add_constants(kNoJoint, {});
    add_root_transform();
    for (uint32_t j = 0; j < is_used.size(); ++j) {
      if (is_used[j]) add_joint(j);
    }
    divide_by_scale();
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      plan_.frames[i].constant_delta = decompose(plan_.frames[i].constant, plan_.nodes[i].origin);
    }
    return std::move(plan_);
  }

 private:
  const std::vector<PaletteEntry>& entries() const { return skin_.entries; }

  void add_joint(uint32_t j) {
    const int32_t parent = skeleton_.parents[j];
    const bool has_entry = is_bound(j);
    bind_[j] = has_entry ? inverse(entries()[next_entry_].joint_from_mesh) : bind_of_unbound(j);
    const NodeSpaces spaces = frames_between(parent == kNoJoint ? model_from_root_ : bind_[size_t(parent)], bind_[j]);
    const int32_t above = parent == kNoJoint ? above_roots_ : node_of_[size_t(parent)];
    std::vector<FoldedJoint> folded;
    if (parent != kNoJoint) folded = pending_[size_t(parent)];
    if (fold_ && !has_any_entry(j)) {
      folded.push_back({j, spaces});
      node_of_[j] = above, pending_[j] = std::move(folded);
      return;
    }
    BakedNode node;
    node.joint = int32_t(j);
    node.parent = above;
    node.entry = has_entry ? int32_t(next_entry_++) : -1;
    node.origin = translation_of(bind_[j]);
    node_of_[j] = int32_t(plan_.nodes.size());
    add_node(node, spaces);
    plan_.folded.back() = std::move(folded);
    add_constants(int32_t(j), bind_[j]);
  }

  void add_node(const BakedNode& node, const NodeSpaces& spaces) {
    plan_.nodes.push_back(node);
    plan_.frames.push_back(spaces);
    plan_.folded.emplace_back();
  }

  bool has_any_entry(uint32_t j) const {
    return next_entry_ < entries().size() && entries()[next_entry_].joint == int32_t(j);
  }

  /// True if the next entry belongs to joint `j` and its inverse bind matrix is a similarity.
  bool is_bound(uint32_t j) const { return has_any_entry(j) && is_similarity(entries()[next_entry_].joint_from_mesh); }

  /// The bind pose of a joint without an inverse bind matrix. In the rest pose, the joint gets the same skinning matrix
  /// as the next bound joint, which is usually below it.
  Matrix3x4d bind_of_unbound(uint32_t j) const {
    for (size_t e = next_entry_; e < entries().size(); ++e) {
      if (!is_similarity(entries()[e].joint_from_mesh)) continue;
      const Matrix3x4d at_rest = model_from_joint_[size_t(entries()[e].joint)] * entries()[e].joint_from_mesh;
      return nearest_similarity(inverse(at_rest) * model_from_joint_[j]);
    }
    return nearest_similarity(model_from_joint_[j]);
  }

  static NodeSpaces frames_between(const Matrix3x4d& model_from_parent, const Matrix3x4d& bind) {
    NodeSpaces frames;
    frames.model_from_parent = model_from_parent;
    frames.frame_from_model = inverse(bind);
    quaternion_of(rotation_of(linear_part(frames.model_from_parent)), frames.parent_rotation);
    quaternion_of(rotation_of(linear_part(frames.frame_from_model)), frames.inverse_bind_rotation);
    frames.scale = scale_of(frames.model_from_parent) * scale_of(frames.frame_from_model);
    return frames;
  }

  /// A root transform with non-uniform scale, shear or mirroring becomes a node of its own, above all roots.
  void add_root_transform() {
    model_from_root_ = skeleton_.model_from_root;
    if (is_similarity(model_from_root_)) return;
    above_roots_ = int32_t(plan_.nodes.size());
    add_constant({}, model_from_root_);
    model_from_root_ = {};
  }

  /// Adds the entries of `joint` that differ from it by a constant matrix. kNoJoint: entries without a joint.
  void add_constants(int32_t joint, const Matrix3x4d& bind) {
    const int32_t parent = joint == kNoJoint ? -1 : int32_t(plan_.nodes.size()) - 1;
    for (; next_entry_ < entries().size() && entries()[next_entry_].joint == joint; ++next_entry_) {
      const Matrix3x4d& joint_from_mesh = entries()[next_entry_].joint_from_mesh;
      BakedNode node;
      node.parent = parent;
      node.entry = int32_t(next_entry_);
      if (joint != kNoJoint && !is_flat(joint_from_mesh)) node.origin = translation_of(inverse(joint_from_mesh));
      add_constant(node, bind * joint_from_mesh);
    }
  }

  void add_constant(const BakedNode& node, const Matrix3x4d& delta) {
    add_node(node, {});
    plan_.frames.back().constant = delta;
  }

  /// Divides all roots by the rest pose scale of the first root, so that a rig with one uniform scale stays rigid.
  void divide_by_scale() {
    for (size_t i = 0; i < plan_.nodes.size() && plan_.scale == 1; ++i) {
      const BakedNode& node = plan_.nodes[i];
      if (node.parent >= 0) continue;
      const NodeSpaces& frames = plan_.frames[i];
      const double scale = scale_of(
          node.joint == kNoJoint ? frames.constant : model_from_joint_[size_t(node.joint)] * frames.frame_from_model);
      if (scale > 0) plan_.scale = scale;
    }
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      if (plan_.nodes[i].parent >= 0) continue;
      std::vector<FoldedJoint>& folded = plan_.folded[i];
      NodeSpaces& frames = folded.empty() ? plan_.frames[i] : folded.front().spaces;
      frames.model_from_parent = scaled(frames.model_from_parent, 1 / plan_.scale);
      frames.scale /= plan_.scale;
      frames.constant = scaled(frames.constant, 1 / plan_.scale);
    }
  }

  const Skeleton& skeleton_;
  const Skin& skin_;
  const bool fold_;
  std::vector<int32_t> node_of_;                   // of each joint: its node, or where it is folded the one above
  std::vector<std::vector<FoldedJoint>> pending_;  // of each folded joint: the joints folded down to it
  std::vector<Matrix3x4d> model_from_joint_;       // in the rest pose
  std::vector<Matrix3x4d> bind_;                   // B of each joint
  BakePlan plan_;
  Matrix3x4d model_from_root_;  // identity if the root transform is a node of its own
  int32_t above_roots_ = -1;    // the node of the root transform, or -1
  size_t next_entry_ = 0;
};

void local_rotation(const Transform& local, double (&q)[4]) {
  const Quat r = local.rotation;
  const double length = std::sqrt(double(r.x) * r.x + double(r.y) * r.y + double(r.z) * r.z + double(r.w) * r.w);
  if (!(length > 0)) return;
  q[0] = r.x / length, q[1] = r.y / length, q[2] = r.z / length, q[3] = r.w / length;
}

/// Converts a scale along the joint's axes to a symmetric matrix along model space's: transposed(R) * S * R * size.
void rotate_scale(Vec3 scale, const double (&rotation)[4], double size, double (&symmetric)[6]) {
  const bool uniform = scale.x == scale.y && scale.y == scale.z;
  Matrix3x4d r;
  if (!uniform) r = linear_part(compose({{rotation[0], rotation[1], rotation[2], rotation[3]}}, {}));
  const double along[3] = {scale.x * size, scale.y * size, scale.z * size};
  const auto entry = [&](int i, int j) {
    return along[0] * r.m[0][i] * r.m[0][j] + along[1] * r.m[1][i] * r.m[1][j] + along[2] * r.m[2][i] * r.m[2][j];
  };
  symmetric[0] = entry(0, 0), symmetric[1] = entry(1, 1), symmetric[2] = entry(2, 2);
  symmetric[3] = entry(0, 1), symmetric[4] = entry(0, 2), symmetric[5] = entry(1, 2);
}

JointDelta delta_of(const NodeSpaces& frames, const Transform& local) {
  JointDelta delta;
  double local_q[4] = {0, 0, 0, 1}, product_q[4];
  local_rotation(local, local_q);
  multiply(frames.parent_rotation, local_q, product_q);
  multiply(product_q, frames.inverse_bind_rotation, delta.rotation);
  const Vec3 t = local.translation;
  for (int r = 0; r < 3; ++r) {
    const double* row = frames.model_from_parent.m[r];
    delta.translation[r] = row[0] * t.x + row[1] * t.y + row[2] * t.z + row[3];
  }
  rotate_scale(local.scale, frames.inverse_bind_rotation, frames.scale, delta.scale);
  return delta;
}

JointDelta additive_delta_of(const NodeSpaces& frames, const Transform& local) {
  JointDelta addition;
  double local_q[4] = {0, 0, 0, 1}, product_q[4];
  local_rotation(local, local_q);
  const double(&r)[4] = frames.inverse_bind_rotation;
  const double bind_rotation[4] = {-r[0], -r[1], -r[2], r[3]};
  multiply(bind_rotation, local_q, product_q);
  multiply(product_q, frames.inverse_bind_rotation, addition.rotation);
  const Vec3 t = local.translation;
  for (int i = 0; i < 3; ++i) {
    const double* row = frames.model_from_parent.m[i];
    addition.translation[i] = row[0] * t.x + row[1] * t.y + row[2] * t.z;
  }
  rotate_scale(local.scale, frames.inverse_bind_rotation, 1, addition.scale);
  return addition;
}

/// The matrix M of a node in a pose: of the joints folded into it, then of its own.
Matrix3x4d matrix_of(const BakePlan& plan, size_t node, std::span<const Transform> pose) {
  const auto motion = [&](const NodeSpaces& spaces, size_t joint) {
    return spaces.model_from_parent * to_matrix(pose[joint]) * spaces.frame_from_model;
  };
  const Matrix3x4d own = motion(plan.frames[node], size_t(plan.nodes[node].joint));
  if (plan.folded[node].empty()) return own;
  Matrix3x4d above;
  for (const FoldedJoint& folded : plan.folded[node]) above = above * motion(folded.spaces, folded.joint);
  return above * own;
}

/// What add() adds to `rest` to get `sum`.
JointDelta difference(const JointDelta& rest, const JointDelta& sum) {
  JointDelta result;
  const double(&r)[4] = rest.rotation;
  multiply({-r[0], -r[1], -r[2], r[3]}, sum.rotation, result.rotation);
  for (int i = 0; i < 3; ++i) result.translation[i] = sum.translation[i] - rest.translation[i];
  const Matrix3x4d base = scale_matrix(rest.scale);
  if (is_flat(base)) return result;  // nothing can be multiplied with it to get another scale
  write_symmetric(inverse(base) * scale_matrix(sum.scale), result.scale);
  return result;
}

/// The pose of differences is added to the rest pose before the joints are multiplied.
JointDelta folded_difference(const BakePlan& plan, size_t node, std::span<const Transform> differences) {
  std::vector<Transform> pose = plan.rest_pose;
  add_pose({differences, 1, {}}, pose);
  const Vec3 origin = plan.nodes[node].origin;
  return difference(decompose(matrix_of(plan, node, plan.rest_pose), origin),
                    decompose(matrix_of(plan, node, pose), origin));
}

/// The skinning matrix of each node: that of the parent, times the node's delta. Roots also get the plan's scale.
template <class DeltaOf>
void walk(const BakePlan& plan, std::span<Matrix3x4d> skinning, DeltaOf delta) {
  for (size_t i = 0; i < skinning.size(); ++i) {
    const int32_t parent = plan.nodes[i].parent;
    skinning[i] = parent < 0 ? scaled(delta(i), plan.scale) : skinning[size_t(parent)] * delta(i);
  }
}

}  // namespace

JointDelta decompose(const Matrix3x4d& delta, Vec3 origin) {
  const Matrix3x4d linear = linear_part(delta), rotation = rotation_of(linear);
  const Matrix3x4d symmetric = transposed(rotation) * linear;
  JointDelta result;
  quaternion_of(rotation, result.rotation);
  for (int r = 0; r < 3; ++r) {
    result.translation[r] =
        delta.m[r][3] + linear.m[r][0] * origin.x + linear.m[r][1] * origin.y + linear.m[r][2] * origin.z;
    result.scale[r] = symmetric.m[r][r];
  }
  result.scale[3] = (symmetric.m[0][1] + symmetric.m[1][0]) / 2;
  result.scale[4] = (symmetric.m[0][2] + symmetric.m[2][0]) / 2;
  result.scale[5] = (symmetric.m[1][2] + symmetric.m[2][1]) / 2;
  return result;
}

Matrix3x4d compose(const JointDelta& delta, Vec3 origin) {
  const double x = delta.rotation[0], y = delta.rotation[1], z = delta.rotation[2], w = delta.rotation[3];
  const double s = 2 / (x * x + y * y + z * z + w * w);
  const Matrix3x4d rotation = {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0},
                                {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), 0},
                                {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y), 0}}};
  Matrix3x4d result = rotation * scale_matrix(delta.scale);
  for (int r = 0; r < 3; ++r) {
    const double* row = result.m[r];
    result.m[r][3] = delta.translation[r] - row[0] * origin.x - row[1] * origin.y - row[2] * origin.z;
  }
  return result;
}

JointDelta add(const JointDelta& base, const JointDelta& additive) {
  JointDelta sum = base;
  multiply(base.rotation, additive.rotation, sum.rotation);
  for (int i = 0; i < 3; ++i) sum.translation[i] += additive.translation[i];
  // Of scales along the same axes, the product is symmetric too.
  write_symmetric(scale_matrix(base.scale) * scale_matrix(additive.scale), sum.scale);
  return sum;
}

BakePlan plan_bake(const Character& character, const Skin& skin, bool fold) {
  return Planner(character.skeleton, skin, fold).plan();
}

void compute_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas) {
  for (size_t i = 0; i < deltas.size(); ++i) {
    const BakedNode& node = plan.nodes[i];
    if (node.joint == kNoJoint)
      deltas[i] = plan.frames[i].constant_delta;
    else if (plan.folded[i].empty())
      deltas[i] = delta_of(plan.frames[i], pose[size_t(node.joint)]);
    else
      deltas[i] = decompose(matrix_of(plan, i, pose), node.origin);
  }
}

void compute_additive_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas) {
  for (size_t i = 0; i < deltas.size(); ++i) {
    const int32_t joint = plan.nodes[i].joint;
    if (joint == kNoJoint)
      deltas[i] = JointDelta();
    else if (plan.folded[i].empty())
      deltas[i] = additive_delta_of(plan.frames[i], pose[size_t(joint)]);
    else
      deltas[i] = folded_difference(plan, i, pose);
  }
}

void walk_pose(const BakePlan& plan, std::span<const Transform> pose, std::span<Matrix3x4d> skinning) {
  walk(plan, skinning,
       [&](size_t i) { return plan.nodes[i].joint == kNoJoint ? plan.frames[i].constant : matrix_of(plan, i, pose); });
}

void walk_deltas(const BakePlan& plan, std::span<const JointDelta> deltas, std::span<Matrix3x4d> skinning) {
  walk(plan, skinning, [&](size_t i) { return compose(deltas[i], plan.nodes[i].origin); });
}

}  // namespace sinew::internal
