// Buildings of colored triangles, put together from a few shapes.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace sinew::app {

/// Linear, 0 to 1. `glow` is the share of it that shines by itself: a lit window, a flame.
struct Color {
  float r = 0, g = 0, b = 0, glow = 0;

  Color operator*(float factor) const { return {r * factor, g * factor, b * factor, glow}; }
};

constexpr Color mixed(Color a, Color b, float share) {
  return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

/// Where something is around the middle. At angle 0 it is on the z axis.
inline Vec3 polar(float radius, float angle, float height = 0) {
  return {radius * std::sin(angle), height, radius * std::cos(angle)};
}

/// The angle of one of several things around the middle.
inline float turn_of(uint32_t index, uint32_t count) { return 2 * kPi * float(index) / float(count); }

/// Collects triangles. All shapes are given in a local frame: x to the right, y up, z to the front. Lengths in meters,
/// angles in radians. Normals are flat and point outward; no shape has a floor.
class Architecture {
 public:
  /// All lengths are multiplied by `scale`: scenes are designed for people, and made larger for larger models.
  explicit Architecture(float scale = 1) : scale_(scale) {}

  /// Where the next shapes stand. At heading 0 their front looks along z, as that of people.
  void move_to(Vec3 origin, float heading = 0);
  /// How much lighter or darker the next faces are at random, as a share. The same place in a frame has the same shade.
  void vary(float share) { variation_ = share; }

  /// Corners counterclockwise as seen from outside. A quad is flat.
  void add_triangle(Vec3 a, Vec3 b, Vec3 c, Color color);
  void add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Color color);
  /// The color of a and b, and that of c and d.
  void add_quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d, Color first, Color second);

  /// Four walls, darker towards the ground, and a top.
  void add_box(const Box& box, Color color);
  /// A gable roof over a box from its top: the ridge is along x. Walls of the gables are in their own color.
  void add_gable_roof(const Box& box, float rise, float overhang, Color roof, Color gable);
  /// A roof of four sides that meet in a point.
  void add_hip_roof(const Box& box, float rise, float overhang, Color roof);
  /// A rectangle that looks to the front: its middle at x, from `low` to `high`. A negative width: it looks back.
  void add_panel(float x, float low, float high, float width, float z, Color color);
  /// Around an upright axis, from one circle to another: a wall, a ring, or with radius 0 at its end a cone or a disc.
  /// It is seen from outside, or from above.
  void add_band(Vec3 from, float radius, Vec3 to, float to_radius, uint32_t sides, Color low, Color high);
  /// Around an upright axis; it gets narrower from `radius` to `top_radius`, and has a lid where that is not 0.
  void add_cylinder(Vec3 bottom, float radius, float top_radius, float height, uint32_t sides, Color color);
  void add_disc(Vec3 center, float radius, uint32_t sides, Color color) {
    add_band(center, radius, center, 0, sides, color, color);
  }
  /// A level ring.
  void add_ring(Vec3 center, float inner, float outer, uint32_t sides, Color color) {
    add_band(center, outer, center, inner, sides, color, color);
  }
  /// Between two lines of as many points, at heights: a wall, a level step or a roof. `color_at` takes the share of the
  /// way along them. Its front is where the first line goes to the right, below the second one; `turned`: its back.
  template <class ColorAt>
  void add_between(std::span<const Oval::Point> from, float from_y, std::span<const Oval::Point> to, float to_y,
                   bool turned, ColorAt color_at);
  /// A thin beam with a square section between any two points.
  void add_beam(Vec3 from, Vec3 to, float thickness, Color color);
  /// A tree: a trunk and crowns of few triangles. Round ones, and pointed ones.
  void add_tree(float height, Color leaves, bool pointed);

  size_t triangle_count() const { return vertices_.size() / 3; }
  /// Meters, of all shapes so far.
  float highest() const { return highest_; }
  std::vector<StandVertex> take() { return std::move(vertices_); }

 private:
  Vec3 turned(Vec3 local) const;
  Vec3 to_world(Vec3 local) const;
  float shade_at(Vec3 local) const;
  void add_corner(Vec3 local, Vec3 normal, Color color);

  std::vector<StandVertex> vertices_;
  Vec3 origin_;
  float scale_ = 1;
  float cosine_ = 1, sine_ = 0, variation_ = 0, highest_ = 0;
};

template <class ColorAt>
void Architecture::add_between(std::span<const Oval::Point> from, float from_y, std::span<const Oval::Point> to,
                               float to_y, bool turned, ColorAt color_at) {
  const Vec3 low{0, from_y, 0}, high{0, to_y, 0};
  for (size_t i = 0; i + 1 < from.size(); ++i) {
    const size_t a = turned ? i + 1 : i, b = turned ? i : i + 1;
    add_quad(from[a].position + low, from[b].position + low, to[b].position + high, to[a].position + high,
             color_at((float(i) + 0.5f) / float(from.size() - 1)));
  }
}

}  // namespace sinew::app
