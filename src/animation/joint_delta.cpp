#include "joint_delta.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sinew/animation/pose.h"

namespace sinew {
namespace {

constexpr double kFlat = 1e-9;                 // the least share of its size that a matrix keeps along every axis
constexpr double kSimilarityTolerance = 1e-5;  // what a file's floats leave of a rotation times a scale

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

Matrix3x4d plus(Matrix3x4d a, const Matrix3x4d& b) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) a.m[r][c] += b.m[r][c];
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

/// The rotation of the polar decomposition; where the matrix is flat, one of those that it may have.
/// Source: Higham, "Computing the Polar Decomposition - with Applications", 1986: the mean with the inverse transpose.
Matrix3x4d rotation_of(const Matrix3x4d& linear) {
  Matrix3x4d x = determinant(linear) < 0 ? scaled(linear, -1) : linear;
  const double size = largest_difference(x, scaled(x, 0));
  if (!(size > 0)) return {};
  x = scaled(x, 1 / size);
  if (determinant(x) < kFlat) {
    const Matrix3x4d near = to_matrix({{}, to_transform(x).rotation, {1, 1, 1}}), flat = x;
    x = plus(flat, scaled(near, kFlat));
    if (determinant(x) < 0) x = plus(flat, scaled(near, -kFlat));  // the other side of the plane
    if (!(determinant(x) > 0)) return near;
  }
  for (int i = 0; i < 50; ++i) {
    const Matrix3x4d y = transposed(inverse(x));
    const Matrix3x4d mean = scaled(plus(x, y), 0.5);
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

Vec3 translation_of(const Matrix3x4d& a) { return {float(a.m[0][3]), float(a.m[1][3]), float(a.m[2][3])}; }

void multiply(const double (&a)[4], const double (&b)[4], double (&c)[4]) {
  c[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  c[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
  c[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
  c[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/// The uniform part of a matrix's scale.
double scale_of(const Matrix3x4d& a) { return std::cbrt(std::abs(determinant(a))); }

/// Nothing, or next to nothing, is left along some axis.
bool is_flat(const Matrix3x4d& a) {
  return !(std::abs(determinant(a)) > kFlat * std::pow(largest_difference(linear_part(a), scaled(a, 0)), 3));
}

/// Rotation, uniform scale and translation: the frames a delta is measured between.
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
    std::vector<int32_t> node_of(matters.size(), -1);
    add_constants(kNoJoint, {});
    add_root_transform();
    for (uint32_t j = 0; j < matters.size(); ++j) {
      if (!matters[j]) continue;
      const int32_t parent = character_.skeleton.parents[j];
      const bool has_entry = is_bound(j);
      bind_[j] = has_entry ? inverse(entries()[next_entry_].joint_from_mesh) : bind_of_unbound(j);
      BakedNode node;
      node.joint = int32_t(j);
      node.parent = parent == kNoJoint ? -1 : node_of[size_t(parent)];
      node.entry = has_entry ? int32_t(next_entry_++) : -1;
      node.origin = translation_of(bind_[j]);
      if (parent == kNoJoint) node.parent = above_roots_;
      node_of[j] = int32_t(plan_.nodes.size());
      plan_.nodes.push_back(node);
      plan_.frames.push_back(frames_between(parent == kNoJoint ? model_from_root_ : bind_[size_t(parent)], bind_[j]));
      add_constants(int32_t(j), bind_[j]);
    }
    divide_by_scale();
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      plan_.frames[i].constant_delta = decompose(plan_.frames[i].constant, plan_.nodes[i].origin);
    }
    return std::move(plan_);
  }

 private:
  const std::vector<SkinJoint>& entries() const { return character_.skin.entries; }

  /// The next entry is of joint `j`, and its bind pose is one a delta can be measured from.
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

  static NodeFrames frames_between(const Matrix3x4d& model_from_parent, const Matrix3x4d& bind) {
    NodeFrames frames;
    frames.model_from_parent = model_from_parent;
    frames.frame_from_model = inverse(bind);
    quaternion_of(rotation_of(linear_part(frames.model_from_parent)), frames.parent_rotation);
    quaternion_of(rotation_of(linear_part(frames.frame_from_model)), frames.inverse_bind_rotation);
    frames.scale = scale_of(frames.model_from_parent) * scale_of(frames.frame_from_model);
    return frames;
  }

  /// A root transform that stretches, shears or mirrors is a node of its own, above every root.
  void add_root_transform() {
    model_from_root_ = character_.skeleton.model_from_root;
    if (is_similarity(model_from_root_)) return;
    above_roots_ = int32_t(plan_.nodes.size());
    add_constant({}, model_from_root_);
    model_from_root_ = {};
  }

  /// The entries of `joint` that are a constant away from it.
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
    plan_.nodes.push_back(node);
    plan_.frames.push_back({});
    plan_.frames.back().constant = delta;
  }

  /// Takes the first root's scale at rest out of every root, so that a rig that is only large or small stays rigid.
  void divide_by_scale() {
    for (size_t i = 0; i < plan_.nodes.size() && plan_.scale == 1; ++i) {
      const BakedNode& node = plan_.nodes[i];
      if (node.parent >= 0) continue;
      const NodeFrames& frames = plan_.frames[i];
      const double scale = scale_of(
          node.joint == kNoJoint ? frames.constant : model_from_joint_[size_t(node.joint)] * frames.frame_from_model);
      if (scale > 0) plan_.scale = scale;
    }
    for (size_t i = 0; i < plan_.nodes.size(); ++i) {
      if (plan_.nodes[i].parent >= 0) continue;
      NodeFrames& frames = plan_.frames[i];
      frames.model_from_parent = scaled(frames.model_from_parent, 1 / plan_.scale);
      frames.scale /= plan_.scale;
      frames.constant = scaled(frames.constant, 1 / plan_.scale);
    }
  }

  const Character& character_;
  std::vector<Matrix3x4d> model_from_joint_;  // at rest
  std::vector<Matrix3x4d> bind_;              // B
  BakePlan plan_;
  Matrix3x4d model_from_root_;  // as far as roots have it to themselves
  int32_t above_roots_ = -1;
  size_t next_entry_ = 0;
};

}  // namespace

JointDelta decompose(const Matrix3x4d& delta, Vec3 origin) {
  const Matrix3x4d linear = linear_part(delta), rotation = rotation_of(linear);
  const Matrix3x4d stretch = transposed(rotation) * linear;
  JointDelta result;
  quaternion_of(rotation, result.rotation);
  for (int r = 0; r < 3; ++r) {
    result.translation[r] =
        delta.m[r][3] + linear.m[r][0] * origin.x + linear.m[r][1] * origin.y + linear.m[r][2] * origin.z;
    result.scale[r] = stretch.m[r][r];
  }
  result.scale[3] = (stretch.m[0][1] + stretch.m[1][0]) / 2;
  result.scale[4] = (stretch.m[0][2] + stretch.m[2][0]) / 2;
  result.scale[5] = (stretch.m[1][2] + stretch.m[2][1]) / 2;
  return result;
}

Matrix3x4d compose(const JointDelta& delta, Vec3 origin) {
  const double x = delta.rotation[0], y = delta.rotation[1], z = delta.rotation[2], w = delta.rotation[3];
  const double s = 2 / (x * x + y * y + z * z + w * w);
  const Matrix3x4d rotation = {{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), 0},
                                {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x), 0},
                                {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y), 0}}};
  const double* k = delta.scale;
  Matrix3x4d result = rotation * Matrix3x4d{{{k[0], k[3], k[4], 0}, {k[3], k[1], k[5], 0}, {k[4], k[5], k[2], 0}}};
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
  const auto matrix = [](const double(&k)[6]) {
    return Matrix3x4d{{{k[0], k[3], k[4], 0}, {k[3], k[1], k[5], 0}, {k[4], k[5], k[2], 0}}};
  };
  const Matrix3x4d k = matrix(base.scale) * matrix(additive.scale);  // along the same axes: symmetric again
  const double product[6] = {k.m[0][0], k.m[1][1], k.m[2][2], k.m[0][1], k.m[0][2], k.m[1][2]};
  std::copy(product, product + 6, sum.scale);
  return sum;
}

