// Levels of detail for characters of a few pixels: one part whose vertices have colors and few influences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lod/joint_merge.h"
#include "lod/level_error.h"
#include "lod/limb_shapes.h"
#include "lod/visible_surface.h"
#include "sinew/asset/character.h"
#include "sinew/asset/level.h"

namespace sinew::internal {

/// What small levels of a character are made from. All positions are in model space of the rest pose.
struct FinestMesh {
  FinestMesh(const Character& character, const SamplePoses& poses);

  /// The joints that move a vertex; JointMotion::joint_count() stands for none.
  std::vector<JointWeight> weights_of(uint32_t vertex) const;

  const Character& character;
  const SamplePoses& poses;
  std::vector<Vec3> normals;
  VisibleSurface visible;

  std::span<const Vec3> positions() const { return poses.positions(SamplePoses::kRest); }
  Vec3 position(const VisiblePoint& point) const { return mean(positions(), point); }
  Vec3 normal(const VisiblePoint& point) const { return mean(normals, point); }
  uint32_t corner(uint32_t triangle, uint32_t corner) const {
    return character.mesh.indices[size_t{triangle} * 3 + corner];
  }

 private:
  Vec3 mean(std::span<const Vec3> values, const VisiblePoint& point) const {
    const Vec3 a = values[corner(point.triangle, 0)];
    return a + (values[corner(point.triangle, 1)] - a) * point.share_b +
           (values[corner(point.triangle, 2)] - a) * point.share_c;
  }
};

/// Triangles in model space of the rest pose, and what moves their vertices.
struct SmallMesh {
  std::vector<Vec3> positions;
  std::vector<std::vector<JointWeight>> weights;  // of each vertex
  std::vector<uint32_t> indices;
};

/// The mesh with these triangles between vertices of the finest one.
SmallMesh to_small(const FinestMesh& finest, std::span<const uint32_t> indices);

/// The mesh as a few shapes, one or more for each joint that is kept.
SmallMesh shaped(const FinestMesh& finest, const JointMotion& motion, std::span<const uint32_t> replaced_by,
                 LimbShape shape, double max_distance);

/// Moves the vertices along their normals until the mesh covers as much of a picture as the finest one.
void fit_area(const FinestMesh& finest, SmallMesh& mesh);

/// The mesh of a level: one part of `material`, each vertex with the mean color and normal of the visible surface
/// around it. `joints` are the entries of the level's skin, ascending.
Mesh to_mesh(const FinestMesh& finest, const JointMotion& motion, const SmallMesh& small,
             std::span<const uint32_t> joints, uint32_t material);

}  // namespace sinew::internal
