#include "sinew/animation/retarget.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "asset/exceptions.h"
#include "asset/node_pairs.h"
#include "asset/plain_text.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;
namespace {

constexpr double kCubicKeysPerSecond = 60;
constexpr double kMinRootMotion = 1e-4;  // of the height: less is rounding, and another joint is the root

struct Rotation {
  double x = 0, y = 0, z = 0, w = 1;
};

Rotation operator*(const Rotation& a, const Rotation& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
Rotation conjugate(const Rotation& a) { return {-a.x, -a.y, -a.z, a.w}; }
Rotation rotation_of(Quat q) { return {q.x, q.y, q.z, q.w}; }
Rotation rotation_of(const Matrix3x4d& matrix) { return rotation_of(to_transform(matrix).rotation); }

/// From the axes left, up, front of a model to the coordinates that its vertices have.
Matrix3x4d model_from_axes(const ModelSpace& space) {
  const Vec3 left = cross(space.up, space.front);
  Matrix3x4d matrix;
  const Vec3 columns[] = {left, space.up, space.front};
  for (int column = 0; column < 3; ++column) {
    matrix.m[0][column] = columns[column].x, matrix.m[1][column] = columns[column].y;
    matrix.m[2][column] = columns[column].z;
  }
  return matrix;
}

/// A skeleton in one pose.
class Posed {
 public:
  explicit Posed(const Skeleton& skeleton)
      : skeleton_(skeleton),
        pose_(skeleton.rest_pose),
        rotations_(skeleton.joint_count()),
        matrices_(skeleton.joint_count()),
        root_(rotation_of(skeleton.model_from_root)) {
    walk();
  }

  std::vector<Transform>& pose() { return pose_; }
  /// After a change of the pose.
  void walk() {
    walk_hierarchy(skeleton_, pose_, matrices_);
    for (uint32_t j = 0; j < rotations_.size(); ++j) rotations_[j] = of_parent(j) * rotation_of(pose_[j].rotation);
  }

  /// Sets the joint's rotation in model space. Those of its ancestors must be set.
  void turn(uint32_t joint, const Rotation& model) {
    const Rotation local = conjugate(of_parent(joint)) * model;
    pose_[joint].rotation = normalize(Quat{float(local.x), float(local.y), float(local.z), float(local.w)});
    rotations_[joint] = model;
  }
  /// Updates the rotation of a joint that only its ancestors turn.
  void follow(uint32_t joint) { rotations_[joint] = of_parent(joint) * rotation_of(pose_[joint].rotation); }

  const Rotation& rotation(uint32_t joint) const { return rotations_[joint]; }
  Vec3 position(uint32_t joint) const {
    const auto& m = matrices_[joint].m;
    return {float(m[0][3]), float(m[1][3]), float(m[2][3])};
  }
  /// After walk().
  const Matrix3x4d& matrix_of_parent(uint32_t joint) const {
    const int32_t parent = skeleton_.parents[joint];
    return parent == kNoJoint ? skeleton_.model_from_root : matrices_[size_t(parent)];
  }

 private:
  const Rotation& of_parent(uint32_t joint) const {
    const int32_t parent = skeleton_.parents[joint];
    return parent == kNoJoint ? root_ : rotations_[size_t(parent)];
  }

  const Skeleton& skeleton_;
  std::vector<Transform> pose_;
  std::vector<Rotation> rotations_;
  std::vector<Matrix3x4d> matrices_;
  Rotation root_;
};

/// The skeleton whose rest pose rotations are relative to. Without a mesh that of a file is often the first frame of
/// its motion: then the axes of paired joints are taken to lie in space as those of `to` do, whatever is above them.
/// The rest pose of VRM files is a T-pose.
Skeleton reference_of(const Character& from, const Character& to, std::span<const JointPair> pairs,
                      const Rotation& to_from) {
  Skeleton skeleton = from.skeleton;
  if (from.mesh.vertex_count() > 0 || !skeleton.humanoid_names.empty()) return skeleton;
  std::vector<int32_t> target_of(skeleton.joint_count(), kNoJoint);
  for (const JointPair& pair : pairs) target_of[pair.from] = int32_t(pair.to);
  const Posed target(to.skeleton);
  Posed rest(from.skeleton);
  for (uint32_t joint = 0; joint < target_of.size(); ++joint) {
    if (target_of[joint] == kNoJoint) {
      rest.follow(joint);
    } else {
      rest.turn(joint, conjugate(to_from) * target.rotation(uint32_t(target_of[joint])));
    }
  }
  skeleton.rest_pose = rest.pose();
  return skeleton;
}

double height_of(const Skeleton& skeleton, Vec3 up) {
  const Posed rest(skeleton);
  double low = INFINITY, high = -INFINITY;
  for (uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    const double height = dot(rest.position(j), up);
    low = std::min(low, height), high = std::max(high, height);
  }
  return high - low;
}

/// Of VRM's hips above the ground in the rest pose; 0 without them.
double hips_height(const Skeleton& skeleton, Vec3 up) {
  const std::vector<std::string>& bones = skeleton.humanoid_names;
  const auto hips = std::find(bones.begin(), bones.end(), "hips");
  return hips == bones.end() ? 0 : dot(Posed(skeleton).position(uint32_t(hips - bones.begin())), up);
}

struct Heights {
  double from = 0, to = 0;
};

/// Of VRM's hips if both have them: a clip of VRM may have few bones, and then the extent of its joints is meaningless.
Heights heights_of(const Skeleton& from, Vec3 from_up, const Skeleton& to, Vec3 to_up) {
  const Heights hips = {hips_height(from, from_up), hips_height(to, to_up)};
  return hips.from > 0 && hips.to > 0 ? hips : Heights{height_of(from, from_up), height_of(to, to_up)};
}

/// Collects the times of keys within a clip, up to a limit: the times at which tracks have keys, the times just before
/// steps, and times between cubic keys.
class KeyTimes {
 public:
  KeyTimes(const Clip& clip, double limit)
      : start_(clip.start_seconds), end_(clip.end_seconds), limit_(limit), times_{start_, end_} {}

  template <class Value>
  void add(const Track<Value>& track) {
    for (size_t i = 0; i < track.times_seconds.size() && fits(); ++i) {
      const float time = track.times_seconds[i];
      add(time);
      if (i == 0) continue;
      const float before = track.times_seconds[i - 1];
      if (track.interpolation == Interpolation::kStep || time == before) add(std::nextafter(time, -INFINITY));
      if (track.interpolation == Interpolation::kCubic) add_between(before, time);
    }
  }

  /// False if there are more times than the limit allows.
  bool fits() const { return needed_ <= limit_; }
  /// How many there are; above the limit, how many at least.
  double needed() const { return needed_; }

  std::vector<float> take() {
    merge();
    return std::move(times_);
  }

 private:
  void add(float time) {
    if (time < start_ || time > end_) return;
    times_.push_back(time);
    if (times_.size() >= 2 * merged_ + kMinMerged) merge();
  }

  void add_between(double before, double time) {
    const double parts = std::ceil((time - before) * kCubicKeysPerSecond), part_seconds = (time - before) / parts;
    if (!(parts > 1)) return;
    const double first = std::max(1.0, std::ceil((start_ - before) / part_seconds));
    const double last = std::min(parts - 1, std::floor((end_ - before) / part_seconds));
    needed_ = std::max(needed_, last - first + 1);
    for (double part = first; part <= last && fits(); ++part) add(float(before + (time - before) * part / parts));
  }

  /// Tracks have many times in common: repeats are removed before they take much memory.
  void merge() {
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    merged_ = times_.size();
    needed_ = std::max(needed_, double(merged_));
  }

  static constexpr size_t kMinMerged = 1024;

  float start_, end_;
  double limit_, needed_ = 0;
  std::vector<float> times_;
  size_t merged_ = 0;  // the first of `times_`, sorted and without repeats
};

const JointTracks* tracks_of(const Clip& clip, uint32_t joint) {
  const auto found = std::lower_bound(clip.tracks.begin(), clip.tracks.end(), joint,
                                      [](const JointTracks& tracks, uint32_t j) { return tracks.joint < j; });
  return found != clip.tracks.end() && found->joint == joint ? &*found : nullptr;
}

class Retargeting {
 public:
  Retargeting(const Character& from, const Character& to, std::span<const JointPair> pairs)
      : pairs_(pairs),
        source_(from.skeleton),
        target_(to.skeleton),
        from_(from),
        to_(to),
        to_from_(rotation_of(model_from_axes(to.space) * inverse(model_from_axes(from.space)))),
        reference_(reference_of(from, to, pairs, to_from_)),
        source_rest_(reference_),
        target_rest_(to.skeleton),
        heights_(heights_of(reference_, from.space.up, to.skeleton, to.space.up)),
        source_of_(to.skeleton.joint_count(), kNoJoint) {
    for (const JointPair& pair : pairs) source_of_[pair.to] = int32_t(pair.from);
  }

  /// Fails if the clip needs more poses than are left.
  Result<Clip> run(const Clip& clip) {
    clip_ = &clip;
    const double joints = double(from_.skeleton.joint_count()) + to_.skeleton.joint_count();
    KeyTimes key_times(clip, poses_left_ / joints);
    for (const JointTracks& tracks : clip.tracks) key_times.add(tracks.rotation), key_times.add(tracks.translation);
    const std::vector<float> times = key_times.take();
    const std::vector<const WeightTrack*> weights = find_weights();
    if (!key_times.fits()) return too_many(key_times.needed() * joints);
    double poses = double(times.size()) * joints;
    for (const WeightTrack* track : weights) poses += track != nullptr ? double(track->weight.values.size()) : 0;
    if (poses > poses_left_) return too_many(poses);
    poses_left_ -= poses;
    find_root(times);
    if (root_ != kNoJoint && !(heights_.from > 0 && heights_.to > 0)) return no_height();
    return clip_at(times, weights);
  }

 private:
  Error too_many(double poses) const {
    return {ErrorCode::kUnsupported, "retarget: clip '" + clip_->name + "' of " +
                                         number_text(clip_->duration_seconds()) + " s needs " + number_text(poses) +
                                         " poses of joints or more, and " + number_text(poses_left_, 9) +
                                         " are left of " + std::to_string(kMaxRetargetedPoses)};
  }

  /// Only how far the root moves depends on heights.
  Error no_height() const {
    const Character& flat = heights_.from > 0 ? to_ : from_;
    return {ErrorCode::kUnsupported, "retarget: the joints of '" + flat.name + "' have no height"};
  }

  Clip clip_at(std::span<const float> times, std::span<const WeightTrack* const> weights) {
    Clip result;
    result.name = clip_->name;
    result.start_seconds = clip_->start_seconds, result.end_seconds = clip_->end_seconds;
    result.markers = clip_->markers;
    for (const JointPair& pair : pairs_) result.tracks.push_back({pair.to, {}, {}, {}});
    for (const float time : times) {
      pose_at(time);
      for (JointTracks& tracks : result.tracks) add_key(time, target_.pose()[tracks.joint], tracks);
    }
    for (uint32_t t = 0; t < weights.size(); ++t) {
      if (weights[t] != nullptr) result.weights.push_back({t, weights[t]->weight});
    }
    return result;
  }

  /// The first paired joint that moves by itself, or with joints above it that have no pair.
  void find_root(std::span<const float> times) {
    root_ = kNoJoint;
    std::vector<bool> seen(from_.skeleton.joint_count());
    for (const JointPair& pair : pairs_) seen[pair.from] = true;
    for (const JointPair& pair : pairs_) {
      auto joint = int32_t(pair.from);
      do {
        seen[size_t(joint)] = true;
        if (is_translated(uint32_t(joint), times)) {
          root_ = int32_t(pair.to);
          return;
        }
        joint = from_.skeleton.parents[size_t(joint)];
      } while (joint != kNoJoint && !seen[size_t(joint)]);
    }
  }

  bool is_translated(uint32_t joint, std::span<const float> times) const {
    const JointTracks* tracks = tracks_of(*clip_, joint);
    if (tracks == nullptr || tracks->translation.values.empty()) return false;
    const Vec3 rest = from_.skeleton.rest_pose[joint].translation;
    const Clip alone{"", 0, 0, {{0, tracks->translation, {}, {}}}};  // one joint's: a whole pose takes as many times
    const Skeleton skeleton{{""}, {kNoJoint}, {{}}, {}};
    Transform pose;
    return std::any_of(times.begin(), times.end(), [&](float time) {
      sample_clip(alone, skeleton, time, {&pose, 1});
      return length(pose.translation - rest) > float(kMinRootMotion * heights_.from);
    });
  }

  void sample(float time) {
    sample_clip(*clip_, from_.skeleton, time, source_.pose());
    source_.walk();
  }

  void pose_at(float time) {
    sample(time);
    target_.pose() = to_.skeleton.rest_pose;
    for (uint32_t joint = 0; joint < source_of_.size(); ++joint) {
      if (source_of_[joint] == kNoJoint) {
        target_.follow(joint);
        continue;
      }
      const auto from = uint32_t(source_of_[joint]);
      const Rotation turned = source_.rotation(from) * conjugate(source_rest_.rotation(from));
      target_.turn(joint, to_from_ * turned * conjugate(to_from_) * target_rest_.rotation(joint));
    }
    if (root_ != kNoJoint) move_root();
  }

  void move_root() {
    const auto root = uint32_t(root_), from = uint32_t(source_of_[root]);
    const Vec3 moved = source_.position(from) - source_rest_.position(from);
    const Rotation turned = to_from_ * Rotation{moved.x, moved.y, moved.z, 0} * conjugate(to_from_);
    const Vec3 wanted = target_rest_.position(root) +
                        Vec3{float(turned.x), float(turned.y), float(turned.z)} * float(heights_.to / heights_.from);
    target_.walk();
    target_.pose()[root].translation = transform_point(inverse(target_.matrix_of_parent(root)), wanted);
  }

  void add_key(float time, const Transform& local, JointTracks& tracks) const {
    Quat rotation = local.rotation;
    if (!tracks.rotation.values.empty() && dot(rotation, tracks.rotation.values.back()) < 0) rotation = -rotation;
    tracks.rotation.times_seconds.push_back(time);
    tracks.rotation.values.push_back(rotation);
    if (int32_t(tracks.joint) != root_) return;
    tracks.translation.times_seconds.push_back(time);
    tracks.translation.values.push_back(local.translation);
  }

  /// For each target of `to_` the first track with its name, or null.
  std::vector<const WeightTrack*> find_weights() const {
    std::unordered_map<std::string_view, const WeightTrack*> by_name;
    for (const WeightTrack& track : clip_->weights) by_name.try_emplace(from_.mesh.targets[track.target].name, &track);
    std::vector<const WeightTrack*> found;
    for (const MorphTarget& target : to_.mesh.targets) {
      const auto track = by_name.find(target.name);
      found.push_back(track == by_name.end() ? nullptr : track->second);
    }
    return found;
  }

  const Clip* clip_ = nullptr;  // the one that runs
  std::span<const JointPair> pairs_;
  Posed source_, target_;
  const Character &from_, &to_;
  const Rotation to_from_;  // from the model space of `from_` to that of `to_`
  const Skeleton reference_;
  const Posed source_rest_, target_rest_;
  const Heights heights_;
  std::vector<int32_t> source_of_;  // of each joint of `to_`
  int32_t root_ = kNoJoint;         // in `to_`
  double poses_left_ = kMaxRetargetedPoses;
};

Error refused(std::string message, ErrorCode code = ErrorCode::kInvalidArgument) {
  return {code, "retarget: " + std::move(message)};
}

Status check_pairs(const Character& from, const Character& to, std::span<const JointPair> pairs) {
  if (pairs.empty()) return refused("there are no pairs of joints");
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].from >= from.skeleton.joint_count() || pairs[i].to >= to.skeleton.joint_count() ||
        (i > 0 && pairs[i].to <= pairs[i - 1].to)) {
      return refused("pair " + std::to_string(i) + " is out of range or out of order");
    }
  }
  return {};
}

