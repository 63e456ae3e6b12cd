#include "sinew/animation/retarget.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "asset/exceptions.h"
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
Skeleton reference_of(const Character& from, const Character& to, std::span<const JointPair> pairs,
                      const Rotation& to_from) {
  Skeleton skeleton = from.skeleton;
  if (from.mesh.vertex_count() > 0) return skeleton;
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

/// Adds the times at which a track has keys, the times just before steps, and times between cubic keys.
template <class Value>
void add_times(const Track<Value>& track, std::vector<float>& times) {
  for (size_t i = 0; i < track.times_seconds.size(); ++i) {
    const float time = track.times_seconds[i];
    times.push_back(time);
    if (i == 0) continue;
    const float before = track.times_seconds[i - 1];
    if (track.interpolation == Interpolation::kStep || time == before) times.push_back(std::nextafter(time, -INFINITY));
    if (track.interpolation != Interpolation::kCubic) continue;
    const double parts = std::ceil((double(time) - before) * kCubicKeysPerSecond);
    for (double part = 1; part < parts; ++part) times.push_back(float(before + (double(time) - before) * part / parts));
  }
}

const JointTracks* tracks_of(const Clip& clip, uint32_t joint) {
  const auto found = std::lower_bound(clip.tracks.begin(), clip.tracks.end(), joint,
                                      [](const JointTracks& tracks, uint32_t j) { return tracks.joint < j; });
  return found != clip.tracks.end() && found->joint == joint ? &*found : nullptr;
}

class Retargeting {
 public:
  Retargeting(const Clip& clip, const Character& from, const Character& to, std::span<const JointPair> pairs)
      : clip_(clip),
        pairs_(pairs),
        source_(from.skeleton),
        target_(to.skeleton),
        from_(from),
        to_(to),
        to_from_(rotation_of(model_from_axes(to.space) * inverse(model_from_axes(from.space)))),
        reference_(reference_of(from, to, pairs, to_from_)),
        source_rest_(reference_),
        target_rest_(to.skeleton),
        height_(height_of(reference_, from.space.up)),
        ratio_(height_of(to.skeleton, to.space.up) / height_),
        source_of_(to.skeleton.joint_count(), kNoJoint) {
    for (const JointPair& pair : pairs) source_of_[pair.to] = int32_t(pair.from);
  }

  Clip run() {
    const std::vector<float> times = key_times();
    find_root(times);
    Clip result;
    result.name = clip_.name;
    result.start_seconds = clip_.start_seconds, result.end_seconds = clip_.end_seconds;
    for (const JointPair& pair : pairs_) result.tracks.push_back({pair.to, {}, {}, {}});
    for (const float time : times) {
      pose_at(time);
      for (JointTracks& tracks : result.tracks) add_key(time, target_.pose()[tracks.joint], tracks);
    }
    retarget_weights(result);
    return result;
  }

 private:
  std::vector<float> key_times() const {
    std::vector<float> times = {clip_.start_seconds, clip_.end_seconds};
    for (const JointTracks& tracks : clip_.tracks) {
      add_times(tracks.rotation, times);
      add_times(tracks.translation, times);
    }
    std::erase_if(times, [&](float time) { return time < clip_.start_seconds || time > clip_.end_seconds; });
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
  }

  /// The first paired joint that moves by itself, or with joints above it that have no pair.
  void find_root(const std::vector<float>& times) {
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

  bool is_translated(uint32_t joint, const std::vector<float>& times) {
    const JointTracks* tracks = tracks_of(clip_, joint);
    if (tracks == nullptr || tracks->translation.values.empty()) return false;
    const Vec3 rest = from_.skeleton.rest_pose[joint].translation;
    return std::any_of(times.begin(), times.end(), [&](float time) {
      sample(time);
      return length(source_.pose()[joint].translation - rest) > float(kMinRootMotion * height_);
    });
  }

  void sample(float time) {
    sample_clip(clip_, from_.skeleton, time, source_.pose());
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
    const Vec3 wanted =
        target_rest_.position(root) + Vec3{float(turned.x), float(turned.y), float(turned.z)} * float(ratio_);
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

  void retarget_weights(Clip& result) const {
    const std::vector<MorphTarget>& targets = to_.mesh.targets;
    for (uint32_t t = 0; t < targets.size(); ++t) {
      for (const WeightTrack& track : clip_.weights) {
        if (from_.mesh.targets[track.target].name != targets[t].name) continue;
        result.weights.push_back({t, track.weight});
        break;
      }
    }
  }

  const Clip& clip_;
  std::span<const JointPair> pairs_;
  Posed source_, target_;
  const Character &from_, &to_;
  const Rotation to_from_;  // from the model space of `from_` to that of `to_`
  const Skeleton reference_;
  const Posed source_rest_, target_rest_;
  const double height_, ratio_;     // of `from_`; of `to_` to it
  std::vector<int32_t> source_of_;  // of each joint of `to_`
  int32_t root_ = kNoJoint;         // in `to_`
};

Error refused(std::string message, ErrorCode code = ErrorCode::kInvalidArgument) {
  return {code, "retarget: " + std::move(message)};
}

}  // namespace

Result<Clip> retarget(const Clip& clip, const Character& from, const Character& to,
                      std::span<const JointPair> pairs) SINEW_TRY {
  if (clip.additive) return refused("clip '" + clip.name + "' is additive");
  if (pairs.empty()) return refused("there are no pairs of joints");
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].from >= from.skeleton.joint_count() || pairs[i].to >= to.skeleton.joint_count() ||
        (i > 0 && pairs[i].to <= pairs[i - 1].to)) {
      return refused("pair " + std::to_string(i) + " is out of range or out of order");
    }
  }
  for (const Character* character : {&from, &to}) {
    if (!(height_of(character->skeleton, character->space.up) > 0)) {
      return refused("the joints of '" + character->name + "' have no height", ErrorCode::kUnsupported);
    }
  }
  return Retargeting(clip, from, to, pairs).run();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
