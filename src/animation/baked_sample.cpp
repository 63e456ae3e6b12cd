#include "baked_sample.h"

namespace sinew::internal {

void sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds,
                  std::span<JointDelta> deltas) {
  const FramePosition at = frame_position(clip, time_seconds);
  const std::span<const BakedQuantization> quantizations = baked.quantizations_of(clip);
  const size_t components = baked.blocks_per_node * kChannelsPerBlock;
  for (size_t node = 0; node < deltas.size(); ++node) {
    const int16_t* a = baked.values_of(at.frame) + node * components;
    const int16_t* b = baked.values_of(at.frame + 1) + node * components;
    const auto component = [&](size_t c) {
      const BakedQuantization& quantization = quantizations[node * baked.blocks_per_node + c / kChannelsPerBlock];
      return double(quantization.center[c % kChannelsPerBlock]) +
             double(quantization.scale[c % kChannelsPerBlock]) * between(a[c], b[c], at.share);
    };
    JointDelta delta;
    for (size_t i = 0; i < 4; ++i) delta.rotation[i] = component(i);
    for (size_t i = 0; i < 3; ++i) delta.translation[i] = component(4 + i);
    for (size_t i = 0; baked.scales() && i < 6; ++i) delta.scale[i] = component(kChannelsPerBlock + i);
    deltas[node] = delta;
  }
}

}  // namespace sinew::internal
