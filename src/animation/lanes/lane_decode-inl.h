// From baked frames to the channels of each node.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_DECODE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_DECODE_INL_H_
#undef SINEW_LANE_DECODE_INL_H_
#else
#define SINEW_LANE_DECODE_INL_H_
#endif

#include "lanes/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

/// The layers of a set's instances: one layer, several, or several with masks.
enum class Layers { kOne, kSeveral, kMasked };

/// A layer of a set, in the layout of the loop. One vector holds kBlocks channel blocks of one lane.
struct Layer {
  const int16_t* frames[W];
  HWY_ALIGN int16_t shares[W][2 * W];  // of a lane, repeated over a vector
  HWY_ALIGN float weights[W];
  const float* mask;                           // of all lanes; null if the lanes' masks differ
  HWY_ALIGN uint32_t words[2][kBlocks][4][W];  // [vector % 2][four lanes][word][channel block, lane]
};

/// Copies a layer of a set to that layout, apart from `words`.
HWY_INLINE void prepare(const LaneSet& set, size_t layer, Layer& out) {
  for (size_t lane = 0; lane < W; ++lane) {
    const Lane& in = set.lanes[layer][lane];
    out.frames[lane] = in.frame;
    hn::Store(hn::Set(kHalf, in.share), kHalf, out.shares[lane]);
    out.weights[lane] = in.weight;
  }
  const Lane* lanes = set.lanes[layer];
  const bool same = std::all_of(lanes, lanes + W, [&](const Lane& lane) { return lane.mask == lanes[0].mask; });
  out.mask = same ? lanes[0].mask : nullptr;
}

/// Interpolates one vector of channel blocks for four lanes, and transposes it so that lanes of a word are adjacent.
HWY_INLINE void decode(Layer& layer, size_t frame_stride, size_t vector, size_t lane_block) {
  const int16_t* const* frames = pinned(layer.frames + lane_block * 4);
  const int16_t* shares = pinned(layer.shares[lane_block * 4]);
  uint32_t* words = pinned(layer.words[vector % 2][lane_block][0]);
  const size_t from_offset = vector * 2 * W, to_offset = from_offset + frame_stride;
  Words rows[4];
  for (size_t i = 0; i < 4; ++i) {
    const Halves from = hn::Load(kHalf, frames[i] + from_offset), to = hn::Load(kHalf, frames[i] + to_offset);
    const Halves part = hn::MulFixedPoint15(hn::Sub(to, from), hn::Load(kHalf, shares + i * 2 * W));
    rows[i] = hn::BitCast(kWord, hn::Add(from, part));
  }
  transpose_blocks(rows);
  for (size_t i = 0; i < 4; ++i) hn::Store(rows[i], kWord, words + i * W);
}

/// Loads a decoded channel block of all lanes: four words, each with two channels.
HWY_INLINE void load_channel_block(const Layer& layer, size_t channel_block, Words (&words)[4]) {
  const uint32_t* first = pinned(layer.words[channel_block / kBlocks % 2][0][0] + channel_block % kBlocks * 4);
  for (size_t i = 0; i < 4; ++i) {
    const uint32_t* blocks[kBlocks];
    for (size_t b = 0; b < kBlocks; ++b) blocks[b] = first + (b * 4 + i) * W;
    words[i] = load_blocks(blocks);
  }
}

/// Channel `c` of a channel block as a float. Even channels are in the lower halves of their words.
HWY_INLINE Floats channel_value(const Words (&words)[4], size_t c, const float* scale, const float* center) {
  const auto pair = hn::BitCast(kInt, words[c / 2]);
  const auto upper = c % 2 == 0 ? hn::ShiftLeft<16>(pair) : hn::And(pair, hn::Set(kInt, int32_t(0xffff0000)));
  return hn::MulAdd(hn::ConvertTo(kFloat, upper), hn::Set(kFloat, scale[c]), hn::Set(kFloat, center[c]));
}

/// A node's channels: a quaternion of any length, the position of the node's origin, and the scale xx yy zz xy xz yz.
struct Channels {
  Floats rotation[4], translation[3], scale[6];
};

template <bool kScales>
HWY_INLINE Channels read(const Layer& layer, const NodeQuantization& quantization, size_t channel_block) {
  Channels n;
  Words words[4];
  load_channel_block(layer, channel_block, words);
  for (size_t i = 0; i < 4; ++i) n.rotation[i] = channel_value(words, i, quantization.scale, quantization.center);
  for (size_t i = 0; i < 3; ++i)
    n.translation[i] = channel_value(words, 4 + i, quantization.scale, quantization.center);
  if constexpr (kScales) {
    load_channel_block(layer, channel_block + 1, words);
    const float *scale = quantization.scale + kChannelsPerBlock, *center = quantization.center + kChannelsPerBlock;
    for (size_t i = 0; i < 6; ++i) n.scale[i] = channel_value(words, i, scale, center);
  }
  return n;
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_DECODE_INL_H_
