#include "crowd/report/stages.h"

#include <algorithm>
#include <cmath>

#include "crowd/report/verdict.h"

namespace sinew::app {
namespace {

constexpr size_t kParts = 5;  // of a run without repeats, for its spread

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
  if (samples.empty() || repeats == 0 || samples.size() % repeats != 0) return {};
  const auto frames = ptrdiff_t(samples.size() / repeats);
  std::vector<double> medians;
  for (auto first = samples.begin(); first != samples.end(); first += frames)
    medians.push_back(*percentile(Samples(first, first + frames), 0.5));
  return medians;
}

std::optional<double> spread_of(const Samples& samples, uint32_t repeats) {
  if (samples.size() < 2) return {};  // one frame differs from no other
  if (repeats > 1) return spread_of(repeat_medians(samples, repeats));
  const size_t parts = std::min(samples.size(), kParts);
  const Samples whole(samples.begin(), samples.begin() + ptrdiff_t(samples.size() / parts * parts));
  return spread_of(repeat_medians(whole, uint32_t(parts)));
}

int digits_of(const Samples& samples, uint32_t repeats) {
  return spread_of(samples, repeats).value_or(0) > kNoisySpread ? 2 : 3;
}

}  // namespace sinew::app
