// From the frames of baked clips to the deltas of nodes: vectors, layers, blending.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_POSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_POSE_INL_H_
#undef SINEW_LANE_POSE_INL_H_
#else
#define SINEW_LANE_POSE_INL_H_
#endif

#include "hwy/highway.h"
#include "lanes/lane_code.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

// Vector types, and vectors as blocks of four 32-bit words. W is the number of lanes.

namespace hn = hwy::HWY_NAMESPACE;

constexpr HWY_FULL(float) kFloat;
constexpr HWY_FULL(int32_t) kInt;
constexpr HWY_FULL(uint32_t) kWord;
constexpr HWY_FULL(uint64_t) kLong;
constexpr HWY_FULL(int16_t) kHalf;
using Floats = hn::Vec<decltype(kFloat)>;
using Words = hn::Vec<decltype(kWord)>;
using Halves = hn::Vec<decltype(kHalf)>;

constexpr size_t W = HWY_MIN(HWY_LANES(float), kMaxLanes);
constexpr size_t kBlocks = W / 4;  // blocks in a vector

/// Hides an address from the optimizer, which would otherwise keep more addresses per node than there are registers.
template <class T>
HWY_INLINE T* pinned(T* address) {
#if defined(__GNUC__) || defined(__clang__)  // MSVC has no such words; it is slower there, if at all
  __asm__("" : "+r"(address));
#endif
  return address;
}

/// Loads a vector with one block from each address. Blocks change their position in the vector during the load, which
/// costs no shuffle.
template <bool kAligned = true>
HWY_INLINE Words load_blocks(const uint32_t* const (&from)[kBlocks]) {
#if HWY_TARGET <= HWY_AVX2
  const auto pair = [&](size_t i) {
    const auto block = [&](size_t k) {
      const __m128i* address = reinterpret_cast<const __m128i*>(from[k]);
      return kAligned ? _mm_load_si128(address) : _mm_loadu_si128(address);
    };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(block(i)), block(i + 1), 1);
  };
#endif
#if HWY_TARGET <= HWY_AVX3
  return Words{_mm512_inserti64x4(_mm512_castsi256_si512(pair(0)), pair(2), 1)};
#elif HWY_TARGET == HWY_AVX2
  return Words{pair(0)};
#else
  return kAligned ? hn::Load(kWord, from[0]) : hn::LoadU(kWord, from[0]);
#endif
}

HWY_INLINE Words interleave_lower(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveLower(kLong, hn::BitCast(kLong, a), hn::BitCast(kLong, b)));
}
HWY_INLINE Words interleave_upper(Words a, Words b) {
  return hn::BitCast(kWord, hn::InterleaveUpper(kLong, hn::BitCast(kLong, a), hn::BitCast(kLong, b)));
}

/// Transposes the four rows of words to columns, in each block by itself.
HWY_INLINE void transpose_blocks(Words (&rows)[4]) {
  const Words a = hn::InterleaveLower(kWord, rows[0], rows[1]), b = hn::InterleaveUpper(kWord, rows[0], rows[1]);
  const Words c = hn::InterleaveLower(kWord, rows[2], rows[3]), d = hn::InterleaveUpper(kWord, rows[2], rows[3]);
  rows[0] = interleave_lower(a, c);
  rows[1] = interleave_upper(a, c);
  rows[2] = interleave_lower(b, d);
  rows[3] = interleave_upper(b, d);
}

// From baked frames to the channels of each node.

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

// From the channels of several layers to one delta of each node.

/// The weights of all lanes in layer `index`, times their mask factors for `node`.
template <Layers kLayers>
HWY_INLINE Floats weight_of(const LaneSet& set, const Layer& layer, size_t index, size_t node) {
  const Floats weight = hn::Load(kFloat, layer.weights);
  if constexpr (kLayers != Layers::kMasked) return weight;
  if (layer.mask != nullptr) return hn::Mul(weight, hn::Set(kFloat, layer.mask[node]));
  HWY_ALIGN float factors[W];
  for (size_t lane = 0; lane < W; ++lane) {
    const float* mask = set.lanes[index][lane].mask;
    factors[lane] = mask == nullptr ? 1.0f : mask[node];
  }
  return hn::Mul(weight, hn::Load(kFloat, factors));
}

