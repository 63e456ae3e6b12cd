// Rays against CPU-skinned triangles: each ray with every triangle, in double precision.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "ray_tracing/structures.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"

namespace sinew::test {

struct Point {
  double x = 0, y = 0, z = 0;
};

/// As probe.comp reads and writes them.
struct Ray {
  float origin[3], max_distance, direction[3], unused;
};
struct Hit {
  float distance = -1;  // negative: none
  uint32_t instance = 0, triangle = 0, unused = 0;
};

/// How hits of the device differ from those of the reference. Rays that pass close to an edge, or meet a triangle at a
/// flat angle, are doubtful: there a small error of a position decides. They are counted and not compared.
struct Difference {
  uint32_t compared = 0, doubtful = 0, wrong = 0, misses = 0;  // misses: compared rays that meet nothing
  std::string first_wrong;
};

class RayReference {
 public:
  /// The triangles of all instances; `poses` are the skinned positions of each pose.
  RayReference(const Mesh& mesh, std::span<const std::vector<Vec3>> poses, std::span<const rays::PlacedPose> instances);

  /// Three of four rays go to a random place on a random triangle; the others go anywhere.
  std::vector<Ray> make_rays(uint32_t count, uint32_t seed) const;

  Difference compare(std::span<const Ray> rays, std::span<const Hit> hits) const;

 private:
  struct Triangle {
    Point corner, edges[2], normal;  // the normal has unit length, or is 0 for a triangle without area
  };
  struct Crossing {
    double distance = 0;
    double inside = 0;  // the smallest barycentric coordinate: negative outside
    double cosine = 0;  // of the angle between ray and normal
    bool is_valid = false;
  };
  static Crossing cross(const Ray& ray, const Triangle& triangle);
  void compare_one(const Ray& ray, const Hit& hit, Difference& difference) const;

  std::vector<Triangle> triangles_;  // [instance][triangle]
  uint32_t triangles_per_instance_ = 0;
};

}  // namespace sinew::test
