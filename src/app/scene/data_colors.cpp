#include "scene/data_colors.h"

#include <algorithm>
#include <cmath>

namespace sinew::app {
namespace {

struct Stop {
  float share, red, green, blue;
};
constexpr Stop kHeat[] = {{0, 0.03f, 0.04f, 0.22f},    {0.02f, 0.04f, 0.10f, 0.55f}, {0.25f, 0.02f, 0.45f, 0.55f},
                          {0.5f, 0.08f, 0.62f, 0.12f}, {0.75f, 0.85f, 0.72f, 0.05f}, {1, 0.85f, 0.05f, 0.03f}};

uint32_t pack(float red, float green, float blue) {
  const auto byte = [](float value) { return uint32_t(std::lround(std::clamp(value, 0.0f, 1.0f) * 255)); };
  return byte(red) | byte(green) << 8 | byte(blue) << 16 | 255u << 24;
}

template <class ColorOf>
std::vector<uint32_t> color_each(const Mesh& mesh, ColorOf color_of) {
  std::vector<uint32_t> colors(mesh.vertex_count());
  for (uint32_t vertex = 0; vertex < colors.size(); ++vertex) colors[vertex] = color_of(mesh.influences_of(vertex));
  return colors;
}

}  // namespace

uint32_t heat_color(float share) {
  share = std::clamp(share, 0.0f, 1.0f);
  const Stop* above = kHeat + 1;
  while (share > above->share) ++above;
  const Stop& a = above[-1];
  const float t = (share - a.share) / (above->share - a.share);
  const auto mix = [t](float from, float to) { return from + t * (to - from); };
  return pack(mix(a.red, above->red), mix(a.green, above->green), mix(a.blue, above->blue));
}

uint32_t influence_color(uint32_t count) {
  constexpr Stop kColors[] = {{1, 0.05f, 0.10f, 0.45f}, {2, 0.03f, 0.42f, 0.62f}, {3, 0.07f, 0.50f, 0.12f},
                              {4, 0.80f, 0.68f, 0.06f}, {5, 0.85f, 0.28f, 0.03f}, {6, 0.70f, 0.03f, 0.05f},
                              {7, 0.55f, 0.05f, 0.50f}, {8, 0.90f, 0.88f, 0.92f}};
  const Stop& color = kColors[std::clamp(count, 1u, 8u) - 1];
  return pack(color.red, color.green, color.blue);
}

std::vector<uint32_t> influence_colors(const Mesh& mesh) {
  return color_each(mesh, [](auto influences) { return influence_color(uint32_t(influences.size())); });
}

std::vector<uint32_t> lost_weight_colors(const Mesh& mesh, uint32_t limit) {
  return color_each(mesh, [limit](auto influences) {
    float lost = 0;
    for (size_t i = limit; i < influences.size(); ++i) lost += influences[i].weight;
    return heat_color(lost / kHottestLostWeight);
  });
}

std::vector<uint32_t> joint_weight_colors(const Mesh& mesh, const Skin& skin, int32_t joint) {
  return color_each(mesh, [&](auto influences) {
    float weight = 0;
    for (const Influence& influence : influences) {
      if (joint != kNoJoint && skin.entries[influence.entry].joint == joint) weight += influence.weight;
    }
    return heat_color(weight);
  });
}

}  // namespace sinew::app
