#include "clip_path.h"

#include <algorithm>
#include <cmath>

#include "asset/exceptions.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"

namespace sinew::crowd::internal {
namespace {

constexpr double kSamplesPerSecond = 120;
constexpr double kMaxSamplesPerKey = 64;  // a chain of 20 joints that turn 180 degrees each: 56 degrees per sample
constexpr double kMinSamples = 8;         // per clip
constexpr double kMaxValues = 1 << 26;    // samples of all clips times joints and morph targets

/// A key of any track.
struct Key {
  float seconds = 0;
  bool jumps = false;  // discontinuity: a step, or a second key at the same time

  bool operator<(const Key& other) const { return seconds < other.seconds; }
};

template <class Value>
void add_keys(const Track<Value>& track, std::vector<Key>& keys) {
  const std::vector<float>& times = track.times_seconds;
  for (size_t i = 0; i < times.size(); ++i) {
    const bool again = i > 0 && times[i] == times[i - 1];
    keys.push_back({times[i], again || track.interpolation == Interpolation::kStep});
  }
}

/// All keys and both ends of the clip, in order of time.
std::vector<Key> keys_of(const Clip& clip) {
  std::vector<Key> keys = {{clip.start_seconds}, {clip.end_seconds}};
  for (const JointTracks& joint : clip.tracks) {
    add_keys(joint.translation, keys);
    add_keys(joint.rotation, keys);
    add_keys(joint.scale, keys);
  }
  for (const WeightTrack& track : clip.weights) add_keys(track.weight, keys);
  std::erase_if(keys, [&](Key key) { return key.seconds < clip.start_seconds || key.seconds > clip.end_seconds; });
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// Merges keys that are closer together than samples have to be. A merged key jumps if any of its keys jumps.
std::vector<Key> merged(const std::vector<Key>& keys) {
  std::vector<Key> result = {keys.front()};
  for (const Key key : keys) {
    Key& last = result.back();
    const bool near = result.size() > 1 && key.seconds - result[result.size() - 2].seconds < 1 / kSamplesPerSecond;
    if (near || key.seconds == last.seconds) {
      last = {key.seconds, last.jumps || key.jumps};
    } else {
      result.push_back(key);
    }
  }
  return result;
}

/// Sets ClipPath::cells. The first is that of sample 1, so that there is a sample before it.
void divide(ClipPath& path) {
  const std::vector<float>& times = path.times;
  path.cells.resize(times.size() - 1);
  path.cells_per_second = float(path.cells.size()) / (times.back() - times.front());
  uint32_t after = 1;
  for (size_t cell = 0; cell < path.cells.size(); ++cell) {
    const float part = (float(cell) + 0.5f) / float(path.cells.size());
    const float middle = times.front() + (times.back() - times.front()) * part;
    while (after + 1 < times.size() && times[after] <= middle) ++after;
    path.cells[cell] = after;
  }
}

void set_max_speed(ClipPath& path) {
  for (size_t i = 1; i < path.times.size(); ++i) {
    const double speed = (path.lengths[i] - path.lengths[i - 1]) / (double(path.times[i]) - path.times[i - 1]);
    path.max_speed = std::max(path.max_speed, float(speed * 1.0001));
  }
}

class Poser {
 public:
  explicit Poser(const Character& character)
      : character_(character),
        pose_{std::vector<Matrix3x4>(character.skin.palette_size()),
              std::vector<float>(character.mesh.target_count())} {}

  const ExactPose& pose(uint32_t clip, float time_seconds) {
    Playback playback;
    playback.layers[0] = {clip, time_seconds, 1};
    const auto size = uint32_t(pose_.palette.size());
    if (!evaluate_exact(character_, {&playback, 1}, size, pose_.palette, scratch_)) sinew::internal::throw_bad_alloc();
    sample_weights(character_.clips[clip], character_.mesh.targets, time_seconds, pose_.weights);
    return pose_;
  }

 private:
  const Character& character_;
  ExactPose pose_;
  EvaluationScratch scratch_;
};

}  // namespace

float ClipPath::time_of(double length) const {
  if (times.size() < 2) return start_seconds();
  const auto found = std::upper_bound(lengths.begin() + 1, lengths.end() - 1, length);
  const size_t after = size_t(found - lengths.begin()), before = after - 1;
  const double way = lengths[after] - lengths[before];
  const double share = way > 0 ? std::clamp((length - lengths[before]) / way, 0.0, 1.0) : 0.5;
  return float(times[before] + (double(times[after]) - times[before]) * share);
}

std::vector<float> path_times(const Clip& clip) {
  const std::vector<Key> keys = merged(keys_of(clip));
  const double min_parts = std::ceil(kMinSamples / double(keys.size()));
  std::vector<float> times = {keys.front().seconds};
  const auto add = [&](double seconds) {
    if (float(seconds) > times.back()) times.push_back(float(seconds));
  };
  for (size_t i = 1; i < keys.size(); ++i) {
    const double from = keys[i - 1].seconds, duration = keys[i].seconds - from;
    const double parts = std::clamp(std::ceil(duration * kSamplesPerSecond), min_parts, kMaxSamplesPerKey);
    for (double part = 1; part < parts; ++part) add(from + duration * part / parts);
    if (keys[i].jumps) add(std::nextafter(keys[i].seconds, keys.front().seconds));
    add(keys[i].seconds);
  }
  return times;
}

std::vector<float> path_times(const Character& character, uint32_t clip) {
  std::vector<float> times = path_times(character.clips[clip]);
  const double values = double(character.skeleton.joint_count()) + character.mesh.target_count() + 1;
  const double max_count = std::max(kMinSamples, kMaxValues / values / double(character.clips.size()));
  if (double(times.size()) <= max_count) return times;
  const auto step = size_t(std::ceil(double(times.size()) / max_count));
  std::vector<float> some;
  for (size_t i = 0; i + 1 < times.size(); i += step) some.push_back(times[i]);
  some.push_back(times.back());
  return some;
}

std::vector<ClipPath> measure_paths(const Character& character, uint32_t index,
                                    std::span<const PoseDistance> distances) {
  ClipPath of_any{path_times(character, index), {0}};
  divide(of_any);
  std::vector<ClipPath> paths(distances.size(), of_any);
  Poser poser(character);
  const ExactPose first = poser.pose(index, of_any.start_seconds());
  ExactPose last = first;
  for (size_t i = 1; i < of_any.times.size(); ++i) {
    const ExactPose& now = poser.pose(index, of_any.times[i]);
    for (size_t d = 0; d < distances.size(); ++d)
      paths[d].lengths.push_back(paths[d].lengths.back() + double(distances[d](last, now)));
    last = now;
  }
  for (size_t d = 0; d < distances.size(); ++d) {
    paths[d].loop_distance = distances[d](last, first);
    set_max_speed(paths[d]);
  }
  return paths;
}

}  // namespace sinew::crowd::internal
