#include "kernel/crowd_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

// Each instruction set costs seconds of compiling: these, and what Highway itself falls back to, which gets no kernel.
#define SINEW_KERNELS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON)
#define HWY_DISABLED_TARGETS (~(SINEW_KERNELS | HWY_EMU128 | HWY_SCALAR))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/crowd_kernel.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Which includes what comes before it: blocks -> layers -> blend -> walk -> lines.
#include "kernel/crowd_lines-inl.h"

// One copy of what follows for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {

#if HWY_TARGET & SINEW_KERNELS

/// A batch on its way through the walk.
template <bool kScales, Layers kLayers, bool kStream>
class Evaluation {
 public:
  HWY_INLINE Evaluation(const KernelProgram& program, const KernelBatch& batch, float* states)
      : program_(program),
        batch_(batch),
        states_(states),
        last_group_((program.steps.size() * kRecords - 1) / kBlocks) {
    for (size_t l = 0; l < layer_count(); ++l) prepare(batch, l, layers_[l]);
    for (size_t record = 0; record < kLead; ++record) {
      for (size_t l = 0; l < layer_count(); ++l) decode_record(l, record, record / kBlocks);
    }
    // Slot 0 is model space itself.
    for (size_t i = 0; i < kStateRows; ++i) {
      const bool diagonal = i == 0 || i == 5 || i == 10;
      hn::Store(hn::Set(kFloat, diagonal ? program.scale : i == kStateRows - 1 ? 1.0f : 0.0f), kFloat, states + i * W);
    }
  }

  HWY_INLINE void run() {
    Group filling{{states_, states_, states_, states_}}, leaving = filling;
    size_t filled = 0;
    const KernelStep* step = program_.steps.data();
    for (size_t i = 0, count = program_.steps.size(); i < count; ++i, ++step) {
      step = pinned(step);
      leaving.is_leaving() ? advance<true>(*step, i, leaving) : advance<false>(*step, i, leaving);
      if (!step->has_entry) continue;
      filling.states[filled++] = states_ + step->slot * kStateRows * W;
      if (filled < kEntriesPerGroup) continue;
      finish<kStream>(leaving, batch_.palettes);
      leaving = filling;
      leaving.lane = 0;
      filling = {{states_, states_, states_, states_}, leaving.first_float + kEntriesPerGroup * 12};
      filled = 0;
    }
    finish<kStream>(leaving, batch_.palettes);
    if (filled > 0) filling.lane = 0;
    finish<kStream>(filling, batch_.palettes);
  }

 private:
  static constexpr size_t kRecords = kScales ? 2 : 1;          // of a step
  static constexpr size_t kLead = HWY_MAX(kBlocks, kRecords);  // records that are decoded ahead

  HWY_INLINE size_t layer_count() const {
    return kLayers == Layers::kOne ? 1 : batch_.layer_count + batch_.additive_count;
  }

  HWY_INLINE void decode_record(size_t layer, size_t record, size_t group) {
    // Beyond the end is the last group once more.
    decode(layers_[layer], batch_.frame_stride, HWY_MIN(group, last_group_), record % kBlocks);
  }

  HWY_INLINE Numbers numbers_of(const KernelStep& step, size_t i) const {
    if constexpr (kLayers == Layers::kOne) {
      return read<kScales>(layers_[0], step.range, i * kRecords);
    } else {
      return blend<kScales, kLayers>(program_, batch_, layers_, i, i * kRecords);
    }
  }

  /// A step of the walk. A part of what the next ones will need is decoded beside it, and four lanes of a group that is
  /// leaving are written, bit by bit: an out-of-order core sees no further ahead than about one step, and would wait.
  template <bool kLeaving>
  HWY_INLINE void advance(const KernelStep& step, size_t i, Group& leaving) {
    const Numbers numbers = numbers_of(step, i);
    for (size_t record = i * kRecords; record < (i + 1) * kRecords; ++record) {
      for (size_t l = 0; l < layer_count(); ++l) decode_record(l, record, (record + kLead) / kBlocks);
    }
    if constexpr (kLeaving) {
      const Lines<kStream> lines(leaving, batch_.palettes);
      size_t line = 0;
      lines.write(line++);
      walk<kScales>(program_, step, numbers, states_, [&] { lines.write(line++); });
      leaving.lane += 4;
    } else {
      walk<kScales>(program_, step, numbers, states_, [] {});
    }
  }

  const KernelProgram& program_;
  const KernelBatch& batch_;
  float* states_;
  size_t last_group_;
  Layer layers_[kLayers == Layers::kOne ? 1 : kMaxKernelLayers];
};

template <bool kScales, Layers kLayers, bool kStream>
HWY_NOINLINE void evaluate(const KernelProgram& program, const KernelBatch& batch, float* states) {
  Evaluation<kScales, kLayers, kStream>(program, batch, states).run();
}

template <bool kScales, bool kStream>
void evaluate_layers(const KernelProgram& program, const KernelBatch& batch, float* states) {
  if (batch.layer_count + batch.additive_count == 1) {
    evaluate<kScales, Layers::kOne, kStream>(program, batch, states);
  } else if (batch.masked) {
    evaluate<kScales, Layers::kMasked, kStream>(program, batch, states);
  } else {
    evaluate<kScales, Layers::kSeveral, kStream>(program, batch, states);
  }
}

void evaluate_batch(const KernelProgram& program, const KernelBatch& batch, float* states) {
  if (program.scales) {
    (batch.stream ? evaluate_layers<true, true> : evaluate_layers<true, false>)(program, batch, states);
  } else {
    (batch.stream ? evaluate_layers<false, true> : evaluate_layers<false, false>)(program, batch, states);
  }
}

constexpr size_t kLanes = W;

#endif  // HWY_TARGET & SINEW_KERNELS
}  // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {

/// What one instruction set offers, if the machine has it.
struct Target {
  int64_t bit;
  Kernel kernel;
};

constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX3
    {HWY_AVX3, {"avx3", N_AVX3::kLanes, N_AVX3::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_AVX2
    {HWY_AVX2, {"avx2", N_AVX2::kLanes, N_AVX2::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_SSE4
    {HWY_SSE4, {"sse4", N_SSE4::kLanes, N_SSE4::evaluate_batch}},
#endif
#if HWY_TARGETS & HWY_NEON
    {HWY_NEON, {"neon", N_NEON::kLanes, N_NEON::evaluate_batch}},
#endif
    {0, {"scalar", 1, evaluate_scalar}},
};

std::vector<Kernel> find_kernels() {
  const char* wanted = std::getenv("SINEW_SIMD");
  const auto named = [&](const Target& target) {
    return wanted != nullptr && std::string_view(target.kernel.name) == wanted;
  };
  bool reached = std::none_of(std::begin(kTargets), std::end(kTargets), named);
  std::vector<Kernel> kernels;
  for (const Target& target : kTargets) {
    reached = reached || named(target);
    const bool supported = target.bit == 0 || (hwy::SupportedTargets() & target.bit) != 0;
    if (reached && supported) kernels.push_back(target.kernel);
  }
  return kernels;
}

}  // namespace

std::span<const Kernel> available_kernels() {
  static const std::vector<Kernel> kernels = find_kernels();
  return kernels;
}

void finish_streaming() { hwy::FlushStream(); }

}  // namespace sinew
#endif  // HWY_ONCE
