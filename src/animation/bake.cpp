#include "sinew/animation/bake.h"

#include <algorithm>
#include <cmath>

#include "asset/exceptions.h"
#include "asset/larger_error.h"
#include "asset/plain_text.h"
#include "baked_sample.h"
#include "baked_weights.h"
#include "clip_keys.h"
#include "joint_delta.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/profile.h"

namespace sinew {

using namespace internal;
namespace {

constexpr double kReferenceExtent = 1.8;  // meters: BakeOptions' lengths are for this extent
constexpr int kMaxQuantized = 32766;      // of a value, and of its change from one frame to the next
constexpr double kWider = 1 + 1.0 / 512;  // than the range of the frames to try: splits add others between them
constexpr int kErrorSamplesPerFrame = 8;
constexpr double kBetweenSamplesFactor = 1.4;  // errors between samples are up to 1.37 times as large
constexpr double kGoldenRatio = 0.6180339887498949;
constexpr double kScaleTolerance = 1e-5;
constexpr int kMaxSplits = 8;             // of the steps between frames, each after measuring them
constexpr double kSplitAbove = 0.8;       // of the error asked for: parts of a step are not alike
constexpr uint32_t kRigidDepth = 64;      // deeper, unnormalized products of quaternions fade: use matrices
constexpr uint32_t kPosesPerReport = 64;  // between two progress reports
constexpr size_t kComponents = 2 * kChannelsPerBlock;

/// Model units in one meter, for a character whose largest extent in the rest pose is kReferenceExtent.
double units_per_meter(const Character& character) {
  std::vector<Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, model_from_joint, palette);
  std::vector<Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(character.mesh, palette, positions, normals);

  const Vec3 size = size_of(bounding_box(positions));
  const double extent = std::max({size.x, size.y, size.z});
  return extent > 0 && std::isfinite(extent) ? extent / kReferenceExtent : 1;
}

/// The component of a delta that is stored in channel `index` of the node's blocks.
double component(const JointDelta& delta, size_t index) {
  if (index < 4) return delta.rotation[index];
  if (index < 7) return delta.translation[index - 4];
  return index < kChannelsPerBlock || index >= kChannelsPerBlock + 6 ? 0 : delta.scale[index - kChannelsPerBlock];
}

bool scales_anything(const JointDelta& delta) {
  for (int i = 0; i < 6; ++i) {
    if (std::abs(delta.scale[i] - (i < 3 ? 1 : 0)) > kScaleTolerance) return true;
  }
  return false;
}

/// Of each component of each node: the smallest and largest value, and the largest change between two frames.
class Extremes {
 public:
  explicit Extremes(size_t nodes)
      : low_(nodes * kComponents, INFINITY), high_(low_.size(), -INFINITY), change_(low_.size()), last_(low_.size()) {}

  /// `first`: the deltas are of the first frame of a clip or behind a jump, so there is no change to measure.
  void include(std::span<const JointDelta> deltas, bool first) {
    for (size_t i = 0; i < low_.size(); ++i) {
      const double value = component(deltas[i / kComponents], i % kComponents);
      low_[i] = std::min(low_[i], value), high_[i] = std::max(high_[i], value);
      if (!first) change_[i] = std::max(change_[i], std::abs(value - last_[i]));
      last_[i] = value;
    }
  }

  std::vector<BakedQuantization> quantizations(size_t blocks) const {
    std::vector<BakedQuantization> result(low_.size() / kComponents * blocks);
    for (size_t i = 0; i < result.size(); ++i) {
      for (size_t c = 0; c < kChannelsPerBlock; ++c) {
        const size_t at = i / blocks * kComponents + i % blocks * kChannelsPerBlock + c;
        if (!(low_[at] <= high_[at])) continue;  // no frame was included
        result[i].center[c] = float((low_[at] + high_[at]) / 2);
        result[i].scale[c] = float(std::max((high_[at] - low_[at]) / 2 * kWider, change_[at]) / kMaxQuantized);
      }
    }
    return result;
  }

 private:
  std::vector<double> low_, high_, change_, last_;
};

/// A quaternion and its negative are the same rotation: each quaternion takes the sign that is nearer to `before`.
void align_signs(std::span<const JointDelta> before, std::span<JointDelta> deltas) {
  for (size_t i = 0; i < deltas.size(); ++i) {
    double(&q)[4] = deltas[i].rotation;
    const double(&p)[4] = before[i].rotation;
    if (q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3] >= 0) continue;
    for (double& value : q) value = -value;
  }
}

