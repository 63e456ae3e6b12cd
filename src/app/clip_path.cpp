#include "clip_path.h"

#include <algorithm>
#include <cmath>

#include "sinew/crowd.h"

namespace sinew::app {
namespace {

constexpr float kSamplesPerSecond = 120;
constexpr uint32_t kFewestSamples = 8, kMostSamples = 2000;

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

}  // namespace

float ClipPath::at(float time_seconds) const {
  if (!(step_seconds > 0)) return 0;
  const float last = float(lengths.size() - 1);
  const float step = std::clamp((time_seconds - start_seconds) / step_seconds, 0.0f, last);
  const size_t before = std::min(size_t(step), lengths.size() - 2);
  return lengths[before] + (lengths[before + 1] - lengths[before]) * (step - float(before));
}

float ClipPath::time_of(float length) const {
  const auto after = std::upper_bound(lengths.begin() + 1, lengths.end() - 1, length);
  const float from = *(after - 1), way = *after - from;
  const float share = way > 0 ? std::clamp((length - from) / way, 0.0f, 1.0f) : 0.5f;
  return start_seconds + (float(after - lengths.begin() - 1) + share) * step_seconds;
}

float ClipPath::between(float a_seconds, float b_seconds) const {
  const float straight = std::abs(at(b_seconds) - at(a_seconds));
  return std::min(straight, lengths.back() - straight + leap);
}

ClipPath measure_path(const Character& character, uint32_t index, const PoseDistance& distance) {
  const Clip& clip = character.clips[index];
  const float samples = std::ceil(clip.duration_seconds() * kSamplesPerSecond);
  const uint32_t steps = std::clamp(uint32_t(std::min(samples, float(kMostSamples))), kFewestSamples, kMostSamples);
  ClipPath path{clip.start_seconds, clip.duration_seconds() / float(steps), {0}};
  Poser poser(character);
  const std::vector<Matrix3x4> first = poser.pose(index, clip.start_seconds);
  std::vector<Matrix3x4> last = first;
  for (uint32_t i = 1; i <= steps; ++i) {
    const std::vector<Matrix3x4>& now = poser.pose(index, clip.start_seconds + float(i) * path.step_seconds);
    path.lengths.push_back(path.lengths.back() + distance(last, now));
    last = now;
  }
  path.leap = distance(last, first);
  return path;
}

}  // namespace sinew::app
