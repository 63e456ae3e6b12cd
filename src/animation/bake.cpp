#include "sinew/bake.h"

#include <algorithm>
#include <cmath>

#include "baked_sample.h"
#include "movement.h"
#include "sinew/cpu_skin.h"
#include "sinew/hierarchy.h"
#include "sinew/palette.h"
#include "sinew/sample.h"

namespace sinew {
namespace {

constexpr double kReferenceExtent = 1.8;  // metres: what BakeOptions' lengths are relative to
constexpr int kQuantisedMax = 32767;
constexpr int kMeasuresPerFrame = 8;
constexpr double kStretchTolerance = 1e-5;

/// A clip's movements at uniform times, before they are quantised.
struct SampledClip {
  double frames_per_second = 0;
  uint32_t frame_count = 0;
  std::vector<Movement> movements;  // [frame][step]
};

/// Model units to a metre of the character's.
double units_per_meter(const Character& character) {
  std::vector<Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint);
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  build_palette(character.skin, model_from_joint, palette);
  std::vector<Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(character.mesh, palette, positions, normals);

  Vec3 low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  for (const Vec3 p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const double extent = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
  return extent > 0 && std::isfinite(extent) ? extent / kReferenceExtent : 1;
}

/// Times at which a track leaps rather than moves: steps, and keys at one time.
template <class Value>
void find_jumps(const Track<Value>& track, std::vector<float>& jumps) {
  for (size_t i = 1; i < track.times_seconds.size(); ++i) {
    const bool leaps =
        track.interpolation == Interpolation::kStep || track.times_seconds[i] == track.times_seconds[i - 1];
    if (leaps) jumps.push_back(track.times_seconds[i]);
  }
}

std::vector<float> find_jumps(const Clip& clip) {
  std::vector<float> jumps;
  for (const JointTracks& joint : clip.tracks) {
    find_jumps(joint.translation, jumps);
    find_jumps(joint.rotation, jumps);
    find_jumps(joint.scale, jumps);
  }
  std::sort(jumps.begin(), jumps.end());
  return jumps;
}

class Baker {
 public:
  Baker(const Character& character, const BakeOptions& options)
      : character_(character),
        options_(options),
        plan_(plan_bake(character)),
        units_per_meter_(units_per_meter(character)),
        pose_(character.skeleton.joint_count()) {}

  BakedCharacter bake() {
    sampled_.resize(character_.clips.size());
    double rate = options_.min_frames_per_second;
    for (size_t i = 0; i < sampled_.size(); ++i) sampled_[i] = sample(character_.clips[i], rate);
    BakedCharacter best = quantise();
    // Finer frames for the clips that miss the bound. What a finer rate does not mend is the 16 bits' share.
    while (rate < options_.max_frames_per_second && any_misses(best)) {
      rate = std::min(rate * 2, double(options_.max_frames_per_second));
      const std::vector<SampledClip> before = sampled_;
      for (size_t i = 0; i < sampled_.size(); ++i) {
        if (best.clips[i].error > options_.max_error) sampled_[i] = sample(character_.clips[i], rate);
      }
      BakedCharacter finer = quantise();
      keep_what_helped(best, finer, before);
      best = quantise();
    }
    return best;
  }

 private:
  bool any_misses(const BakedCharacter& baked) const {
    return std::any_of(baked.clips.begin(), baked.clips.end(),
                       [&](const BakedClip& clip) { return clip.error > options_.max_error; });
  }

  void keep_what_helped(const BakedCharacter& coarse, const BakedCharacter& fine,
                        const std::vector<SampledClip>& coarse_samples) {
    for (size_t i = 0; i < sampled_.size(); ++i) {
      const bool helped =
          fine.clips[i].error <= options_.max_error || fine.clips[i].error < 0.9f * coarse.clips[i].error;
      if (!helped) sampled_[i] = coarse_samples[i];
    }
  }

  std::vector<Movement> movements_at(const Clip& clip, double time_seconds) {
    sample_clip(clip, character_.skeleton, float(time_seconds), pose_);
    return measure_movements(plan_, pose_);
  }