/// The number of nodes on the longest path from a root.
uint32_t depth_of(std::span<const BakedNode> nodes) {
  std::vector<uint32_t> depths(nodes.size());
  uint32_t max_depth = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    depths[i] = nodes[i].parent < 0 ? 1 : depths[size_t(nodes[i].parent)] + 1;
    max_depth = std::max(max_depth, depths[i]);
  }
  return max_depth;
}

class Baker {
 public:
  /// What is baked of the character.
  struct Wanted {
    const Skin& skin;
    bool fold = false;  // see plan_bake()
    bool weights = true;
  };

  Baker(const Character& character, const Wanted& wanted, const BakeOptions& options, const BakeProgress& progress)
      : character_(character),
        wanted_(wanted),
        options_(options),
        progress_(progress),
        plan_(plan_bake(character, wanted.skin, wanted.fold)),
        units_per_meter_(units_per_meter(character)),
        pose_(character.skeleton.joint_count()),
        rest_(plan_.nodes.size()),
        deltas_(rest_.size()),
        before_(rest_.size()),
        exact_(rest_.size()),
        approximate_(rest_.size()) {}

  Result<BakedCharacter> bake() {
    compute_deltas(plan_, character_.skeleton.rest_pose, rest_);
    align_signs(before_, rest_);
    compute_error_radii();
    baked_.nodes = plan_.nodes;
    baked_.scale = float(plan_.scale);
    baked_.options = options_;
    baked_.joint_count = character_.skeleton.joint_count();
    baked_.palette_size = wanted_.skin.palette_size();
    if (Status fits = plan_frames(); !fits) return fits.error();
    find_quantizations();
    append_rest();
    for (size_t i = 0; i < tries_.size(); ++i) {
      baked_.clips.push_back(append(character_.clips[i], tries_[i]));
      if (Status status = check_error(character_.clips[i], baked_.clips.back()); !status) return status.error();
    }
    if (wanted_.weights) {
      if (Status status = bake_weights(character_, units_per_meter_, baked_); !status) return status.error();
    }
    return std::move(baked_);
  }

 private:
  // --- limits and progress ---

  /// Chooses the frames to try for each clip. Fails if the lowest rates exceed a limit already.
  Status plan_frames() {
    frames_ = 2;  // the two frames of the rest pose
    for (const Clip& clip : character_.clips) {
      frames_ += least_frames(clip, Tracks::kJoints, options_);
      if (!fit(frames_)) return too_many(clip);
    }
    for (const Clip& clip : character_.clips) {
      tries_.push_back(times_to_try(clip));
      for (const BakedTimes& times : tries_.back().at_equal_steps) expected_poses_ += times.frame_count;
      expected_poses_ += tries_.back().at_keys.frame_count;
      expected_poses_ += double(tries_.back().at_equal_steps[0].frame_count) * (1 + kErrorSamplesPerFrame);
    }
    return {};
  }

  bool fit(double frames) const {
    return frames <= kMaxBakedFrames && frames * double(plan_.nodes.size()) <= kMaxBakedPoses;
  }

  Error too_many(const Clip& clip) const {
    const bool frames = frames_ > kMaxBakedFrames;
    const std::string joints = frames ? "" : " of " + std::to_string(plan_.nodes.size()) + " joints";
    return {ErrorCode::kUnsupported,
            "bake: clip '" + clip.name + "' of " + number_text(clip.duration_seconds(), 10) + " s makes it " +
                number_text(frames_, 10) + " frames" + joints + " at " +
                number_text(options_.min_frames_per_second, 10) + " a second, more than " +
                (frames ? std::to_string(kMaxBakedFrames) : std::to_string(kMaxBakedPoses) + " poses of joints")};
  }

  Status check_error(const Clip& clip, const BakedClip& baked) const {
    if (double(baked.error) <= std::max(kReferenceExtent, double(options_.max_error))) return {};  // false for NaN
    const std::string joint = name_of(baked.error_joint);
    const std::string start = "bake: clip '" + clip.name + "' moves joint '" + joint + "' ";
    if (worst_.is_too_far) {
      return Error{ErrorCode::kUnsupported, start + "beyond " + number_text(kMaxCoordinate) + " units from the origin"};
    }
    return Error{ErrorCode::kUnsupported, start + "so far that 16 bits hold it no better than within " +
                                              number_text(baked.error, 4) + " m, on a character of " +
                                              number_text(kReferenceExtent) + " m"};
  }

