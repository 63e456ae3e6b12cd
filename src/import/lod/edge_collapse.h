// Edge collapse in several poses at once: what bends in one of them keeps its vertices.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "sinew/asset/math.h"

namespace sinew::internal {

/// `indices` with one vertex in place of all that are at one place in every pose.
std::vector<uint32_t> weld(std::span<const uint32_t> indices, std::span<const std::span<const Vec3>> poses);

/// Removes vertices of a triangle list one by one, the one whose removal shows least in its worst pose first. Vertices
/// that stay keep their places. Source: Garland and Heckbert, "Surface Simplification Using Quadric Error Metrics",
/// 1997; Mohr and Gleicher, "Deformation Sensitive Decimation", 2003.
class EdgeCollapse {
 public:
  /// `poses` are the positions of the vertices in each pose. Vertices at one place in every pose stay together: an
  /// edge that only some of them have does not collapse, so that seams stay closed.
  EdgeCollapse(std::span<const uint32_t> indices, std::vector<std::span<const Vec3>> poses);

  /// Stops at `triangles`, or before the surface would move by more than `max_distance` by the estimate of quadrics.
  void run(size_t triangles, double max_distance);

  size_t triangle_count() const { return triangle_count_; }
  /// The triangles that remain, in their original order.
  std::vector<uint32_t> indices() const;

 private:
  using Triangle = std::array<uint32_t, 3>;
  /// The squared distances to planes, by weight: p A p + 2 b p + c.
  struct Quadric {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0, x = 0, y = 0, z = 0, c = 0, weight = 0;
    void add_plane(Vec3 normal, Vec3 point, double weight);
    void add(const Quadric& other);
    double at(Vec3 p) const;  // the mean squared distance
  };
  struct Candidate {
    double cost = 0;
    uint32_t from = 0, to = 0, from_version = 0, to_version = 0;
    friend bool operator<(const Candidate& a, const Candidate& b) {
      if (a.cost != b.cost) return a.cost > b.cost;
      return a.from != b.from ? a.from > b.from : a.to > b.to;
    }
  };
  /// What a vertex of the removed place becomes.
  struct Replacement {
    uint32_t vertex = 0, by = 0;
  };

  void add_quadrics();
  void add_border(uint32_t triangle, uint32_t corner);
  bool is_border(uint32_t a, uint32_t b) const;
  void push(uint32_t from, uint32_t to);
  void push_around(uint32_t place);
  double cost(uint32_t from, uint32_t to) const;
  std::vector<uint32_t> uncovered(uint32_t from, uint32_t to) const;
  double removed_distance(uint32_t from, uint32_t to) const;
  bool find_replacements(uint32_t from, uint32_t to);
  bool flips(uint32_t from, uint32_t to) const;
  void collapse(uint32_t from, uint32_t to);
  bool has(uint32_t triangle, uint32_t place) const;
  Vec3 position(size_t pose, uint32_t place) const { return poses_[pose][place]; }

  std::vector<std::span<const Vec3>> poses_;
  std::vector<Triangle> triangles_;
  std::vector<bool> removed_;                   // of each triangle
  std::vector<uint32_t> place_;                 // of each vertex: the first vertex at its place
  std::vector<std::vector<uint32_t>> around_;   // of each place: its triangles
  std::vector<std::vector<Quadric>> quadrics_;  // [pose][place]
  std::vector<uint32_t> versions_;              // of each place
  std::vector<std::vector<uint32_t>> merged_;   // of each place: itself, and the places that became it
  std::priority_queue<Candidate> queue_;
  std::vector<Replacement> replacements_;
  size_t triangle_count_ = 0;
};

}  // namespace sinew::internal
