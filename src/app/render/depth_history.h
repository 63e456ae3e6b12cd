// What the depths of earlier frames hide: each frame copies its depths to the CPU, and the next frame in its slot,
// which waits for it anyway, is planned with them.
#pragma once

#include <span>
#include <vector>

#include "gpu/host.h"
#include "scene/camera.h"
#include "sinew/crowd/occlusion.h"

namespace sinew::app {

/// The moment that a frame is planned for, and its view.
struct DepthMoment {
  View view;
  double seconds = 0;           // scene time
  float meters_per_second = 0;  // of the fastest instances
};

class DepthHistory {
 public:
  /// Makes the buffers for pictures of a target that keeps its depth, and forgets all depths. No frame may be in
  /// flight.
  Status resize(const Device& device, uint32_t slots, const Target& target);

  /// After the render pass.
  void record(VkCommandBuffer cmd, uint32_t slot, const Target& target, const DepthMoment& moment);

  /// What the last frame of a slot hides now, and forgets it. It must be complete. Where time has jumped, nothing.
  /// Valid until the next call.
  crowd::OcclusionSource source(uint32_t slot, const DepthMoment& now);

  void forget(uint32_t slot);  // its frame was not drawn

 private:
  struct Slot {
    Buffer depths;  // float
    DepthMoment moment;
    bool drawn = false;
  };
  void reduce(std::span<const float> depths);

  std::vector<Slot> slots_;
  uint32_t width_ = 0, height_ = 0;
  uint32_t reduced_width_ = 0, reduced_height_ = 0;
  std::vector<float> rows_, reduced_;
  crowd::DepthPyramid pyramid_;
};

}  // namespace sinew::app