  /// The node's joint, or the nearest one above it.
  int32_t joint_of(size_t node) const {
    auto at = int32_t(node);
    while (at >= 0 && plan_.nodes[size_t(at)].joint == kNoJoint) at = plan_.nodes[size_t(at)].parent;
    return at < 0 ? kNoJoint : plan_.nodes[size_t(at)].joint;
  }

  std::string name_of(int32_t joint) const {
    return joint == kNoJoint ? "" : character_.skeleton.joint_names[size_t(joint)];
  }

  void count_pose() {
    if (++poses_ % kPosesPerReport != 0 || progress_.report == nullptr) return;
    progress_.report(progress_.user_data, std::min(poses_ / expected_poses_, 1.0));
  }

  // --- frames ---

  /// Computes deltas_ of a clip at a time, with signs that follow the last deltas. `first`: signs follow the identity.
  void sample_deltas(const Clip& clip, float time_seconds, bool first) {
    count_pose();
    sample_clip(clip, character_.skeleton, time_seconds, pose_);
    std::swap(before_, deltas_);
    if (clip.additive) {
      compute_additive_deltas(plan_, pose_, deltas_);
    } else {
      compute_deltas(plan_, pose_, deltas_);
    }
    if (first) std::fill(before_.begin(), before_.end(), JointDelta());
    align_signs(before_, deltas_);
  }

  /// The frames to try for a clip, within the limits of all clips together.
  FramesToTry times_to_try(const Clip& clip) const {
    const double other_frames = frames_ - least_frames(clip, Tracks::kJoints, options_);
    FramesToTry tries = frames_to_try(clip, Tracks::kJoints, options_);
    std::vector<BakedTimes>& steps = tries.at_equal_steps;
    while (steps.size() > 1 && !fit(other_frames + steps.back().frame_count)) steps.pop_back();
    if (!fit(other_frames + tries.at_keys.frame_count)) tries.at_keys = {};
    return tries;
  }

  BakedClip lay_out(const Clip& clip, const BakedTimes& times) const {
    BakedClip baked;
    baked.name = clip.name;
    baked.start_seconds = clip.start_seconds, baked.end_seconds = clip.end_seconds;
    baked.times = times;
    baked.first_frame =
        uint32_t(baked_.cache_lines_per_frame == 0 ? 0 : baked_.frames.size() / baked_.cache_lines_per_frame);
    baked.additive = clip.additive;
    return baked;
  }

  /// Computes the quantizations from all frames to try, so that they fit whichever are stored.
  void find_quantizations() {
    Extremes extremes(rest_.size()), additive_extremes(rest_.size());
    extremes.include(rest_, true);
    bool adds = false;
    bool scales = depth_of(plan_.nodes) > kRigidDepth || std::any_of(rest_.begin(), rest_.end(), scales_anything);
    for (size_t i = 0; i < tries_.size(); ++i) {
      const Clip& clip = character_.clips[i];
      const auto include = [&](const BakedTimes& times) {
        for (uint32_t frame = 0; frame < times.frame_count; ++frame) {
          sample_deltas(clip, sample_time_of(times, clip, frame), frame == 0);
          const bool is_first = frame == 0 || is_before_jump(times, frame - 1);
          (clip.additive ? additive_extremes : extremes).include(deltas_, is_first);
          scales = scales || std::any_of(deltas_.begin(), deltas_.end(), scales_anything);
        }
      };
      for (const BakedTimes& times : tries_[i].at_equal_steps) include(times);
      include(tries_[i].at_keys);
      adds = adds || clip.additive;
    }
    baked_.blocks_per_node = scales ? 2 : 1;
    const size_t values = rest_.size() * baked_.blocks_per_node * kChannelsPerBlock;
    baked_.cache_lines_per_frame = uint32_t(std::max<size_t>((values + 31) / 32, 1));
    baked_.quantizations = extremes.quantizations(baked_.blocks_per_node);
    if (adds) baked_.additive_quantizations = additive_extremes.quantizations(baked_.blocks_per_node);
  }

