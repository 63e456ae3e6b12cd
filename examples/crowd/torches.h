// Torches in the sockets of a crowd, and the glow around them.
#pragma once

#include <array>
#include <span>

#include "crowd_renderer.h"

namespace festival {

class Torches {
 public:
  /// Uses the descriptor layout of `renderer`, which must outlive it. `count` is above 0.
  Torches(const host::Device& device, const host::PassFormat& format, const example::CrowdRenderer& renderer,
          uint32_t count);

  /// Mapped memory of a frame slot, write-only: where the torches are in the world.
  std::span<sinew::Matrix3x4> places(uint32_t slot);

  /// Inside the pass, after CrowdRenderer::begin().
  void draw(const host::Frame& frame) const;

 private:
  VkPipelineLayout layout_;
  uint32_t count_, vertex_count_ = 0;
  host::PipelineHandle solid_, glow_;
  host::Buffer mesh_;
  std::array<host::Buffer, host::kSlots> places_;
  std::array<host::DescriptorSet, host::kSlots> sets_;
};

}  // namespace festival
