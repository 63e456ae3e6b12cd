#include "crowd/report/stages.h"

#include <algorithm>
#include <cmath>

#include "crowd/report/verdict.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// The medians of each `frames` samples that follow one another, after the first `skipped` of each repeat.
std::vector<double> medians_of(const Samples& samples, size_t repeat, size_t skipped, size_t frames) {
  std::vector<double> medians;
  for (size_t first = 0; first < samples.size(); first += repeat) {
    for (size_t begin = first + skipped; begin < first + repeat; begin += frames) {
      const auto at = samples.begin() + ptrdiff_t(begin);
      medians.push_back(*percentile(Samples(at, at + ptrdiff_t(frames)), 0.5));
    }
  }
  return medians;
}

bool are_repeats(const Samples& samples, uint32_t repeats) {
  return !samples.empty() && repeats > 0 && samples.size() % repeats == 0;
}

}  // namespace

std::optional<double> percentile(Samples samples, double share) {
  if (samples.empty()) return {};
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * double(samples.size()) - 1e-9);
  const size_t index = rank < 1 ? 0 : size_t(rank) - 1;
  std::nth_element(samples.begin(), samples.begin() + ptrdiff_t(index), samples.end());
  return samples[index];
}

std::span<const StageRow> all_stages() {
  static constexpr StageRow kStages[] = {{Stage::kFrame, "frame", "frame", "/frame_ms"},
                                         {Stage::kCull, "cpu cull", "cull", "/cpu_ms/cull"},
                                         {Stage::kSample, "cpu sample", "sample", "/cpu_ms/sample"},
                                         {Stage::kRecord, "cpu record", "record", "/cpu_ms/record"},
                                         {Stage::kUpload, "gpu upload", "upload", "/gpu_ms/upload"},
                                         {Stage::kCpuSkin, "cpu skin", "cpu skin", "/cpu_ms/skin"},
                                         {Stage::kSkin, "gpu skin", "skin", "/gpu_ms/skin"},
                                         {Stage::kDraw, "gpu draw", "draw", "/gpu_ms/draw"},
                                         {Stage::kSubmission, "submission", "submission", "/submit_ms"}};
  return kStages;
}

std::vector<double> repeat_medians(const Samples& samples, uint32_t repeats) {
  if (!are_repeats(samples, repeats)) return {};
  return medians_of(samples, samples.size() / repeats, 0, samples.size() / repeats);
}

std::vector<double> part_medians(const Samples& samples, uint32_t repeats) {
  if (!are_repeats(samples, repeats)) return {};
  const size_t frames = samples.size() / repeats, wanted = (kMinRepeats + repeats - 1) / repeats;
  const size_t parts = std::min(frames, wanted);
  return medians_of(samples, frames, frames % parts, frames / parts);
}

std::optional<double> spread_of(const Samples& samples, uint32_t repeats) {
  if (samples.size() < 2) return {};  // one frame differs from no other
  return spread_of(repeats > 1 ? repeat_medians(samples, repeats) : part_medians(samples, repeats));
}

int digits_for(std::span<const double> times, bool noisy) {
  for (size_t i = 1; i < times.size(); ++i) {
    if (times[i] != times[i - 1] && rounded(times[i], 2) == rounded(times[i - 1], 2)) return 3;
  }
  return noisy ? 2 : 3;
}

int digits_of(const Samples& samples, uint32_t repeats) {
  std::vector<double> shown;
  for (const Percentile& stated : kPercentiles) shown.push_back(percentile(samples, stated.share).value_or(0));
  return digits_for(shown, spread_of(samples, repeats).value_or(0) > kNoisySpread);
}

}  // namespace sinew::app
