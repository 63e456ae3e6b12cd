#include "sinew/animation/root_motion.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "asset/exceptions.h"
#include "sinew/animation/pose.h"

namespace sinew {

using namespace internal;
namespace {

constexpr double kSamplesPerSecond = 120;
constexpr double kMaxSamples = 1 << 22;
constexpr double kMaxPoses = 1 << 24;  // samples times the joint and those above it
constexpr double kFullTurn = 6.283185307179586;

Quat about(Vec3 up, double radians) {
  const auto s = float(std::sin(radians / 2));
  return {up.x * s, up.y * s, up.z * s, float(std::cos(radians / 2))};
}

Vec3 rotated(Vec3 v, Vec3 up, double radians) {
  // Rodrigues' formula, in double precision because a path may be long.
  const double c = std::cos(radians), s = std::sin(radians);
  const Vec3 across = cross(up, v);
  const double along = double(dot(up, v)) * (1 - c);
  return {float(v.x * c + across.x * s + up.x * along), float(v.y * c + across.y * s + up.y * along),
          float(v.z * c + across.z * s + up.z * along)};
}

GroundMotion inverse_of(Vec3 up, const GroundMotion& motion) {
  return {rotated(motion.translation * -1, up, -motion.heading_radians), -motion.heading_radians};
}

GroundMotion composed(Vec3 up, const GroundMotion& first, const GroundMotion& second) {
  return {first.translation + rotated(second.translation, up, first.heading_radians),
          first.heading_radians + second.heading_radians};
}

/// `motion` repeated a whole number of times, also negative, by repeated squaring.
GroundMotion repeated(Vec3 up, GroundMotion motion, double times) {
  if (times < 0) return inverse_of(up, repeated(up, motion, -times));
  GroundMotion result;
  for (; times >= 1; times = std::floor(times / 2)) {
    if (std::fmod(times, 2) == 1) result = composed(up, result, motion);
    motion = composed(up, motion, motion);
  }
  return result;
}

GroundMotion motion_at(const RootTrack& track, double offset_seconds) {
  const double duration = double(track.end_seconds) - track.start_seconds;
  const size_t last = track.motions.size() - 1;
  const double position = duration > 0 ? std::clamp(offset_seconds / duration, 0.0, 1.0) * double(last) : 0;
  const size_t frame = std::min(size_t(position), last), next = std::min(frame + 1, last);
  const double share = position - double(frame);
  const GroundMotion &a = track.motions[frame], &b = track.motions[next];
  return {a.translation + (b.translation - a.translation) * float(share),
          a.heading_radians + (b.heading_radians - a.heading_radians) * share};
}

Vec3 position_of(const Matrix3x4d& matrix) {
  return {float(matrix.m[0][3]), float(matrix.m[1][3]), float(matrix.m[2][3])};
}

Quat conjugate(Quat q) { return {-q.x, -q.y, -q.z, q.w}; }

/// The angle of a rotation about `up`, in radians: the twist of its swing-twist decomposition.
double twist(Quat rotation, Vec3 up) {
  return 2 * std::atan2(double(dot(Vec3{rotation.x, rotation.y, rotation.z}, up)), double(rotation.w));
}

Error too_long(const Clip& clip) {
  return {ErrorCode::kInvalidArgument, "root motion: clip '" + clip.name + "' is too long"};
}

/// A joint and the joints above it, from the root down: nothing else moves it.
struct Chain {
  Skeleton skeleton;
  Clip clip;  // without names and weights
};

Chain chain_of(const Skeleton& skeleton, const Clip& clip, uint32_t joint) {
  std::vector<int32_t> joints;
  for (auto j = int32_t(joint); j != kNoJoint; j = skeleton.parents[size_t(j)]) joints.push_back(j);
  std::reverse(joints.begin(), joints.end());
  Chain chain;
  chain.skeleton.model_from_root = skeleton.model_from_root;
  chain.skeleton.joint_names.resize(joints.size());
  auto tracks = clip.tracks.begin();
  for (uint32_t i = 0; i < joints.size(); ++i) {
    const auto j = uint32_t(joints[i]);
    chain.skeleton.parents.push_back(int32_t(i) - 1);
    chain.skeleton.rest_pose.push_back(skeleton.rest_pose[j]);
    while (tracks != clip.tracks.end() && tracks->joint < j) ++tracks;
    if (tracks == clip.tracks.end() || tracks->joint != j) continue;
    chain.clip.tracks.push_back(*tracks);
    chain.clip.tracks.back().joint = i;
  }
  return chain;
}

/// Samples one clip at uniform times. Moves the joint's ground motion from the clip to a RootTrack.
class Extractor {
 public:
  Extractor(const Character& character, const Clip& clip, uint32_t joint)
      : clip_(clip),
        joint_(joint),
        chain_(chain_of(character.skeleton, clip, joint)),
        pose_(chain_.skeleton.joint_count()),
        model_from_joint_(pose_.size()) {
    result_.track = {normalize(character.space.up), clip.start_seconds, clip.end_seconds, {}};
    in_place_tracks_.joint = joint;
  }

  Result<ExtractedMotion> extract() {
    const double duration = clip_.duration_seconds();
    const auto intervals = uint32_t(std::max(1.0, std::ceil(duration * kSamplesPerSecond)));
    if (double(intervals) * double(pose_.size()) > kMaxPoses) return too_long(clip_);
    for (uint32_t i = 0; i <= intervals; ++i) {
      sample(i == intervals ? clip_.end_seconds : float(clip_.start_seconds + duration * i / intervals));
    }
    result_.clip = clip_;
    std::vector<JointTracks>& tracks = result_.clip.tracks;
    const auto at = std::lower_bound(tracks.begin(), tracks.end(), joint_,
                                     [](const JointTracks& a, uint32_t joint) { return a.joint < joint; });
    if (at != tracks.end() && at->joint == joint_) {
      at->translation = std::move(in_place_tracks_.translation);
      at->rotation = std::move(in_place_tracks_.rotation);
    } else {
      tracks.insert(at, std::move(in_place_tracks_));
    }
    return std::move(result_);
  }

