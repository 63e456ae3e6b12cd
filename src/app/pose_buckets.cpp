#include "pose_buckets.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

constexpr float kSamplesPerSecond = 120;
constexpr uint32_t kFewestSamples = 8, kMostSamples = 2000;

/// The angle between two rotations that may scale. Of the chord, which small angles do not lose in rounding.
double turn_between(const Matrix3x4& a, const Matrix3x4& b) {
  double square = 0;
  for (int c = 0; c < 3; ++c) {
    const Vec3 from = normalize(Vec3{a.m[0][c], a.m[1][c], a.m[2][c]}, {});
    const Vec3 to = normalize(Vec3{b.m[0][c], b.m[1][c], b.m[2][c]}, {});
    const Vec3 chord = to - from;
    square += double(dot(chord, chord));
  }
  // A rotation by an angle moves the three axes by chords whose squares add to 8 sin(angle / 2)^2.
  return 2 * std::asin(std::min(1.0, std::sqrt(square / 8)));
}

class Poser {
 public:
  explicit Poser(const Character& character) : character_(character), palette_(character.skin.palette_size()) {}

  const std::vector<Matrix3x4>& pose(uint32_t clip, float time_seconds) {
    Playback playback;
    playback.layers[0] = {clip, time_seconds, 1};
    evaluate_crowd(character_, {&playback, 1}, uint32_t(palette_.size()), palette_, scratch_);
    return palette_;
  }

 private:
  const Character& character_;
  std::vector<Matrix3x4> palette_;
  EvaluationScratch scratch_;
};

ClipTurn measure(const Character& character, uint32_t index) {
  const Clip& clip = character.clips[index];
  const float samples = std::ceil(clip.duration_seconds() * kSamplesPerSecond);
  const uint32_t steps = std::clamp(uint32_t(std::min(samples, float(kMostSamples))), kFewestSamples, kMostSamples);
  ClipTurn turn{clip.start_seconds, clip.duration_seconds() / float(steps), {0}};
  Poser poser(character);
  std::vector<Matrix3x4> last = poser.pose(index, clip.start_seconds);
  for (uint32_t i = 1; i <= steps; ++i) {
    const std::vector<Matrix3x4>& now = poser.pose(index, clip.start_seconds + float(i) * turn.step_seconds);
    turn.radians.push_back(turn.radians.back() + float(angle_between(last, now)));
    last = now;
  }
  return turn;
}

}  // namespace

double angle_between(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double widest = 0;
  for (size_t entry = 0; entry < a.size(); ++entry) widest = std::max(widest, turn_between(a[entry], b[entry]));
  return widest;
}

float ClipTurn::at(float time_seconds) const {
  if (!(step_seconds > 0)) return 0;
  const float last = float(radians.size() - 1);
  const float step = std::clamp((time_seconds - start_seconds) / step_seconds, 0.0f, last);
  const size_t before = std::min(size_t(step), radians.size() - 2);
  return radians[before] + (radians[before + 1] - radians[before]) * (step - float(before));
}

float ClipTurn::time_of(float turned_radians) const {
  const auto after = std::upper_bound(radians.begin() + 1, radians.end() - 1, turned_radians);
  const float from = *(after - 1), way = *after - from;
  const float share = way > 0 ? std::clamp((turned_radians - from) / way, 0.0f, 1.0f) : 0.5f;
  return start_seconds + (float(after - radians.begin() - 1) + share) * step_seconds;
}

std::vector<ClipTurn> measure_turns(const Model& model) {
  std::vector<ClipTurn> turns;
  for (uint32_t clip : model.clips) turns.push_back(measure(model.character, clip));
  return turns;
}

PoseBuckets::PoseBuckets(const Model& model, const std::vector<ClipTurn>& turns, uint32_t bucket_count)
    : turns_(&turns), clip_index_(model.character.clips.size(), -1), clips_(model.clips), first_{0} {
  float all = 0;
  for (const ClipTurn& turn : turns) all += turn.radians.back();
  width_ = all / float(std::max(bucket_count, 1u));
  for (size_t i = 0; i < clips_.size(); ++i) {
    clip_index_[clips_[i]] = int32_t(i);
    const float buckets = width_ > 0 ? std::ceil(turns[i].radians.back() / width_) : 1;
    first_.push_back(first_.back() + std::max(uint32_t(buckets), 1u));
  }
}

std::optional<uint32_t> PoseBuckets::bucket_of(const Playback& playback) const {
  const Layer& only = playback.layers[0];
  const auto played = [](const Layer& layer) { return layer.weight > 0; };
  if (!played(only) || std::any_of(std::begin(playback.layers) + 1, std::end(playback.layers), played)) return {};
  if (only.mask != 0 || only.clip >= clip_index_.size() || clip_index_[only.clip] < 0) return {};
  const size_t clip = size_t(clip_index_[only.clip]);
  const float turned = (*turns_)[clip].at(only.time_seconds);
  const uint32_t count = first_[clip + 1] - first_[clip];
  return first_[clip] + std::min(width_ > 0 ? uint32_t(turned / width_) : 0, count - 1);
}

Playback PoseBuckets::playback_of(uint32_t bucket) const {
  const size_t clip = size_t(std::upper_bound(first_.begin(), first_.end(), bucket) - first_.begin()) - 1;
  const float begin = float(bucket - first_[clip]) * width_;
  const float end = std::min(begin + width_, (*turns_)[clip].radians.back());
  Playback playback;
  playback.layers[0] = {clips_[clip], (*turns_)[clip].time_of((begin + end) / 2), 1};
  return playback;
}

}  // namespace sinew::app
