// From the channels of several layers to one delta of each node.
// Included once for each instruction set, by lane_code.cpp.
#if defined(SINEW_LANE_BLEND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SINEW_LANE_BLEND_INL_H_
#undef SINEW_LANE_BLEND_INL_H_
#else
#define SINEW_LANE_BLEND_INL_H_
#endif

#include "lanes/lane_decode-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sinew::internal::HWY_NAMESPACE {
#if HWY_TARGET & SINEW_LANE_TARGETS

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

#endif  // SINEW_LANE_BLEND_INL_H_
