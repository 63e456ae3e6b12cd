// What an overlay draws, Dear ImGui's lists as plain data: triangles in pixels of the picture, and the font that they
// show.
#pragma once

#include <cstdint>
#include <vector>

namespace host {

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

}  // namespace host