BakePlan plan_bake(const Character& character) { return Planner(character).plan(); }

namespace {

void local_rotation(const Transform& local, double (&q)[4]) {
  const Quat r = local.rotation;
  const double length = std::sqrt(double(r.x) * r.x + double(r.y) * r.y + double(r.z) * r.z + double(r.w) * r.w);
  if (!(length > 0)) return;
  q[0] = r.x / length, q[1] = r.y / length, q[2] = r.z / length, q[3] = r.w / length;
}

/// The scale along a joint's own axes, as a stretch along those of model space: transposed(R) * S * R.
void rotate_scale(Vec3 scale, const double (&rotation)[4], double size, double (&stretch)[6]) {
  const bool uniform = scale.x == scale.y && scale.y == scale.z;
  Matrix3x4d r;
  if (!uniform) r = linear_part(compose({{rotation[0], rotation[1], rotation[2], rotation[3]}}, {}));
  const double along[3] = {scale.x * size, scale.y * size, scale.z * size};
  const auto entry = [&](int i, int j) {
    return along[0] * r.m[0][i] * r.m[0][j] + along[1] * r.m[1][i] * r.m[1][j] + along[2] * r.m[2][i] * r.m[2][j];
  };
  stretch[0] = entry(0, 0), stretch[1] = entry(1, 1), stretch[2] = entry(2, 2);
  stretch[3] = entry(0, 1), stretch[4] = entry(0, 2), stretch[5] = entry(1, 2);
}

JointDelta delta_of(const NodeFrames& frames, const Transform& local) {
  JointDelta delta;
  double own[4] = {0, 0, 0, 1}, above[4];
  local_rotation(local, own);
  multiply(frames.parent_rotation, own, above);
  multiply(above, frames.inverse_bind_rotation, delta.rotation);
  const Vec3 t = local.translation;
  for (int r = 0; r < 3; ++r) {
    const double* row = frames.model_from_parent.m[r];
    delta.translation[r] = row[0] * t.x + row[1] * t.y + row[2] * t.z + row[3];
  }
  rotate_scale(local.scale, frames.inverse_bind_rotation, frames.scale, delta.scale);
  return delta;
}

JointDelta additive_delta_of(const NodeFrames& frames, const Transform& local) {
  JointDelta addition;
  double own[4] = {0, 0, 0, 1}, above[4];
  local_rotation(local, own);
  const double(&r)[4] = frames.inverse_bind_rotation;
  const double bind_rotation[4] = {-r[0], -r[1], -r[2], r[3]};
  multiply(bind_rotation, own, above);
  multiply(above, frames.inverse_bind_rotation, addition.rotation);
  const Vec3 t = local.translation;
  for (int i = 0; i < 3; ++i) {
    const double* row = frames.model_from_parent.m[i];
    addition.translation[i] = row[0] * t.x + row[1] * t.y + row[2] * t.z;
  }
  rotate_scale(local.scale, frames.inverse_bind_rotation, 1, addition.scale);
  return addition;
}

/// Each node's delta, times its parent's.
template <class DeltaOf>
void walk(const BakePlan& plan, std::span<Matrix3x4d> skinning, DeltaOf delta) {
  for (size_t i = 0; i < skinning.size(); ++i) {
    const int32_t parent = plan.nodes[i].parent;
    skinning[i] = parent < 0 ? scaled(delta(i), plan.scale) : skinning[size_t(parent)] * delta(i);
  }
}

}  // namespace