HWY_INLINE Floats dot(const Floats (&a)[4], const Floats (&b)[4]) {
  return hn::MulAdd(a[3], b[3], hn::MulAdd(a[2], b[2], hn::MulAdd(a[1], b[1], hn::Mul(a[0], b[0]))));
}

/// About 1 / |q|, for |q| near 1: a quaternion between two frames is a little shorter than 1, and would count for less
/// in a blend.
HWY_INLINE Floats reciprocal_length(const Floats (&q)[4]) {
  return hn::NegMulAdd(dot(q, q), hn::Set(kFloat, 0.5f), hn::Set(kFloat, 1.5f));
}

/// Sets the length to about 1, so that products along a chain do not fade. A zero quaternion becomes the identity.
HWY_INLINE void normalize(Floats (&q)[4]) {
  q[3] = hn::Add(q[3], hn::Set(kFloat, 1e-15f));
  const Floats scale = hn::ApproximateReciprocalSqrt(dot(q, q));
  for (Floats& v : q) v = hn::Mul(v, scale);
}

template <bool kScales>
HWY_INLINE void scale_by(Floats rotation_weight, Floats weight, Channels& n) {
  for (Floats& v : n.rotation) v = hn::Mul(v, rotation_weight);
  for (Floats& v : n.translation) v = hn::Mul(v, weight);
  for (size_t i = 0; kScales && i < 6; ++i) n.scale[i] = hn::Mul(n.scale[i], weight);
}

/// The weighted mean of the blended layers. Rotations take the sign of the first layer that has weight.
template <bool kScales, Layers kLayers>
HWY_INLINE Channels mean_of(const LaneSet& set, const Layer* layers, const NodeQuantization& quantization, size_t index,
                            size_t channel_block) {
  Floats sum = weight_of<kLayers>(set, layers[0], 0, index);
  // A joint for which no layer has weight follows the first layer.
  if constexpr (kLayers == Layers::kMasked) sum = hn::Add(sum, hn::Set(kFloat, 1e-20f));
  Channels mean = read<kScales>(layers[0], quantization, channel_block);
  Floats first[4] = {mean.rotation[0], mean.rotation[1], mean.rotation[2], mean.rotation[3]};
  scale_by<kScales>(hn::Mul(sum, reciprocal_length(first)), sum, mean);
  for (size_t l = 1; l < set.layer_count; ++l) {
    const Floats weight = weight_of<kLayers>(set, layers[l], l, index);
    const Channels next = read<kScales>(layers[l], quantization, channel_block);
    if constexpr (kLayers == Layers::kMasked) {
      const auto weightless = hn::Lt(sum, hn::Set(kFloat, 1e-19f));
      for (size_t i = 0; i < 4; ++i) first[i] = hn::IfThenElse(weightless, next.rotation[i], first[i]);
      sum = hn::Add(sum, weight);
    }
    const Floats signed_weight =
        hn::CopySignToAbs(hn::Mul(weight, reciprocal_length(next.rotation)), dot(first, next.rotation));
    for (size_t i = 0; i < 4; ++i) mean.rotation[i] = hn::MulAdd(next.rotation[i], signed_weight, mean.rotation[i]);
    for (size_t i = 0; i < 3; ++i) mean.translation[i] = hn::MulAdd(next.translation[i], weight, mean.translation[i]);
    for (size_t i = 0; kScales && i < 6; ++i) mean.scale[i] = hn::MulAdd(next.scale[i], weight, mean.scale[i]);
  }
  if constexpr (kLayers == Layers::kMasked) {  // otherwise the weights add to 1
    const Floats over_sum = hn::Div(hn::Set(kFloat, 1.0f), sum);
    scale_by<kScales>(over_sum, over_sum, mean);
  }
  return mean;
}

