#include "baked_sample.h"

namespace sinew {

std::vector<Movement> sample_baked(const BakedCharacter& baked, const BakedClip& clip, float time_seconds) {
  const FramePosition at = frame_position(clip, time_seconds);
  const size_t components = baked.records_per_joint * kBakedComponents;
  std::vector<Movement> movements(baked.joints.size(), {{0, 0, 0, 1}, {0, 0, 0}, {1, 1, 1, 0, 0, 0}});
  for (size_t step = 0; step < movements.size(); ++step) {
    const int16_t* a = baked.numbers_of(at.frame) + step * components;
    const int16_t* b = baked.numbers_of(at.frame + 1) + step * components;
    const auto component = [&](size_t c) {
      const BakedRange& range = baked.ranges[step * baked.records_per_joint + c / kBakedComponents];
      return double(range.centre[c % kBakedComponents]) +
             double(range.scale[c % kBakedComponents]) * between(a[c], b[c], at.share);
    };
    Movement& movement = movements[step];
    for (size_t i = 0; i < 4; ++i) movement.rotation[i] = component(i);
    for (size_t i = 0; i < 3; ++i) movement.place[i] = component(4 + i);
    for (size_t i = 0; baked.scales() && i < 6; ++i) movement.stretch[i] = component(kBakedComponents + i);
  }
  return movements;
}

}  // namespace sinew