void compute_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas) {
  for (size_t i = 0; i < deltas.size(); ++i) {
    const BakedNode& node = plan.nodes[i];
    deltas[i] =
        node.joint == kNoJoint ? plan.frames[i].constant_delta : delta_of(plan.frames[i], pose[size_t(node.joint)]);
  }
}

void compute_additive_deltas(const BakePlan& plan, std::span<const Transform> pose, std::span<JointDelta> deltas) {
  for (size_t i = 0; i < deltas.size(); ++i) {
    const int32_t joint = plan.nodes[i].joint;
    deltas[i] = joint == kNoJoint ? JointDelta() : additive_delta_of(plan.frames[i], pose[size_t(joint)]);
  }
}

void walk_pose(const BakePlan& plan, std::span<const Transform> pose, std::span<Matrix3x4d> skinning) {
  walk(plan, skinning, [&](size_t i) {
    const NodeFrames& frames = plan.frames[i];
    const int32_t joint = plan.nodes[i].joint;
    if (joint == kNoJoint) return frames.constant;
    return frames.model_from_parent * to_matrix(pose[size_t(joint)]) * frames.frame_from_model;
  });
}

void walk_deltas(const BakePlan& plan, std::span<const JointDelta> deltas, std::span<Matrix3x4d> skinning) {
  walk(plan, skinning, [&](size_t i) { return compose(deltas[i], plan.nodes[i].origin); });
}

}  // namespace sinew