 private:
  void sample(float time_seconds) {
    sample_clip(chain_.clip, chain_.skeleton, time_seconds, pose_);
    walk_hierarchy(chain_.skeleton, pose_, model_from_joint_);
    const Matrix3x4d& model_from_joint = model_from_joint_.back();
    const Vec3 position = position_of(model_from_joint);
    const Quat rotation = to_transform(model_from_joint).rotation;
    if (result_.track.motions.empty()) first_position_ = position, first_rotation_ = rotation;
    add_motion(position, rotation);
    add_keys(time_seconds, model_from_joint);
  }

  void add_motion(Vec3 position, Quat rotation) {
    const Vec3 up = result_.track.up, offset = position - first_position_;
    double heading = twist(rotation * conjugate(first_rotation_), up);
    if (!result_.track.motions.empty()) {
      const double before = result_.track.motions.back().heading_radians;
      heading = before + std::remainder(heading - before, kFullTurn);
    }
    // A GroundMotion rotates about the model's origin, not about the joint: the translation makes up the difference.
    const Vec3 across = offset - up * dot(offset, up), ground = first_position_ - up * dot(first_position_, up);
    result_.track.motions.push_back({ground + across - rotated(ground, up, heading), heading});
  }

  /// Adds the joint's local pose without the ground motion.
  void add_keys(float time_seconds, const Matrix3x4d& model_from_joint) {
    const size_t count = model_from_joint_.size();
    const Matrix3x4d& model_from_parent = count < 2 ? chain_.skeleton.model_from_root : model_from_joint_[count - 2];
    const Matrix3x4d in_place = inverse(to_matrix(result_.track, result_.track.motions.back())) * model_from_joint;
    const Transform local = to_transform(inverse(model_from_parent) * in_place);
    in_place_tracks_.translation.times_seconds.push_back(time_seconds);
    in_place_tracks_.translation.values.push_back(local.translation);
    in_place_tracks_.rotation.times_seconds.push_back(time_seconds);
    in_place_tracks_.rotation.values.push_back(local.rotation);
  }

  const Clip& clip_;
  uint32_t joint_;
  const Chain chain_;
  std::vector<Transform> pose_;
  std::vector<Matrix3x4d> model_from_joint_;
  Vec3 first_position_;
  Quat first_rotation_;
  JointTracks in_place_tracks_;
  ExtractedMotion result_;
};

}  // namespace

Result<ExtractedMotion> extract_root_motion(const Character& character, uint32_t clip, uint32_t joint) SINEW_TRY {
  const auto refuse = [](const std::string& why) { return Error{ErrorCode::kInvalidArgument, "root motion: " + why}; };
  if (clip >= character.clips.size()) return refuse("there is no clip " + std::to_string(clip));
  const Clip& source = character.clips[clip];
  if (joint >= character.skeleton.joint_count()) return refuse("there is no joint " + std::to_string(joint));
  if (source.additive) return refuse("clip '" + source.name + "' is additive");
  if (Status status = validate(character.skeleton); !status) return status.error();
  if (Status status = validate(source, character.skeleton.joint_count(), character.mesh.target_count()); !status)
    return status.error();
  if (double(source.duration_seconds()) * kSamplesPerSecond > kMaxSamples) {
    return too_long(source);
  }
  return Extractor(character, source, joint).extract();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

GroundMotion motion_between(const RootTrack& track, double from_seconds, double to_seconds, Looping looping) {
  const double duration = double(track.end_seconds) - track.start_seconds;
  if (!(duration > 0) || !std::isfinite(duration) || track.motions.empty()) return {};
  if (!std::isfinite(from_seconds) || !std::isfinite(to_seconds)) return {};
  if (looping != Looping::kLoop) {
    const Clip clip{"", track.start_seconds, track.end_seconds, {}};
    const auto at = [&](double seconds) {
      return motion_at(track, double(clip_time(clip, seconds, looping)) - track.start_seconds);
    };
    return composed(track.up, inverse_of(track.up, at(from_seconds)), at(to_seconds));
  }
  // Three motions: back to the start of the first loop, through the whole loops, and into the last loop.
  const double from_loop = std::floor(from_seconds / duration), to_loop = std::floor(to_seconds / duration);
  if (!std::isfinite(from_loop) || !std::isfinite(to_loop)) return {};
  const GroundMotion from = motion_at(track, from_seconds - from_loop * duration),
                     to = motion_at(track, to_seconds - to_loop * duration);
  const GroundMotion loops = repeated(track.up, track.motions.back(), to_loop - from_loop);
  const GroundMotion motion = composed(track.up, inverse_of(track.up, from), composed(track.up, loops, to));
  return is_finite(motion.translation) && std::isfinite(motion.heading_radians) ? motion : GroundMotion();
}

GroundMotion compose(const RootTrack& track, const GroundMotion& first, const GroundMotion& second) {
  return composed(track.up, first, second);
}

Matrix3x4d to_matrix(const RootTrack& track, const GroundMotion& motion) {
  return to_matrix(Transform{motion.translation, about(track.up, motion.heading_radians), {1, 1, 1}});
}

}  // namespace sinew
