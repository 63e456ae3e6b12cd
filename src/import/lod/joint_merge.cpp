#include "lod/joint_merge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace sinew::internal {
namespace {

constexpr uint32_t kMaxMergePoses = 96;
constexpr double kMaxFoldedBend = 1.2;  // radians

Vec3 moved(const JointMotion& motion, uint32_t pose, Vec3 rest, std::span<const JointWeight> weights) {
  Vec3 sum;
  for (const JointWeight weight : weights)
    sum = sum + transform_point(motion.at(pose, weight.joint), rest) * weight.weight;
  return sum;
}

/// The state of merge_joints().
class JointMerger {
 public:
  JointMerger(const JointMotion& motion, const MovedPoints& points)
      : motion_(motion), points_(points), points_of_(motion.joint_count() + 1), replaced_by_(points_of_.size()) {
    std::iota(replaced_by_.begin(), replaced_by_.end(), 0u);
    for (uint32_t point = 0; point < points.count(); ++point) {
      for (const JointWeight weight : points.weights_of(point)) points_of_[weight.joint].push_back(point);
    }
  }

  /// A joint's cost grows, in general, when others are merged: the cheapest is computed again before it counts.
  std::vector<uint32_t> run(double max_distance) {
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    for (uint32_t joint = 0; joint < motion_.joint_count(); ++joint) add(joint, queue);
    while (!queue.empty()) {
      const Candidate best = queue.top();
      queue.pop();
      if (best.cost > max_distance) continue;
      const double cost = cost_of(best.joint);
      if (cost > max_distance) continue;
      if (!queue.empty() && cost > queue.top().cost)
        queue.push({cost, best.joint});
      else
        merge(best.joint);
    }
    return replaced_by_;
  }

 private:
  struct Candidate {
    double cost = 0;
    uint32_t joint = 0;
    friend bool operator>(const Candidate& a, const Candidate& b) {
      return a.cost != b.cost ? a.cost > b.cost : a.joint < b.joint;  // of equal ones, the deepest first
    }
  };

  template <class Queue>
  void add(uint32_t joint, Queue& queue) {
    if (points_of_[joint].empty() || target_of(joint) == motion_.joint_count()) return;
    queue.push({cost_of(joint), joint});
  }

  /// The nearest joint above that moves points.
  uint32_t target_of(uint32_t joint) const {
    uint32_t above = motion_.parent(joint);
    while (above != motion_.joint_count() && points_of_[above].empty()) above = motion_.parent(above);
    return above;
  }

  double cost_of(uint32_t joint) {
    std::vector<uint32_t> tried = replaced_by_;
    for (uint32_t& replaced : tried) replaced = replaced == joint ? target_of(joint) : replaced;
    double largest = 0;
    for (const uint32_t point : points_of_[joint]) {
      const auto exact = points_.weights_of(point);
      largest = std::max(
          largest, largest_shift(motion_, points_.rest[point], exact, merged_weights(exact, tried, exact.size())));
    }
    return largest;
  }

  void merge(uint32_t joint) {
    const uint32_t target = target_of(joint);
    for (uint32_t& replaced : replaced_by_) replaced = replaced == joint ? target : replaced;
    std::vector<uint32_t>& points = points_of_[target];
    points.insert(points.end(), points_of_[joint].begin(), points_of_[joint].end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    points_of_[joint].clear();
  }

  const JointMotion& motion_;
  const MovedPoints& points_;
  std::vector<std::vector<uint32_t>> points_of_;  // of each joint that is kept
  std::vector<uint32_t> replaced_by_;
};

}  // namespace

JointMotion::JointMotion(const SamplePoses& poses, const Skeleton& skeleton) : joint_count_(skeleton.joint_count()) {
  for (uint32_t joint = 0; joint < joint_count_; ++joint) {
    parents_.push_back(skeleton.parents[joint] < 0 ? joint_count_ : uint32_t(skeleton.parents[joint]));
    const Matrix3x4d& model_from_joint = poses.joints(SamplePoses::kRest)[joint];
    exists_ = exists_ && std::abs(determinant(model_from_joint)) > 1e-30;
    joint_from_rest_.push_back(exists_ ? inverse(model_from_joint) : Matrix3x4d());
  }
  parents_.push_back(joint_count_);
  const uint32_t stride = (poses.count() + kMaxMergePoses - 1) / kMaxMergePoses;
  for (uint32_t pose = 0; pose < poses.count(); pose += stride, ++pose_count_) {
    for (uint32_t joint = 0; joint < joint_count_; ++joint)
      motion_.push_back(matrix_cast<float>(poses.joints(pose)[joint] * joint_from_rest_[joint]));
    motion_.emplace_back();
  }
  for (uint32_t joint = 0; joint < joint_count_; ++joint) {
    const auto& m = poses.joints(SamplePoses::kRest)[joint].m;
    origins_.push_back({float(m[0][3]), float(m[1][3]), float(m[2][3])});
    bends_.push_back(widest_angle(joint));
  }
}

/// The axes of a joint's motion relative to that of its parent.
double JointMotion::widest_angle(uint32_t joint) const {
  std::vector<std::array<Vec3, 3>> axes;
  const auto axis = [](const Matrix3x4& m, int c) { return normalize(Vec3{m.m[0][c], m.m[1][c], m.m[2][c]}, {}); };
  for (uint32_t pose = 0; pose < pose_count_; ++pose) {
    const Matrix3x4 &own = at(pose, joint), &above = at(pose, parents_[joint]);
    std::array<Vec3, 3>& relative = axes.emplace_back();
    for (int i = 0; i < 3; ++i)
      relative[size_t(i)] = {dot(axis(above, 0), axis(own, i)), dot(axis(above, 1), axis(own, i)),
                             dot(axis(above, 2), axis(own, i))};
  }
  float least = 3;  // the trace of the rotation from one pose to the other
  for (size_t a = 0; a < axes.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      float trace = 0;
      for (size_t i = 0; i < 3; ++i) trace += dot(axes[a][i], axes[b][i]);
      least = std::min(least, trace);
    }
  }
  return std::acos(std::clamp((double(least) - 1) / 2, -1.0, 1.0));
}

