// Draws the overlay over a finished picture.
#pragma once

#include <vector>

#include "host/overlay_lists.h"
#include "host/pipeline.h"
#include "host/target.h"

namespace host {

class OverlayPass {
 public:
  /// `device` must outlive the pass.
  static Result<OverlayPass> create(const Device& device, uint32_t slots);

  /// Replaces the pipeline by one of these shaders: shaders/overlay.vert and overlay.frag. The device must be idle.
  Status set_shaders(std::span<const uint32_t> vertex, std::span<const uint32_t> fragment);

  /// Draws over this target from now on. It must outlive the pass, or the next call. The device must be idle.
  Status set_target(const Target& target);

  /// Writes what a frame draws into the buffers of its slot, whose last frame must be complete. A new version of the
  /// font waits for the device.
  Status prepare(uint32_t slot, const OverlayLists& lists, const OverlayFont& font);

  /// Records the pass of a prepared frame, after the pass of the picture.
  void record(VkCommandBuffer cmd, uint32_t slot, const OverlayLists& lists) const;

 private:
  struct Slot {
    Buffer vertices, indices;
  };
  OverlayPass() = default;
  Status create_objects();
  Status set_font(const OverlayFont& font);

  const Device* device_ = nullptr;
  const Target* target_ = nullptr;
  RenderPassHandle render_pass_;
  FramebufferHandle framebuffer_;
  Layout layout_;
  PipelineHandle pipeline_;
  Texture font_;
  DescriptorSet set_;  // with the font
  uint32_t font_version_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace host