Result<std::vector<Clip>> retarget_all(std::span<const Clip> clips, const Character& from, const Character& to,
                                       std::span<const JointPair> pairs) {
  for (const Clip& clip : clips) {
    if (clip.additive) return refused("clip '" + clip.name + "' is additive");
  }
  if (clips.empty()) return std::vector<Clip>();
  if (Status status = check_pairs(from, to, pairs); !status) return status.error();
  Retargeting retargeting(from, to, pairs);
  std::vector<Clip> results;
  for (const Clip& clip : clips) {
    Result<Clip> moved = retargeting.run(clip);
    if (!moved) return moved.error();
    results.push_back(std::move(*moved));
  }
  return results;
}

constexpr size_t kShareWithPrefix = 4;  // all but one of so many joints have the prefix

/// Without a namespace, as in "mixamorig:Hips".
std::string_view without_namespace(std::string_view name) {
  const size_t end = name.find_last_of(":|");
  return end == std::string_view::npos || end + 1 == name.size() ? name : name.substr(end + 1);
}

/// The longest prefix that enough names have. Each of them keeps a letter.
std::string_view common_prefix(const std::vector<std::string_view>& names) {
  std::vector<std::string_view> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const size_t enough = std::max<size_t>(2, sorted.size() - sorted.size() / kShareWithPrefix);
  std::string_view longest;
  for (size_t i = 0; i + enough <= sorted.size(); ++i) {  // names with one prefix are neighbors
    const std::string_view first = sorted[i], last = sorted[i + enough - 1];
    const size_t limit = std::min(first.size(), last.size()) - 1;
    size_t length = 0;
    while (length < limit && first[length] == last[length]) ++length;
    if (length > longest.size()) longest = first.substr(0, length);
  }
  return longest;
}

