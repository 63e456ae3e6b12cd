#include "lanes/lane_code.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

// Each instruction set costs seconds of compiling: these, and what Highway itself falls back to, which gets no lane
// code.
#define SINEW_LANE_TARGETS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON)
#define HWY_DISABLED_TARGETS (~(SINEW_LANE_TARGETS | HWY_EMU128 | HWY_SCALAR))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lanes/lane_code.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Which includes what comes before it: blocks -> layers -> blend -> walk -> lines.
#include "lanes/lane_write-inl.h"

// One copy of what follows for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace sinew::HWY_NAMESPACE {

#if HWY_TARGET & SINEW_LANE_TARGETS

/// A set on its way through the walk.
template <bool kScales, Layers kLayers, bool kStream>
class Evaluation {
 public:
  HWY_INLINE Evaluation(const LaneProgram& program, const LaneSet& set, float* states)
      : program_(program),
        set_(set),
        states_(states),
        last_vector_((program.nodes.size() * kChannelBlocks - 1) / kBlocks) {
    for (size_t l = 0; l < layer_count(); ++l) prepare(set, l, layers_[l]);
    for (size_t channel_block = 0; channel_block < kLead; ++channel_block) {
      for (size_t l = 0; l < layer_count(); ++l) decode_channel_block(l, channel_block, channel_block / kBlocks);
    }
    // Slot 0 is model space itself.
    for (size_t i = 0; i < kStateRows; ++i) {
      const bool diagonal = i == 0 || i == 5 || i == 10;
      hn::Store(hn::Set(kFloat, diagonal ? program.scale : i == kStateRows - 1 ? 1.0f : 0.0f), kFloat, states + i * W);
    }
  }

  HWY_INLINE void run() {
    EntryQuad filling{{states_, states_, states_, states_}}, writing = filling;
    size_t filled = 0;
    const ProgramNode* node = program_.nodes.data();
    for (size_t i = 0, count = program_.nodes.size(); i < count; ++i, ++node) {
      node = pinned(node);
      writing.is_writing() ? advance<true>(*node, i, writing) : advance<false>(*node, i, writing);
      if (!node->has_entry) continue;
      filling.states[filled++] = states_ + node->state * kStateRows * W;
      if (filled < kEntriesPerQuad) continue;
      finish<kStream>(writing, set_.palettes);
      writing = filling;
      writing.lane = 0;
      filling = {{states_, states_, states_, states_}, writing.first_float + kEntriesPerQuad * 12};
      filled = 0;
    }
    finish<kStream>(writing, set_.palettes);
    if (filled > 0) filling.lane = 0;
    finish<kStream>(filling, set_.palettes);
  }

 private:
  static constexpr size_t kChannelBlocks = kScales ? 2 : 1;          // of a node
  static constexpr size_t kLead = HWY_MAX(kBlocks, kChannelBlocks);  // records that are decoded ahead

  HWY_INLINE size_t layer_count() const { return kLayers == Layers::kOne ? 1 : set_.layer_count + set_.additive_count; }

  HWY_INLINE void decode_channel_block(size_t layer, size_t channel_block, size_t group) {
    // Beyond the end is the last group once more.
    decode(layers_[layer], set_.frame_stride, HWY_MIN(group, last_vector_), channel_block % kBlocks);
  }

  HWY_INLINE Channels values_of(const ProgramNode& node, size_t i) const {
    if constexpr (kLayers == Layers::kOne) {
      return read<kScales>(layers_[0], node.range, i * kChannelBlocks);
    } else {
      return blend<kScales, kLayers>(program_, set_, layers_, i, i * kChannelBlocks);
    }
  }

