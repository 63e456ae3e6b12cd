#include "viewer/level_inset.h"

#include <algorithm>

namespace sinew::app {
namespace {

constexpr float kInsetShare = 0.36f;  // of the smaller side of the free part of the picture
constexpr float kAroundFigure = 1.4f;
constexpr float kMarginShare = 0.02f;

}  // namespace

std::optional<Inset> inset_of(const Viewer& viewer, VkExtent2D picture) {
  if (!viewer.shown.own_size) return {};
  const float height = float(picture.height), free = std::min(viewer.free_aspect * height, float(picture.width));
  const float figure = viewer.model().size() / meters_per_pixel(viewer.camera, picture.height);
  const float side = kInsetShare * std::min(free, height);
  const uint32_t from = std::max(uint32_t(figure * kAroundFigure), 4u), scale = uint32_t(side) / from;
  if (scale < 2) return {};
  const int32_t margin = int32_t(kMarginShare * height), left = int32_t((float(picture.width) - free) / 2);
  return Inset{{{int32_t(picture.width - from) / 2, int32_t(picture.height - from) / 2}, {from, from}},
               {{left + margin, margin}, {from * scale, from * scale}}};
}

}  // namespace sinew::app