bool JointMotion::may_fold(uint32_t folded, uint32_t below, double max_shift) const {
  const double arc = double(length(origins_[below] - origins_[folded])) * (1 - std::cos(bends_[folded] / 2));
  return bends_[folded] < kMaxFoldedBend && arc <= max_shift;
}

void JointMotion::add_unfoldable(double max_shift, std::vector<uint32_t>& joints) const {
  std::vector<uint32_t> added = joints;
  for (const uint32_t joint : joints) {
    for (uint32_t above = parent(joint), below = joint; above != joint_count_; above = parent(above)) {
      if (std::binary_search(joints.begin(), joints.end(), above)) break;
      if (may_fold(above, below, max_shift)) continue;
      added.push_back(above);
      below = above;
    }
  }
  std::sort(added.begin(), added.end());
  added.erase(std::unique(added.begin(), added.end()), added.end());
  joints = std::move(added);
}

Skin JointMotion::make_skin(std::span<const uint32_t> joints) const {
  Skin skin;
  if (!joints.empty() && joints.back() == joint_count_) skin.entries.emplace_back();  // constant entries come first
  for (const uint32_t joint : joints) {
    if (joint < joint_count_) skin.entries.push_back({int32_t(joint), joint_from_rest_[joint]});
  }
  return skin;
}

uint16_t JointMotion::entry_of(std::span<const uint32_t> joints, uint32_t joint) const {
  const bool has_constant = !joints.empty() && joints.back() == joint_count_;
  if (has_constant && joint == joint_count_) return 0;
  return uint16_t(std::lower_bound(joints.begin(), joints.end(), joint) - joints.begin() + has_constant);
}

std::vector<JointWeight> joint_weights(const Mesh& mesh, const Skin& skin, uint32_t none, uint32_t vertex) {
  std::vector<JointWeight> weights;
  for (const Influence influence : mesh.influences_of(vertex)) {
    const int32_t joint = skin.entries[influence.entry].joint;
    weights.push_back({joint == kNoJoint ? none : uint32_t(joint), influence.weight});
  }
  return weights;
}

std::vector<JointWeight> merged_weights(std::span<const JointWeight> weights, std::span<const uint32_t> replaced_by,
                                        size_t max_count) {
  std::vector<JointWeight> merged;
  for (const JointWeight weight : weights) {
    const uint32_t joint = replaced_by[weight.joint];
    const auto same = std::find_if(merged.begin(), merged.end(), [&](JointWeight m) { return m.joint == joint; });
    if (same != merged.end())
      same->weight += weight.weight;
    else
      merged.push_back({joint, weight.weight});
  }
  std::stable_sort(merged.begin(), merged.end(), [](JointWeight a, JointWeight b) { return a.weight > b.weight; });
  merged.resize(std::min(merged.size(), max_count));
  float sum = 0;
  for (const JointWeight weight : merged) sum += weight.weight;
  for (JointWeight& weight : merged) weight.weight /= sum;
  return merged;
}

double largest_shift(const JointMotion& motion, Vec3 rest, std::span<const JointWeight> exact,
                     std::span<const JointWeight> merged) {
  double largest = 0;
  for (uint32_t pose = 0; pose < motion.pose_count(); ++pose)
    largest = std::max(largest, double(length(moved(motion, pose, rest, merged) - moved(motion, pose, rest, exact))));
  return largest;
}

std::vector<uint32_t> merge_joints(const JointMotion& motion, const MovedPoints& points, double max_distance) {
  return JointMerger(motion, points).run(max_distance);
}

}  // namespace sinew::internal