  /// A node of the walk. A part of what the next ones will need is decoded beside it, and four lanes of a group that is
  /// writing are written, bit by bit: an out-of-order core sees no further ahead than about one node, and would wait.
  template <bool kLeaving>
  HWY_INLINE void advance(const ProgramNode& node, size_t i, EntryQuad& writing) {
    const Channels channels = values_of(node, i);
    for (size_t channel_block = i * kChannelBlocks; channel_block < (i + 1) * kChannelBlocks; ++channel_block) {
      for (size_t l = 0; l < layer_count(); ++l)
        decode_channel_block(l, channel_block, (channel_block + kLead) / kBlocks);
    }
    if constexpr (kLeaving) {
      const QuadWriter<kStream> lines(writing, set_.palettes);
      size_t line = 0;
      lines.write(line++);
      walk<kScales>(program_, node, channels, states_, [&] { lines.write(line++); });
      writing.lane += 4;
    } else {
      walk<kScales>(program_, node, channels, states_, [] {});
    }
  }

  const LaneProgram& program_;
  const LaneSet& set_;
  float* states_;
  size_t last_vector_;
  Layer layers_[kLayers == Layers::kOne ? 1 : kMaxBlendedLayers];
};

template <bool kScales, Layers kLayers, bool kStream>
HWY_NOINLINE void evaluate(const LaneProgram& program, const LaneSet& set, float* states) {
  Evaluation<kScales, kLayers, kStream>(program, set, states).run();
}

template <bool kScales, bool kStream>
void evaluate_layers(const LaneProgram& program, const LaneSet& set, float* states) {
  if (set.layer_count + set.additive_count == 1) {
    evaluate<kScales, Layers::kOne, kStream>(program, set, states);
  } else if (set.masked) {
    evaluate<kScales, Layers::kMasked, kStream>(program, set, states);
  } else {
    evaluate<kScales, Layers::kSeveral, kStream>(program, set, states);
  }
}

void evaluate_lanes(const LaneProgram& program, const LaneSet& set, float* states) {
  if (program.scales) {
    (set.stream ? evaluate_layers<true, true> : evaluate_layers<true, false>)(program, set, states);
  } else {
    (set.stream ? evaluate_layers<false, true> : evaluate_layers<false, false>)(program, set, states);
  }
}

constexpr size_t kLanes = W;

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
namespace {

/// What one instruction set offers, if the machine has it.
struct Target {
  int64_t bit;
  LaneCode lane_code;
};

constexpr Target kTargets[] = {
#if HWY_TARGETS & HWY_AVX3
    {HWY_AVX3, {"avx3", N_AVX3::kLanes, N_AVX3::evaluate_lanes}},
#endif
#if HWY_TARGETS & HWY_AVX2
    {HWY_AVX2, {"avx2", N_AVX2::kLanes, N_AVX2::evaluate_lanes}},
#endif
#if HWY_TARGETS & HWY_SSE4
    {HWY_SSE4, {"sse4", N_SSE4::kLanes, N_SSE4::evaluate_lanes}},
#endif
#if HWY_TARGETS & HWY_NEON
    {HWY_NEON, {"neon", N_NEON::kLanes, N_NEON::evaluate_lanes}},
#endif
    {0, {"scalar", 1, evaluate_scalar}},
};

std::vector<LaneCode> find_lane_code() {
  const char* wanted = std::getenv("SINEW_SIMD");
  const auto named = [&](const Target& target) {
    return wanted != nullptr && std::string_view(target.lane_code.name) == wanted;
  };
  bool reached = std::none_of(std::begin(kTargets), std::end(kTargets), named);
  std::vector<LaneCode> all;
  for (const Target& target : kTargets) {
    reached = reached || named(target);
    const bool supported = target.bit == 0 || (hwy::SupportedTargets() & target.bit) != 0;
    if (reached && supported) all.push_back(target.lane_code);
  }
  return all;
}

}  // namespace

std::span<const LaneCode> available_lane_code() {
  static const std::vector<LaneCode> all = find_lane_code();
  return all;
}

void finish_streaming() { hwy::FlushStream(); }

}  // namespace sinew
#endif  // HWY_ONCE
