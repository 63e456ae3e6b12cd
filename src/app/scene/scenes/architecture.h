// Buildings of colored triangles, put together from a few shapes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "scene/scene.h"

namespace sinew::app {

/// Linear, 0 to 1. `glow` is the share of it that shines by itself: a lit window, a flame.
struct Color {
  float r = 0, g = 0, b = 0, glow = 0;

  Color operator*(float factor) const { return {r * factor, g * factor, b * factor, glow}; }
};

/// From one corner to the opposite one, meters.
struct Box {
  Vec3 low, high;
};

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
  /// Around an upright axis; it gets narrower from `radius` to `top_radius`, and has a lid where that is not 0.
  void add_cylinder(Vec3 bottom, float radius, float top_radius, float height, uint32_t sides, Color color);
  void add_disc(Vec3 center, float radius, uint32_t sides, Color color);
  /// A level ring.
  void add_ring(Vec3 center, float inner, float outer, uint32_t sides, Color color);
  /// Steps from front (high z) to back, as wide as the box.
  void add_steps(const Box& box, uint32_t steps, Color color);
  /// A thin beam with a square section between any two points.
  void add_beam(Vec3 from, Vec3 to, float thickness, Color color);
  /// Cloth in stripes along z from a high back edge to a low front edge, seen from both sides, with a hem.
  void add_awning(const Box& box, uint32_t stripes, Color first, Color second);
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

}  // namespace sinew::app