  SampledClip sample(const Clip& clip, double rate) {
    const double duration = clip.duration_seconds();
    SampledClip sampled;
    sampled.frame_count = duration > 0 ? uint32_t(std::ceil(duration * rate - 1e-4)) + 1 : 2;
    sampled.frames_per_second = duration > 0 ? (sampled.frame_count - 1) / duration : rate;
    for (uint32_t frame = 0; frame < sampled.frame_count; ++frame) {
      const bool last = frame + 1 == sampled.frame_count;
      const double time = last ? clip.end_seconds : clip.start_seconds + frame / sampled.frames_per_second;
      const std::vector<Movement> movements = movements_at(clip, time);
      sampled.movements.insert(sampled.movements.end(), movements.begin(), movements.end());
    }
    align_signs(sampled);
    return sampled;
  }

  /// A rotation and its negative are the same: each frame takes the sign nearer to the one before.
  void align_signs(SampledClip& sampled) const {
    const size_t steps = plan_.joints.size();
    for (size_t i = 0; i < sampled.movements.size(); ++i) {
      double(&q)[4] = sampled.movements[i].rotation;
      double side = q[3];
      if (i >= steps) {
        const double(&p)[4] = sampled.movements[i - steps].rotation;
        side = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
      }
      if (side < 0) {
        for (double& component : q) component = -component;
      }
    }
  }

  bool anything_stretches() const {
    const auto stretches = [](const Movement& m) {
      double most = 0;
      for (int i = 0; i < 6; ++i) most = std::max(most, std::abs(m.stretch[i] - (i < 3 ? 1 : 0)));
      return most > kStretchTolerance;
    };
    return std::any_of(sampled_.begin(), sampled_.end(),
                       [&](const SampledClip& clip) {
                         return std::any_of(clip.movements.begin(), clip.movements.end(), stretches);
                       }) ||
           std::any_of(rest_.begin(), rest_.end(), stretches);
  }

  /// The component of a movement that is stored at `index` of its records.
  static double component(const Movement& movement, size_t index) {
    if (index < 4) return movement.rotation[index];
    if (index < 7) return movement.place[index - 4];
    return index < kBakedComponents || index >= kBakedComponents + 6 ? 0 : movement.stretch[index - kBakedComponents];
  }

  BakedCharacter quantise() {
    rest_ = measure_movements(plan_, character_.skeleton.rest_pose);
    BakedCharacter baked;
    baked.joints = plan_.joints;
    baked.scale = float(plan_.scale);
    baked.joint_count = character_.skeleton.joint_count();
    baked.palette_size = character_.skin.palette_size();
    baked.records_per_joint = anything_stretches() ? 2 : 1;
    const size_t numbers = baked.joints.size() * baked.records_per_joint * kBakedComponents;
    baked.lines_per_frame = uint32_t(std::max<size_t>((numbers + 31) / 32, 1));
    find_ranges(baked);
    append_frames(baked, {0, 2, still_frames()});  // the rest pose comes first, for instances that play nothing
    for (size_t i = 0; i < sampled_.size(); ++i) {
      const Clip& clip = character_.clips[i];
      BakedClip baked_clip{clip.name,
                           clip.start_seconds,
                           clip.end_seconds,
                           float(sampled_[i].frames_per_second),
                           uint32_t(baked.frames.size() / baked.lines_per_frame),
                           sampled_[i].frame_count,
                           0};
      append_frames(baked, sampled_[i]);
      baked_clip.error = float(measure(baked, baked_clip, clip));
      baked.clips.push_back(baked_clip);
    }
    return baked;
  }

  std::vector<Movement> still_frames() const {
    std::vector<Movement> twice = rest_;
    twice.insert(twice.end(), rest_.begin(), rest_.end());
    return twice;
  }

  void find_ranges(BakedCharacter& baked) const {
    const size_t steps = baked.joints.size(), records = baked.records_per_joint;
    baked.ranges.resize(steps * records);
    for (size_t step = 0; step < steps; ++step) {
      for (size_t c = 0; c < records * kBakedComponents; ++c) {
        double low = component(rest_[step], c), high = low;
        for (const SampledClip& clip : sampled_) {
          for (size_t i = step; i < clip.movements.size(); i += steps) {
            const double value = component(clip.movements[i], c);
            low = std::min(low, value), high = std::max(high, value);
          }
        }
        BakedRange& range = baked.ranges[step * records + c / kBakedComponents];
        range.centre[c % kBakedComponents] = float((low + high) / 2);
        range.scale[c % kBakedComponents] = float((high - low) / 2 / kQuantisedMax * kShareScale);
      }
    }
  }

