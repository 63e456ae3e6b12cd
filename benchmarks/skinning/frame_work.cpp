#include "frame_work.h"

#include <algorithm>

#include "asset/dual_quaternion.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/skin.h"
#include "system/clock.h"

namespace sinew::bench {
namespace {

struct alignas(64) CacheLines {
  Matrix3x4 matrices[4];
};

template <class Work>
double seconds_of(const Work& work) {
  const app::Stopwatch time;
  work();
  return time.elapsed_ms() / 1e3;
}

/// Palettes and weights lie as in a page of the skinner.
Status measure_evaluation(const Workload& workload, uint32_t frames, FrameWork& work) {
  const Result<BakedCharacter> baked = bake(workload.character());
  if (!baked) return baked.error();
  const CrowdEvaluator evaluator(*baked);
  const uint32_t entries = workload.character().skin.palette_size();
  const auto stride = uint32_t(palette_stride(entries, workload.character().mesh.target_count()));
  std::vector<CacheLines> room(size_t{workload.instance_count()} * stride / 4);
  const std::span palettes(&room.data()->matrices[0], room.size() * 4);
  std::vector<double> palette_seconds, weight_seconds;
  Status status;
  for (uint32_t frame = 0; frame < frames && status; ++frame) {
    palette_seconds.push_back(seconds_of([&] { status = evaluator.evaluate(workload.playbacks, stride, palettes); }));
    if (!status) break;
    weight_seconds.push_back(seconds_of([&] {
      status = evaluate_weights(*baked, workload.playbacks, stride * 12, weights_behind(palettes, entries));
    }));
  }
  if (!status) return status;
  work.palettes_seconds = median(palette_seconds), work.weights_seconds = median(weight_seconds);
  return {};
}

}  // namespace

double median(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Result<FrameWork> measure_work(const Workload& workload, uint32_t frames) {
  FrameWork work{.characters = workload.instance_count()};
  std::vector<Matrix3x4> converted(workload.palettes.size());
  std::vector<double> seconds;
  for (uint32_t frame = 0; frame < frames; ++frame)
    seconds.push_back(seconds_of([&] { internal::pack_palette(workload.palettes, converted); }));
  work.convert_on_cpu_seconds = median(seconds);
  if (workload.character().mesh.targets.empty()) return work;
  if (Status measured = measure_evaluation(workload, frames, work); !measured) return measured.error();
  return work;
}

}  // namespace sinew::bench
