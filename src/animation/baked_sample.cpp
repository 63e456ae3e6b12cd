#include "baked_sample.h"

namespace sinew {

void sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds,
                  std::span<Movement> movements) {
  const FramePosition at = frame_position(clip, time_seconds);
  const std::span<const BakedRange> ranges = baked.ranges_of(clip);
  const size_t components = baked.records_per_joint * kBakedComponents;
  for (size_t step = 0; step < movements.size(); ++step) {
    const int16_t* a = baked.numbers_of(at.frame) + step * components;
    const int16_t* b = baked.numbers_of(at.frame + 1) + step * components;
    const auto component = [&](size_t c) {
      const BakedRange& range = ranges[step * baked.records_per_joint + c / kBakedComponents];
      return double(range.centre[c % kBakedComponents]) +
             double(range.scale[c % kBakedComponents]) * between(a[c], b[c], at.share);
    };
    Movement movement;
    for (size_t i = 0; i < 4; ++i) movement.rotation[i] = component(i);
    for (size_t i = 0; i < 3; ++i) movement.place[i] = component(4 + i);
    for (size_t i = 0; baked.scales() && i < 6; ++i) movement.stretch[i] = component(kBakedComponents + i);
    movements[step] = movement;
  }
}

}  // namespace sinew
