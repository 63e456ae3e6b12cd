// What stands on the street: houses on both sides, and lanterns on their walls and in hands of people.
#pragma once

#include <array>
#include <span>

#include "crowd_renderer.h"

namespace street {

class Scenery {
 public:
  /// People carry at most `max_lanterns`.
  Scenery(const host::Device& device, const host::PassFormat& format, uint32_t max_lanterns);

  /// A lantern hangs in each of these hands: world_from_socket, zeros where it is not drawn. Once a frame.
  void hang_lanterns(const host::Frame& frame, std::span<const sinew::Matrix3x4> hands);

  /// Inside the pass: the shadows before people are drawn, then the rest.
  void draw_shadows(const host::Frame& frame, const host::Camera& camera) const;
  void draw(const host::Frame& frame, const host::Camera& camera) const;

 private:
  void begin(const host::Frame& frame, const host::Camera& camera) const;

  host::Layout layout_;
  host::PipelineHandle shadows_, solid_, glow_;
  host::Buffer mesh_;  // the houses, then a lantern
  uint32_t house_vertices_ = 0, lantern_vertices_ = 0;
  uint32_t lantern_count_ = 0;                     // in this frame
  std::array<host::Buffer, host::kSlots> places_;  // world_from_model: of the houses, of lanterns on walls, in hands
  std::array<host::DescriptorSet, host::kSlots> sets_;
};

}  // namespace street
