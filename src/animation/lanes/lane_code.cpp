#include "lanes/lane_code.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

// Each instruction set costs seconds of compile time, and minutes with a sanitizer, where the build names fewer.
// Highway's own fallbacks, EMU128 and SCALAR, stay enabled but get no lane code.
#ifndef SINEW_LANE_TARGETS
#define SINEW_LANE_TARGETS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON)
#endif
#define HWY_DISABLED_TARGETS (~(SINEW_LANE_TARGETS | HWY_EMU128 | HWY_SCALAR))
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lanes/lane_code.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

// Each of these headers includes the header before it: pose -> palette -> chain.
#include "lanes/lane_chain-inl.h"

// The code below is compiled once for each instruction set.
HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {

#if HWY_TARGET & SINEW_LANE_TARGETS

/// The evaluation of one set, node by node.
template <bool kScales, Layers kLayers, size_t kBlocksPerEntry>
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
    // State 0 is model space itself: the character's scale, and the identity as its quaternion.
    for (size_t i = 0; i < kStateRows; ++i) {
      const bool diagonal = i == 0 || i == 5 || i == 10;
      hn::Store(hn::Set(kFloat, diagonal ? program.scale : i == kStateRows - 1 ? 1.0f : 0.0f), kFloat, states + i * W);
    }
  }

  /// `chains` stop the walk after nodes that they turn.
  template <class Chains>
  HWY_INLINE void run(Chains& chains) {
    float* const space = entry_rows(0);
    EntryQuad filling{{space, space, space, space}}, writing = filling;
    size_t filled = 0;
    const ProgramNode* node = program_.nodes.data();
    for (size_t i = 0, count = program_.nodes.size(); i < count; ++i, ++node) {
      node = pinned(node);
      writing.is_writing() ? advance<true>(*node, i, writing) : advance<false>(*node, i, writing);
      if (HWY_UNLIKELY(chains.stops_at(i))) {
        const size_t last = (i + 1) * kChannelBlocks - 1;  // the channel block after which advance() has decoded ahead
        chains.take(layers_, HWY_MIN((last + kLead) / kBlocks, last_vector_), last % kBlocks + 1);
      }
      if (!node->has_entry) continue;
      filling.states[filled++] = entry_rows(node->state);
      if (node->socket_state >= 0 && set_.socket_states != nullptr) copy_state(*node);
      if (filled < kEntriesPerQuad) continue;
      finish<kBlocksPerEntry>(writing, set_.palettes, set_.stream);
      writing = filling;
      writing.lane = 0;
      filling = {{space, space, space, space}, writing.first_float + kEntriesPerQuad * kBlocksPerEntry * 4};
      filled = 0;
    }
    if constexpr (kCompact) store_last_compact();
    finish<kBlocksPerEntry>(writing, set_.palettes, set_.stream);
    if (filled > 0) filling.lane = 0;
    finish<kBlocksPerEntry>(filling, set_.palettes, set_.stream);
  }

 private:
  static constexpr bool kCompact = kBlocksPerEntry == kCompactBlocks;
  static constexpr size_t kChannelBlocks = kScales ? 2 : 1;          // channel blocks of a node
  static constexpr size_t kLead = HWY_MAX(kBlocks, kChannelBlocks);  // channel blocks that are decoded ahead

  /// The compact matrix of a state: four rows of W words, behind all states.
  HWY_INLINE float* compact_rows(size_t state) const {
    return states_ + (program_.state_count * kStateRows + state * 4) * W;
  }
  HWY_INLINE float* entry_rows(size_t state) const {
    return kCompact ? compact_rows(state) : states_ + state * kStateRows * W;
  }

  /// The compact matrix of the last node, or of model space before the first.
  HWY_INLINE void store_last_compact() const {
    store_compact(states_ + last_state_ * kStateRows * W, last_norm_, compact_rows(last_state_));
  }

  HWY_INLINE size_t layer_count() const { return kLayers == Layers::kOne ? 1 : set_.layer_count + set_.additive_count; }

  HWY_INLINE void decode_channel_block(size_t layer, size_t channel_block, size_t vector) {
    // After the last vector of a frame, the last vector is decoded again.
    decode(layers_[layer], set_.frame_stride, HWY_MIN(vector, last_vector_), channel_block % kBlocks);
  }

  HWY_INLINE Channels values_of(const ProgramNode& node, size_t i) const {
    if constexpr (kLayers == Layers::kOne) {
      return read<kScales>(layers_[0], node.range, i * kChannelBlocks);
    } else {
      return blend<kScales, kLayers>(program_, set_, layers_, i, i * kChannelBlocks);
    }
  }

  /// Keeps the matrices of a node with sockets: its state is soon used by another node.
  HWY_INLINE void copy_state(const ProgramNode& node) {
    const float* from = states_ + node.state * kStateRows * W;
    float* to = set_.socket_states + size_t(node.socket_state) * 12 * W;
    for (size_t row = 0; row < 12; ++row) hn::StoreU(hn::Load(kFloat, from + row * W), kFloat, to + row * W);
  }

  /// Evaluates one node. In between, it decodes channels of later nodes, and writes four lanes of the quad `writing`.
  /// An out-of-order core looks ahead by about one node only, and would wait without this other work.
  template <bool kWriting>
  HWY_INLINE void advance(const ProgramNode& node, size_t i, EntryQuad& writing) {
    const Channels channels = values_of(node, i);
    for (size_t channel_block = i * kChannelBlocks; channel_block < (i + 1) * kChannelBlocks; ++channel_block) {
      for (size_t l = 0; l < layer_count(); ++l)
        decode_channel_block(l, channel_block, (channel_block + kLead) / kBlocks);
    }
    if constexpr (kWriting) {
      const QuadWriter<kBlocksPerEntry> writer(writing, set_.palettes, set_.stream);
      size_t cache_line = 0;
      if constexpr (!kCompact) writer.write(cache_line++);
      walk_and(node, channels, [&] {
        if (cache_line < kBlocksPerEntry) writer.write(cache_line++);
      });
      writing.lane += 4;
    } else {
      walk_and(node, channels, [] {});
    }
  }

  /// Walks a node, and calls `meanwhile` while results are due. The compact matrix of the node before is due too.
  template <class Meanwhile>
  HWY_INLINE void walk_and(const ProgramNode& node, const Channels& channels, const Meanwhile& meanwhile) {
    if constexpr (kCompact) {
      bool is_stored = false;
      last_norm_ = walk<kScales>(program_, node, channels, states_, [&] {
        is_stored ? meanwhile() : store_last_compact();
        is_stored = true;
      });
      last_state_ = node.state;
    } else {
      walk<kScales>(program_, node, channels, states_, meanwhile);
    }
  }

  const LaneProgram& program_;
  const LaneSet& set_;
  float* states_;
  size_t last_vector_;
  size_t last_state_ = 0;
  Floats last_norm_ = hn::Set(kFloat, 1.0f);
  Layer layers_[kLayers == Layers::kOne ? 1 : kMaxBlendedLayers];
};