std::vector<std::string_view> plain_names(const Skeleton& skeleton) {
  std::vector<std::string_view> names;
  for (const std::string& name : skeleton.joint_names) names.push_back(without_namespace(name));
  std::vector<std::string_view> named = names;
  std::erase(named, "");
  const std::string_view prefix = common_prefix(named);
  for (std::string_view& name : names) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  return names;
}

NamedNodes nodes_of(const Skeleton& skeleton) {
  return {{skeleton.joint_names.begin(), skeleton.joint_names.end()}, skeleton.parents, {}, {}};
}

/// Maps names that one joint has to that joint, other names to kNoJoint.
std::unordered_map<std::string_view, int32_t> unique_names(const auto& names) {
  std::unordered_map<std::string_view, int32_t> joints;
  for (size_t joint = 0; joint < names.size(); ++joint) {
    const auto [found, is_new] = joints.try_emplace(names[joint], int32_t(joint));
    if (!is_new) found->second = kNoJoint;
  }
  joints.erase("");
  return joints;
}

/// Pairs the joints of `to` that have no pair yet.
void pair_names(const auto& from, const auto& to, std::vector<int32_t>& from_of_to, std::vector<bool>& is_paired) {
  const auto sources = unique_names(from), targets = unique_names(to);
  for (const auto& [name, joint] : targets) {
    const auto found = sources.find(name);
    if (joint == kNoJoint || found == sources.end() || found->second == kNoJoint) continue;
    if (from_of_to[size_t(joint)] != kNoJoint || is_paired[size_t(found->second)]) continue;
    from_of_to[size_t(joint)] = found->second;
    is_paired[size_t(found->second)] = true;
  }
}

}  // namespace