HWY_INLINE void multiply_quaternions(const Floats (&a)[4], const Floats (&b)[4], Floats (&c)[4]) {
  for (size_t i = 0; i < 3; ++i) {
    const size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Floats scaled = hn::MulAdd(a[i], b[3], hn::Mul(a[3], b[i]));
    c[i] = hn::NegMulAdd(a[k], b[j], hn::MulAdd(a[j], b[k], scaled));
  }
  const Floats scaled = hn::NegMulAdd(a[0], b[0], hn::Mul(a[3], b[3]));
  c[3] = hn::NegMulAdd(a[2], b[2], hn::NegMulAdd(a[1], b[1], scaled));
}

/// a = a * b, for symmetric matrices xx yy zz xy xz yz. Of scales along the same axes, the product is symmetric too.
HWY_INLINE void multiply_scales(Floats (&a)[6], const Floats (&b)[6]) {
  const Floats xx = a[0], yy = a[1], zz = a[2], xy = a[3], xz = a[4], yz = a[5];
  a[0] = hn::MulAdd(xz, b[4], hn::MulAdd(xy, b[3], hn::Mul(xx, b[0])));
  a[1] = hn::MulAdd(yz, b[5], hn::MulAdd(yy, b[1], hn::Mul(xy, b[3])));
  a[2] = hn::MulAdd(zz, b[2], hn::MulAdd(yz, b[5], hn::Mul(xz, b[4])));
  a[3] = hn::MulAdd(xz, b[5], hn::MulAdd(xy, b[1], hn::Mul(xx, b[3])));
  a[4] = hn::MulAdd(xz, b[2], hn::MulAdd(xy, b[5], hn::Mul(xx, b[4])));
  a[5] = hn::MulAdd(yz, b[2], hn::MulAdd(yy, b[5], hn::Mul(xy, b[4])));
}

/// Adds the delta of an additive layer to `sum`, with a weight of at most 1.
template <bool kScales>
HWY_INLINE void add(const Channels& addition, Floats weight, Channels& sum) {
  const Floats one = hn::Set(kFloat, 1.0f), identity_weight = hn::Sub(one, weight);
  const Floats signed_weight =
      hn::CopySignToAbs(hn::Mul(weight, reciprocal_length(addition.rotation)), addition.rotation[3]);
  Floats rotation[4], product[4];
  for (size_t i = 0; i < 4; ++i) rotation[i] = hn::Mul(addition.rotation[i], signed_weight);
  rotation[3] = hn::Add(rotation[3], identity_weight);
  multiply_quaternions(sum.rotation, rotation, product);
  for (size_t i = 0; i < 4; ++i) sum.rotation[i] = product[i];
  for (size_t i = 0; i < 3; ++i) sum.translation[i] = hn::MulAdd(addition.translation[i], weight, sum.translation[i]);
  if constexpr (kScales) {
    Floats scale[6];
    for (size_t i = 0; i < 6; ++i) scale[i] = hn::Mul(addition.scale[i], weight);
    for (size_t i = 0; i < 3; ++i) scale[i] = hn::Add(scale[i], identity_weight);
    multiply_scales(sum.scale, scale);
  }
}

/// The channels of a node that plays several layers: the mean, then the additive layers in order.
template <bool kScales, Layers kLayers>
HWY_INLINE Channels blend(const LaneProgram& program, const LaneSet& set, const Layer* layers, size_t index,
                          size_t channel_block) {
  Channels sum = mean_of<kScales, kLayers>(set, layers, program.nodes[index].range, index, channel_block);
  for (size_t l = set.layer_count; l < set.layer_count + set.additive_count; ++l) {
    const Floats weight = hn::Min(weight_of<kLayers>(set, layers[l], l, index), hn::Set(kFloat, 1.0f));
    add<kScales>(read<kScales>(layers[l], program.additive_quantizations[index], channel_block), weight, sum);
  }
  normalize(sum.rotation);
  return sum;
}

#endif  // HWY_TARGET & SINEW_LANE_TARGETS
}  // namespace sinew::internal::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // SINEW_LANE_POSE_INL_H_