template <bool kScales, Layers kLayers, size_t kBlocksPerEntry>
HWY_NOINLINE void evaluate(const LaneProgram& program, const LaneSet& set, float* states) {
  NoChains none;
  Evaluation<kScales, kLayers, kBlocksPerEntry>(program, set, states).run(none);
}

template <bool kScales, Layers kLayers, size_t kBlocksPerEntry>
HWY_NOINLINE void evaluate_chains(const LaneProgram& program, const LaneSet& set, float* states) {
  ChainWalk<kScales, kLayers> chains(program, set, states);
  Evaluation<kScales, kLayers, kBlocksPerEntry>(program, set, states).run(chains);
}

/// Sets with targets are rarer: they get less code, and treat several layers as if they had masks.
template <bool kScales, size_t kBlocksPerEntry>
void evaluate_layers(const LaneProgram& program, const LaneSet& set, float* states) {
  const bool one = set.layer_count + set.additive_count == 1;
  if (set.chains != nullptr) {
    one ? evaluate_chains<kScales, Layers::kOne, kBlocksPerEntry>(program, set, states)
        : evaluate_chains<kScales, Layers::kMasked, kBlocksPerEntry>(program, set, states);
  } else if (one) {
    evaluate<kScales, Layers::kOne, kBlocksPerEntry>(program, set, states);
  } else if (set.masked) {
    evaluate<kScales, Layers::kMasked, kBlocksPerEntry>(program, set, states);
  } else {
    evaluate<kScales, Layers::kSeveral, kBlocksPerEntry>(program, set, states);
  }
}

void evaluate_lanes(const LaneProgram& program, const LaneSet& set, float* states) {
  if (program.scales) {
    evaluate_layers<true, kMatrixBlocks>(program, set, states);
  } else if (set.compact) {
    evaluate_layers<false, kCompactBlocks>(program, set, states);
  } else {
    evaluate_layers<false, kMatrixBlocks>(program, set, states);
  }
}

constexpr size_t kLanes = W;

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew::internal {
namespace {

/// Highway's bit of an instruction set, and its lane code. Bit 0: any machine.
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

}  // namespace sinew::internal
#endif  // HWY_ONCE
