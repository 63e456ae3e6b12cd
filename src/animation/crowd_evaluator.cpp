#include <algorithm>
#include <array>
#include <cassert>

#include "baked_sample.h"
#include "crowd_kernel.h"
#include "sinew/crowd.h"

namespace sinew {
namespace {

constexpr size_t kBatchesPerTask = 16;
constexpr size_t kStreamingBytes = size_t(8) << 20;  // beyond what a core's own caches hold; see benchmarks/results
constexpr uint32_t kNumbersPerLine = 32;

/// Instances by how many layers they play: a batch pays for its busiest lane.
using Buckets = std::array<std::vector<uint32_t>, kMaxLayers + 1>;

uint32_t layers_played(const BakedCharacter& baked, const Playback& playback) {
  uint32_t count = 0;
  for (const Layer& layer : playback.layers) count += layer.weight > 0 && layer.clip < baked.clips.size();
  return count;
}

/// One call of evaluate(), as its tasks see it.
struct Evaluation {
  const BakedCharacter& baked;
  const KernelProgram& program;
  const Kernel& kernel;
  std::span<const Playback> instances;
  uint32_t palette_stride;
  Matrix3x4* palettes;
  bool stream;
  std::vector<std::span<const uint32_t>> tasks;  // instances of one bucket, up to kBatchesPerTask batches of them
};

/// The frames that rest, which a bake begins with.
KernelLane resting_lane(const BakedCharacter& baked) { return {baked.numbers_of(0), 0, 1, nullptr}; }

/// Fills one lane of every layer with what an instance plays.
void fill_lane(const BakedCharacter& baked, const Playback& playback, size_t lane, KernelBatch& batch) {
  size_t filled = 0;
  for (const Layer& layer : playback.layers) {
    if (!(layer.weight > 0) || layer.clip >= baked.clips.size()) continue;
    const FramePosition at = frame_position(baked.clips[layer.clip], layer.time_seconds);
    batch.lanes[filled++][lane] = {baked.numbers_of(at.frame), at.share, std::min(layer.weight, 1e6f), nullptr};
  }
  if (filled == 0) batch.lanes[0][lane] = resting_lane(baked);
}

/// 64-byte aligned floats.
class Scratch {
 public:
  explicit Scratch(size_t floats) : lines_((floats + 15) / 16) {}
  float* data() { return lines_.empty() ? nullptr : lines_.data()->floats; }

 private:
  struct alignas(64) Line {
    float floats[16];
  };
  std::vector<Line> lines_;
};

void run_task(void* data, uint32_t index) {
  const Evaluation& evaluation = *static_cast<const Evaluation*>(data);
  const std::span<const uint32_t> instances = evaluation.tasks[index];
  const size_t lanes = evaluation.kernel.lanes;
  const size_t waste_floats = (evaluation.program.entry_count + 3) / 4 * 4 * 12;
  Scratch state(state_floats(evaluation.program)), waste(waste_floats);

  KernelBatch batch;
  batch.frame_stride = evaluation.baked.lines_per_frame * kNumbersPerLine;
  batch.stream = evaluation.stream;
  batch.layer_count = std::max(layers_played(evaluation.baked, evaluation.instances[instances[0]]), 1u);
  for (size_t first = 0; first < instances.size(); first += lanes) {
    for (size_t lane = 0; lane < lanes; ++lane) {
      const bool used = first + lane < instances.size();
      const uint32_t instance = instances[used ? first + lane : first];
      fill_lane(evaluation.baked, evaluation.instances[instance], lane, batch);
      batch.palettes[lane] =
          used ? &evaluation.palettes[size_t(instance) * evaluation.palette_stride].m[0][0] : waste.data();
    }
    evaluation.kernel.evaluate(evaluation.program, batch, state.data());
  }
  if (evaluation.stream) finish_streaming();
}

}  // namespace

struct CrowdEvaluator::Impl {
  explicit Impl(const BakedCharacter& character)
      : baked(character), program(character), kernel(available_kernels()[0]) {}

  const BakedCharacter& baked;
  KernelProgram program;
  Kernel kernel;
};

CrowdEvaluator::CrowdEvaluator(const BakedCharacter& baked) : impl_(std::make_unique<Impl>(baked)) {}
CrowdEvaluator::~CrowdEvaluator() = default;
CrowdEvaluator::CrowdEvaluator(CrowdEvaluator&&) noexcept = default;
CrowdEvaluator& CrowdEvaluator::operator=(CrowdEvaluator&&) noexcept = default;

const char* CrowdEvaluator::instruction_set() const { return impl_->kernel.name; }

void CrowdEvaluator::evaluate(std::span<const Playback> instances, uint32_t palette_stride,
                              std::span<Matrix3x4> palettes, const ParallelFor& parallel_for, Stores stores) const {
  assert(palette_stride % 4 == 0 && palette_stride >= impl_->program.entry_count);
  assert(palettes.size() >= instances.size() * palette_stride);
  assert(reinterpret_cast<uintptr_t>(palettes.data()) % 64 == 0);
  if (impl_->program.entry_count == 0) return;

  Buckets buckets;
  for (uint32_t i = 0; i < instances.size(); ++i) buckets[layers_played(impl_->baked, instances[i])].push_back(i);
  buckets[1].insert(buckets[1].end(), buckets[0].begin(), buckets[0].end());  // resting is one layer too
  buckets[0].clear();

  const bool large = instances.size() * palette_stride * sizeof(Matrix3x4) > kStreamingBytes;
  Evaluation evaluation{impl_->baked,
                        impl_->program,
                        impl_->kernel,
                        instances,
                        palette_stride,
                        palettes.data(),
                        stores == Stores::kStreaming || (stores == Stores::kChoose && large),
                        {}};
  const size_t task_size = impl_->kernel.lanes * kBatchesPerTask;
  for (const std::vector<uint32_t>& bucket : buckets) {
    for (size_t first = 0; first < bucket.size(); first += task_size) {
      evaluation.tasks.push_back(std::span(bucket).subspan(first, std::min(task_size, bucket.size() - first)));
    }
  }
  parallel_for(uint32_t(evaluation.tasks.size()), run_task, &evaluation);
}

}  // namespace sinew