  void append_frame(std::span<const JointDelta> deltas, std::span<const BakedQuantization> quantizations) {
    const size_t begin = baked_.frames.size(), blocks = baked_.blocks_per_node;
    baked_.frames.resize(begin + baked_.cache_lines_per_frame);
    int16_t* values = baked_.frames[begin].values;
    for (size_t i = 0; i < deltas.size() * blocks * kChannelsPerBlock; ++i) {
      const BakedQuantization& quantization = quantizations[i / kChannelsPerBlock];
      const size_t c = i % kChannelsPerBlock;
      const double scale = quantization.scale[c];
      if (scale == 0) continue;
      const JointDelta& delta = deltas[i / (blocks * kChannelsPerBlock)];
      const double value = component(delta, i % (blocks * kChannelsPerBlock)) - quantization.center[c];
      values[i] = int16_t(std::clamp(std::round(value / scale), -double(kMaxQuantized), double(kMaxQuantized)));
    }
  }

  /// The rest pose is stored first, as two frames, for instances that play no clip.
  void append_rest() {
    append_frame(rest_, baked_.quantizations);
    append_frame(rest_, baked_.quantizations);
  }

  /// Appends the frames of a clip and measures their error. The measurement stops above `abort_above`.
  BakedClip append(const Clip& clip, const BakedTimes& times, double abort_above) {
    BakedClip baked = lay_out(clip, times);
    for (uint32_t frame = 0; frame < times.frame_count; ++frame) {
      sample_deltas(clip, sample_time_of(times, clip, frame), frame == 0);
      append_frame(deltas_, baked_.quantizations_of(baked));
    }
    baked.error = float(measure(baked, clip, abort_above / kBetweenSamplesFactor) * kBetweenSamplesFactor);
    if (worst_.squared > 0) baked.error_joint = joint_of(worst_.node), baked.error_seconds = worst_.seconds;
    return baked;
  }

  /// Appends a clip with the first frames that meet max_error, else the last ones that cut the error by a tenth or
  /// more.
  BakedClip append(const Clip& clip, const FramesToTry& tries) {
    const std::vector<BakedTimes>& steps = tries.at_equal_steps;
    BakedClip best = append(clip, steps[0], INFINITY);
    frames_ -= least_frames(clip, Tracks::kJoints, options_);  // now of the other clips: the limit is of all together
    const auto is_above = [&] { return best.error > options_.max_error && best.error < INFINITY; };
    for (size_t i = 1; i < steps.size() && is_above(); ++i) append_if_better(clip, steps[i], best, AllSteps::kNo);
    // A step is split where it needs that, as long as there are not twice as many frames as at the highest rate, or as
    // any clip may have.
    const uint32_t most = 2 * std::max(steps.back().frame_count, kFramesOfAnyClip);
    BakedTimes times = tries.at_keys.frame_count > 0 ? tries.at_keys : steps[0];
    for (int round = 0; round < kMaxSplits && is_above(); ++round) {
      const uint32_t frames = times.frame_count;
      if (frames > most || !fit(frames_ + frames)) break;
      append_if_better(clip, times, best, AllSteps::kYes);
      times = split_steps(clip, times, step_errors_, kSplitAbove * options_.max_error);
      if (times.frame_count == frames) break;
    }
    frames_ += best.times.frame_count;
    return best;
  }

  enum class AllSteps : bool { kNo, kYes };  // whether errors are measured beyond those that decide

  /// Replaces the frames of a clip, which are the last ones, if others reduce the error as asked or by a tenth.
  void append_if_better(const Clip& clip, const BakedTimes& times, BakedClip& best, AllSteps all_steps) {
    const size_t begin = size_t(best.first_frame) * baked_.cache_lines_per_frame;
    const std::vector<BakedCacheLine> best_frames(baked_.frames.begin() + ptrdiff_t(begin), baked_.frames.end());
    baked_.frames.resize(begin);
    // More frames do not reduce the error of the quantization to 16 bits.
    const double needed_error = std::max(options_.max_error, 0.9f * best.error);
    const BakedClip finer = append(clip, times, all_steps == AllSteps::kYes ? double(INFINITY) : needed_error);
    if (double(finer.error) <= needed_error) {
      best = finer;
      return;
    }
    baked_.frames.resize(begin);
    baked_.frames.insert(baked_.frames.end(), best_frames.begin(), best_frames.end());
    raise_error(clip, finer.error_seconds, best);  // others were measured at other times
  }