  void append_frames(BakedCharacter& baked, const SampledClip& sampled) const {
    const size_t steps = baked.joints.size(), components = baked.records_per_joint * kBakedComponents;
    for (uint32_t frame = 0; frame < sampled.frame_count; ++frame) {
      const size_t begin = baked.frames.size();
      baked.frames.resize(begin + baked.lines_per_frame);
      int16_t* numbers = baked.frames[begin].numbers;
      for (size_t step = 0; step < steps; ++step) {
        for (size_t c = 0; c < components; ++c) {
          const BakedRange& range = baked.ranges[step * baked.records_per_joint + c / kBakedComponents];
          const double scale = range.scale[c % kBakedComponents] / kShareScale;
          if (scale == 0) continue;
          const double value =
              component(sampled.movements[frame * steps + step], c) - range.centre[c % kBakedComponents];
          numbers[step * components + c] =
              int16_t(std::clamp(std::lround(value / scale), -long(kQuantisedMax), long(kQuantisedMax)));
        }
      }
    }
  }

  /// The largest distance between baked and exact points around the joints, in the character's metres.
  double measure(const BakedCharacter& baked, const BakedClip& baked_clip, const Clip& clip) {
    const std::vector<float> jumps = find_jumps(clip);
    double largest = 0;
    for (uint32_t frame = 0; frame + 1 < baked_clip.frame_count; ++frame) {
      const double start = clip.start_seconds + frame / double(baked_clip.frames_per_second);
      const double end = clip.start_seconds + (frame + 1) / double(baked_clip.frames_per_second);
      const auto jump = std::upper_bound(jumps.begin(), jumps.end(), float(start));
      if (jump != jumps.end() && *jump <= float(end)) continue;
      for (int i = 0; i < kMeasuresPerFrame; ++i) {
        const float time = float(start + (end - start) * i / kMeasuresPerFrame);
        sample_clip(clip, character_.skeleton, time, pose_);
        const auto exact = walk_pose(plan_, pose_);
        const auto approximate = walk_movements(plan_, sample_baked(baked, baked_clip, time));
        largest = std::max(largest, largest_distance(exact, approximate));
      }
    }
    return largest / units_per_meter_;
  }

  double largest_distance(const std::vector<Matrix3x4d>& a, const std::vector<Matrix3x4d>& b) const {
    const double reach = options_.reach * units_per_meter_ / plan_.scale;  // where meshes are bound
    double largest = 0;
    for (size_t step = 0; step < a.size(); ++step) {
      const Vec3 origin = plan_.joints[step].origin;
      double at[3], along[3][3];
      for (int r = 0; r < 3; ++r) {
        const auto difference = [&](int c) { return a[step].m[r][c] - b[step].m[r][c]; };
        at[r] = difference(0) * origin.x + difference(1) * origin.y + difference(2) * origin.z + difference(3);
        for (int axis = 0; axis < 3; ++axis) along[axis][r] = difference(axis) * reach;
      }
      for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-1.0, 1.0}) {
          largest = std::max(largest, std::hypot(at[0] + side * along[axis][0], at[1] + side * along[axis][1],
                                                 at[2] + side * along[axis][2]));
        }
      }
    }
    return largest;
  }

  const Character& character_;
  const BakeOptions& options_;
  BakePlan plan_;
  double units_per_meter_;
  std::vector<Transform> pose_;
  std::vector<SampledClip> sampled_;
  std::vector<Movement> rest_;
};

bool is_positive(float value) { return value > 0 && std::isfinite(value); }

}  // namespace

Result<BakedCharacter> bake(const Character& character, const BakeOptions& options) {
  if (!is_positive(options.max_error) || !is_positive(options.reach) || !is_positive(options.min_frames_per_second) ||
      !is_positive(options.max_frames_per_second)) {
    return Error{ErrorCode::kInvalidArgument, "bake: error, reach and frames per second must be positive"};
  }
  if (Status status = validate(character); !status) return status.error();
  return Baker(character, options).bake();
}

}  // namespace sinew