Result<Clip> retarget(const Clip& clip, const Character& from, const Character& to,
                      std::span<const JointPair> pairs) SINEW_TRY {
  Result<std::vector<Clip>> clips = retarget_all({&clip, 1}, from, to, pairs);
  if (!clips) return clips.error();
  return std::move(clips->front());
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<std::vector<Clip>> retarget_clips(const Character& from, const Character& to,
                                         std::span<const JointPair> pairs) SINEW_TRY {
  return retarget_all(from.clips, from, to, pairs);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<std::vector<JointPair>> pair_joints(const Skeleton& from, const Skeleton& to) SINEW_TRY {
  std::vector<int32_t> from_of_to(to.joint_count(), kNoJoint);
  std::vector<bool> is_paired(from.joint_count());
  pair_names(from.humanoid_names, to.humanoid_names, from_of_to, is_paired);
  const NodePairs equal = pair_nodes(nodes_of(from), std::vector<bool>(from.joint_count(), true), nodes_of(to));
  for (uint32_t joint = 0; joint < from.joint_count(); ++joint) {
    const int32_t paired = equal.to_of_from[joint];
    if (paired < 0 || is_paired[joint] || from_of_to[size_t(paired)] != kNoJoint) continue;
    from_of_to[size_t(paired)] = int32_t(joint), is_paired[joint] = true;
  }
  pair_names(plain_names(from), plain_names(to), from_of_to, is_paired);
  std::vector<JointPair> pairs;
  for (uint32_t joint = 0; joint < to.joint_count(); ++joint) {
    if (from_of_to[joint] != kNoJoint) pairs.push_back({uint32_t(from_of_to[joint]), joint});
  }
  if (pairs.empty()) return Error{ErrorCode::kInvalidArgument, "retarget: the skeletons have no joint name in common"};
  return pairs;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