  // --- error ---

  /// Measures the error at one more time.
  void raise_error(const Clip& clip, float time_seconds, BakedClip& baked) {
    worst_ = {};
    const auto error = float(distance_at(baked, clip, time_seconds) * kBetweenSamplesFactor);
    if (!(error > baked.error)) return;
    baked.error = error, baked.error_joint = joint_of(worst_.node), baked.error_seconds = time_seconds;
  }

  /// Converts BakeOptions::error_radius to mesh space at each node, by the node's scale in the rest pose.
  void compute_error_radii() {
    walk_pose(plan_, character_.skeleton.rest_pose, exact_);
    error_radii_.clear();
    for (const Matrix3x4d& matrix : exact_) {
      double size = 0;  // along the axis with the largest scale
      for (int c = 0; c < 3; ++c) size = std::max(size, std::hypot(matrix.m[0][c], matrix.m[1][c], matrix.m[2][c]));
      error_radii_.push_back(options_.error_radius * units_per_meter_ / (size > 0 ? size : 1));
    }
  }

  /// The largest distance between baked and exact points around the joints, in the character's meters. Stops once it is
  /// above `abort_above`. Fills step_errors_.
  double measure(const BakedClip& baked, const Clip& clip, double abort_above) {
    worst_ = {};
    step_errors_.clear();
    double largest =
        larger_error(distance_at(baked, clip, clip.start_seconds), distance_at(baked, clip, clip.end_seconds));
    for (uint32_t frame = 0; frame + 1 < baked.times.frame_count && largest <= abort_above; ++frame) {
      const double error = measure_step(baked, clip, frame);
      step_errors_.push_back(error * kBetweenSamplesFactor);
      largest = larger_error(largest, error);
    }
    return largest;
  }

  /// Whether a component changes by more than 16 bits hold from a frame to the next one, as it may where frames were
  /// added that find_quantizations() has not seen.
  bool differs_too_much(const BakedClip& baked, uint32_t frame) const {
    if (is_before_jump(baked.times, frame)) return false;
    const int16_t *a = baked_.values_of(baked.first_frame + frame), *b = a + size_t(baked_.cache_lines_per_frame) * 32;
    for (size_t i = 0; i < size_t(baked_.cache_lines_per_frame) * 32; ++i)
      if (std::abs(int(b[i]) - int(a[i])) > INT16_MAX) return true;
    return false;
  }

  /// The same, from a frame to the next one.
  double measure_step(const BakedClip& baked, const Clip& clip, uint32_t frame) {
    if (differs_too_much(baked, frame)) return INFINITY;
    if (is_before_jump(baked.times, frame)) {
      const float after = baked.times.frame_seconds[frame], before = std::nextafter(after, -INFINITY);
      return larger_error(distance_at(baked, clip, before), distance_at(baked, clip, after));
    }
    double largest = 0;
    for (int i = 0; i < kErrorSamplesPerFrame; ++i) {
      // Other positions in each interval, because each position rounds differently.
      const double share = (i + std::fmod((frame + 1) * kGoldenRatio, 1)) / kErrorSamplesPerFrame;
      const double time = time_of(baked.times, clip, frame, share);
      largest = larger_error(largest, distance_at(baked, clip, float(time)));
    }
    return largest;
  }

  /// The largest distance at one time, over all nodes with a palette entry.
  double distance_at(const BakedClip& baked, const Clip& clip, float time_seconds) {
    count_pose();
    sample_clip(clip, character_.skeleton, time_seconds, pose_);
    sample_baked(baked_, baked, time_seconds, deltas_);
    if (clip.additive) add_to_rest_pose();
    walk_pose(plan_, pose_, exact_);
    walk_deltas(plan_, deltas_, approximate_);
    double largest = 0;
    for (size_t node = 0; node < exact_.size(); ++node) {
      if (plan_.nodes[node].entry < 0) continue;
      const bool is_near = is_within(transform_point(exact_[node], plan_.nodes[node].origin), kMaxCoordinate);
      const double squared = is_near ? squared_distance(exact_[node], approximate_[node], node) : INFINITY;
      largest = larger_error(largest, squared);
      if (largest > worst_.squared) worst_ = {largest, node, time_seconds, !is_near};
    }
    return std::sqrt(largest) / units_per_meter_;
  }

