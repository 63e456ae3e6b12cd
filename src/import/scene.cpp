#include "scene.h"

#include <algorithm>
#include <cmath>

#include "asset/plain_text.h"

namespace sinew::internal {
namespace {

constexpr float kMinSine = 1e-3f;  // between up and front: less is the same direction

std::string text_of(Vec3 axis) {
  return "(" + number_text(axis.x) + ", " + number_text(axis.y) + ", " + number_text(axis.z) + ")";
}

/// Of unit length, or zero if the axis has no direction. Floats of any size have one.
Vec3 direction_of(Vec3 axis) {
  if (!is_finite(axis)) return {};
  const float largest = std::max({std::abs(axis.x), std::abs(axis.y), std::abs(axis.z)});
  if (!(largest > 0)) return {};
  return normalize(Vec3{axis.x / largest, axis.y / largest, axis.z / largest}, {});
}

bool has_no_direction(Vec3 axis) { return dot(axis, axis) == 0; }

/// +z, or -y where z is up.
Vec3 usual_front(Vec3 up) {
  const Vec3 front = std::abs(up.z) < 0.9f ? Vec3{0, 0, 1} : Vec3{0, -1, 0};
  return normalize(front - up * dot(front, up));
}

std::vector<Matrix3x4d> world_matrices(const Scene& scene) {
  std::vector<Matrix3x4d> matrices;
  for (const SceneNode& node : scene.nodes) {
    const Matrix3x4d above = node.parent < 0 ? Matrix3x4d{} : matrices[size_t(node.parent)];
    matrices.push_back(above * node.parent_from_node);
  }
  return matrices;
}

double largest_scale(const Matrix3x4d& matrix) {
  double largest = 0;
  for (int column = 0; column < 3; ++column) {
    largest = std::max(largest, std::hypot(matrix.m[0][column], matrix.m[1][column], matrix.m[2][column]));
  }
  return largest;
}

void extend(Box& box, Vec3 point) {
  if (is_within(point, kMaxCoordinate)) include(box, point);
}

/// Adds a use's vertices to the boxes of the nodes that move them, and to `all` where the first of these has them.
void attach(const Scene& scene, const SceneMeshUse& use, const std::vector<Matrix3x4d>& world,
            std::vector<Box>& attached, Box& all) {
  const SceneMesh& mesh = scene.meshes[use.mesh];
  const bool is_skinned = use.skin >= 0 && !mesh.first_influence.empty();
  for (size_t v = 0; v < mesh.positions.size(); ++v) {
    const uint32_t first = is_skinned ? mesh.first_influence[v] : 0, end = is_skinned ? mesh.first_influence[v + 1] : 0;
    if (first == end) {
      extend(attached[use.node], mesh.positions[v]);
      extend(all, transform_point(world[use.node], mesh.positions[v]));
    }
    for (uint32_t i = first; i < end; ++i) {
      const SceneSkin& skin = scene.skins[size_t(use.skin)];
      const uint32_t joint = mesh.influences[i].joint;
      if (joint >= skin.nodes.size() || !(mesh.influences[i].weight > 0)) continue;
      const Vec3 point = transform_point(skin.joint_from_mesh[joint], mesh.positions[v]);
      extend(attached[skin.nodes[joint]], point);
      if (i == first) extend(all, transform_point(world[skin.nodes[joint]], point));
    }
  }
}

double distance(const Matrix3x4d& node, Vec3 point) {
  return std::hypot(point.x - node.m[0][3], point.y - node.m[1][3], point.z - node.m[2][3]);
}

}  // namespace

void repair_space(ModelSpace& space, std::vector<std::string>& warnings, float default_unit) {
  if (validate(space)) return;
  const float unit = space.meters_per_unit;
  if (!validate(ModelSpace{{0, 1, 0}, {0, 0, 1}, unit})) {
    warnings.push_back("its unit of " + number_text(unit) + " m is taken as " + number_text(default_unit) + " m");
    space.meters_per_unit = default_unit;
  }
  Vec3 up = direction_of(space.up);
  if (has_no_direction(up)) {
    up = {0, 1, 0};
    warnings.push_back("its up axis " + text_of(space.up) + " has no direction, +y is taken");
  }
  const Vec3 front = direction_of(space.front), across = front - up * dot(front, up);
  if (length(across) > kMinSine) {
    space.up = up, space.front = normalize(across);
    return;
  }
  space.up = up;
  const char* why = has_no_direction(front) ? " has no direction, " : " is along its up axis, ";
  const Vec3 usual = usual_front(up);
  warnings.push_back("its front axis " + text_of(space.front) + why + text_of(usual) + " is taken");
  space.front = usual;
}

Reach measure_reach(const Scene& scene) {
  const size_t count = scene.nodes.size();
  const std::vector<Matrix3x4d> world = world_matrices(scene);
  Reach reach{0, std::vector<double>(count), std::vector<double>(count, 1), std::vector<Box>(count, kEmptyBox)};
  Box all = kEmptyBox;
  for (const SceneMeshUse& use : scene.uses) attach(scene, use, world, reach.attached, all);
  const bool has_no_vertices = !(all.low.x <= all.high.x);

  std::vector<Box> below(count, kEmptyBox);  // in model space
  for (size_t node = count; node-- > 0;) {
    const bool has_vertices = reach.attached[node].low.x <= reach.attached[node].high.x;
    if (has_vertices) {
      for (const Vec3 corner : corners_of(reach.attached[node]))
        extend(below[node], transform_point(world[node], corner));
    } else if (has_no_vertices) {
      extend(below[node], transform_point(world[node], {}));
    }
    if (has_no_vertices) all = merge(all, below[node]);
    const int32_t parent = scene.nodes[node].parent;
    if (parent < 0) continue;
    below[size_t(parent)] = merge(below[size_t(parent)], below[node]);
    reach.stretch[node] = largest_scale(world[size_t(parent)]);
  }
  reach.diagonal = all.low.x <= all.high.x ? double(length(size_of(all))) : 0;
  for (size_t node = 0; node < count; ++node) {
    if (!(below[node].low.x <= below[node].high.x)) continue;
    for (const Vec3 corner : corners_of(below[node])) {
      reach.of_node[node] = std::max(reach.of_node[node], distance(world[node], corner));
    }
  }
  return reach;
}

}  // namespace sinew::internal
