// What an overlay draws, and the pass that draws it over a finished picture.
#pragma once

#include <cstdint>
#include <vector>

#include "host/pipeline.h"
#include "host/target.h"

namespace host {

// Dear ImGui's lists as plain data: triangles in pixels of the picture, and the font that they show.

/// `color` is rgba8 in sRGB.
struct OverlayVertex {
  float position[2] = {0, 0}, uv[2] = {0, 0};
  uint32_t color = 0;
};

/// Triangles that are cut off outside a rectangle, in pixels.
struct OverlayDraw {
  int32_t x = 0, y = 0;
  uint32_t width = 0, height = 0;
  uint32_t first_index = 0, index_count = 0;
  int32_t vertex_offset = 0;
};

struct OverlayLists {
  std::vector<OverlayVertex> vertices;
  std::vector<uint16_t> indices;
  std::vector<OverlayDraw> draws;
};

/// The letters, as the alpha of each pixel in rows from the top. A change of `version` means another image.
struct OverlayFont {
  uint32_t width = 0, height = 0, version = 0;
  std::vector<uint8_t> alpha;
};

/// What is drawn over the picture of a frame.
struct Overlay {
  OverlayLists lists;
  OverlayFont font;
};

// Draws the overlay over a finished picture.

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