  /// The error of an additive clip is measured on top of the rest pose.
  void add_to_rest_pose() {
    std::vector<Transform> pose = character_.skeleton.rest_pose;
    add_pose({pose_, 1, {}}, pose);
    pose_.swap(pose);
    for (size_t i = 0; i < rest_.size(); ++i) deltas_[i] = add(rest_[i], deltas_[i]);
  }

  /// The largest squared distance over six points, one error radius from the node's origin along each axis.
  double squared_distance(const Matrix3x4d& a, const Matrix3x4d& b, size_t node) const {
    const Vec3 origin = plan_.nodes[node].origin;
    double at[3], along[3][3];
    for (int r = 0; r < 3; ++r) {
      const auto difference = [&](int c) { return a.m[r][c] - b.m[r][c]; };
      at[r] = difference(0) * origin.x + difference(1) * origin.y + difference(2) * origin.z + difference(3);
      for (int axis = 0; axis < 3; ++axis) along[axis][r] = difference(axis) * error_radii_[node];
    }
    double largest = 0;
    for (const auto& offset : along) {
      double plus = 0, minus = 0;
      for (int r = 0; r < 3; ++r) {
        plus += (at[r] + offset[r]) * (at[r] + offset[r]);
        minus += (at[r] - offset[r]) * (at[r] - offset[r]);
      }
      largest = larger_error(largest, larger_error(plus, minus));
    }
    return largest;
  }

  /// The node with the largest error.
  struct Worst {
    double squared = 0;
    size_t node = 0;
    float seconds = 0;
    bool is_too_far = false;  // beyond kMaxCoordinate
  };

  const Character& character_;
  const Wanted wanted_;
  const BakeOptions& options_;
  const BakeProgress& progress_;
  BakePlan plan_;
  double units_per_meter_;
  std::vector<double> error_radii_;  // of each node, in mesh space
  std::vector<Transform> pose_;
  std::vector<JointDelta> rest_, deltas_, before_;
  std::vector<Matrix3x4d> exact_, approximate_;
  BakedCharacter baked_;
  std::vector<FramesToTry> tries_;   // of each clip
  std::vector<double> step_errors_;  // from each frame of the clip that was measured last to the next one
  double frames_ = 0;                // of all clips: as stored, or at the lowest rate where not stored yet
  Worst worst_;                      // of the clip that was measured last
  uint64_t poses_ = 0;               // sampled so far
  double expected_poses_ = 1;        // estimate of the final poses_
};

bool is_positive(float value) { return value > 0 && std::isfinite(value); }

Status check(const BakeOptions& options) {
  if (!is_positive(options.max_error) || !is_positive(options.error_radius) ||
      !is_positive(options.min_frames_per_second) || !is_positive(options.max_frames_per_second)) {
    return Error{ErrorCode::kInvalidArgument, "bake: errors, radius and frames per second must be positive"};
  }
  if (options.min_frames_per_second > options.max_frames_per_second) {
    return Error{ErrorCode::kInvalidArgument, "bake: the least frames per second are above the most"};
  }
  return {};
}

}  // namespace

Result<BakedCharacter> bake(const Character& character, const BakeOptions& options,
                            const BakeProgress& progress) SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew bake");
  if (Status status = check(options); !status) return status.error();
  if (Status status = validate(character); !status) return status.error();
  return Baker(character, {character.skin}, options, progress).bake();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<BakedCharacter> bake(const Character& character, const Skin& skin, uint32_t target_count,
                            const BakeOptions& options, const BakeProgress& progress) SINEW_TRY {
  SINEW_PROFILE_SCOPE("sinew bake");
  if (Status status = check(options); !status) return status.error();
  if (Status status = validate(character); !status) return status.error();
  if (Status status = validate(skin, character.skeleton); !status) return status.error();
  if (target_count != 0 && target_count != character.mesh.target_count()) {
    return Error{ErrorCode::kInvalidArgument, "bake: " + std::to_string(target_count) +
                                                  " morph targets, the character has " +
                                                  std::to_string(character.mesh.target_count())};
  }
  return Baker(character, {skin, true, target_count > 0}, options, progress).bake();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
