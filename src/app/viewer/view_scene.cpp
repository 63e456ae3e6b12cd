#include "viewer/view_scene.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace sinew::app {
namespace {

constexpr float kGap = 0.35f;          // between neighbors, as a share of their heights
constexpr double kSameScale = 1e-3;    // relative difference
constexpr float kFramed = 1.35f;       // how much of the picture's height is more than the character's
constexpr float kBoxFramed = 1.02f;    // the same for the nearest corner of its box
constexpr float kKeptShare = 0.96f;    // of the picture: a point that is kept in it is not nearer to its edges
constexpr float kNearestShare = 0.5f;  // of the camera's distance: such a point is not nearer to the eye

/// The distance from which the whole picture shows a box around the target. A side that is near the eye looks larger
/// than the box is at its middle.
float distance_to_box(const Orbit& orbit, Vec3 half, float aspect) {
  const float slope = meters_per_pixel(orbit, 1) / (2 * orbit.distance);  // of the picture's upper edge
  const Axes axes = axes_of(orbit);
  float distance = 0;
  for (const Vec3& corner : corners_of({half * -1, half})) {
    const glm::vec3 at{corner.x, corner.y, corner.z};
    const float up = std::abs(glm::dot(at, axes.up)), right = std::abs(glm::dot(at, axes.right)) / aspect;
    distance = std::max(distance, kBoxFramed * std::max(up, right) / slope - glm::dot(at, axes.forward));
  }
  return distance;
}

/// Moves a camera to the distance from which it shows a box of this size around its target.
Orbit frame(Orbit orbit, Vec3 size, float aspect) {
  aspect = std::max(aspect, 0.1f);
  orbit.distance = 1;
  const float covered = meters_per_pixel(orbit, 1);  // the height of the picture at a distance of 1 m
  const float flat = kFramed * std::max(size.y, size.x / aspect) / covered;
  orbit.distance = std::max(flat, distance_to_box(orbit, size * 0.5f, aspect));
  clamp_orbit(orbit);
  return orbit;
}

/// How far to move a camera along an axis.
struct Shift {
  float low = -INFINITY, high = INFINITY;
  /// A point at `offset` from the middle of the picture needs a shift that leaves it at most `reach` from there.
  void keep(float offset, float reach) { low = std::max(low, offset - reach), high = std::min(high, offset + reach); }
  /// The smallest one; where none keeps all points, one that loses as much at both ends.
  float value() const { return low > high ? (low + high) / 2 : std::clamp(0.0f, low, high); }
};

double world_per_file_meter(const Model& model) {
  return double(model.meters_per_unit()) / model.character.space.meters_per_unit;
}

}  // namespace

GridScale grid_for(const Model& model) {
  const double size = model.size() / world_per_file_meter(model);
  const double cell = std::pow(10.0, std::floor(std::log10(std::max(size, 1e-12))));
  return {float(cell * world_per_file_meter(model)), cell};
}

bool has_one_scale(std::span<const Model> models) {
  const double first = world_per_file_meter(models.front());
  return std::all_of(models.begin(), models.end(), [&](const Model& model) {
    return std::abs(world_per_file_meter(model) / first - 1) < kSameScale;
  });
}

Scene make_view_scene(std::span<const Model> models) {
  Scene scene;
  float x = 0;
  for (uint32_t i = 0; i < models.size(); ++i) {
    const Model& model = models[i];
    const float half = std::max(model.radius, 0.3f * model.height);
    if (i > 0) x += half + kGap * std::max(models[i - 1].height, model.height);
    CrowdInstance instance;
    instance.position = {x, 0, 0};
    scene.add(instance);
    scene.models.push_back(place_of(model));
    scene.models.back().shadow_radius = 0;
    scene.batches.push_back({i, i, 1});
    scene.tallest = std::max(scene.tallest, model.height);
    scene.widest = std::max(scene.widest, model.radius);
    x += half;
  }
  const float middle = (scene.positions.front().x + scene.positions.back().x) / 2;
  for (uint32_t i = 0; i < models.size(); ++i) {
    scene.positions[i].x -= middle;
    move_instance(models, i, {}, scene);
  }
  scene.grid_meters = grid_for(models.front()).world_meters;
  scene.playbacks.resize(models.size());
  return scene;
}

void move_instance(std::span<const Model> models, uint32_t index, const Matrix3x4d& model_from_moved, Scene& scene) {
  scene.models[index].upright_from_model = models[index].world_from_model * matrix_cast<float>(model_from_moved);
}

Orbit frame_scene(const Scene& scene, float aspect) {
  float left = 0, right = 0;
  for (const Vec3& position : scene.positions) {
    left = std::min(left, position.x - scene.widest);
    right = std::max(right, position.x + scene.widest);
  }
  Orbit orbit;
  orbit.target = {0, 0.5f * scene.tallest, 0};
  turn_to(kCameraPresets[0], orbit);
  return frame(orbit, {right - left, scene.tallest, 2 * scene.widest}, aspect);
}

Orbit frame_box(const Box& box, Orbit from, float aspect) {
  const Vec3 size = size_of(box), middle = (box.low + box.high) * 0.5f;
  const float wide = std::max(size.x, size.z);
  from.target = {middle.x, middle.y, middle.z};
  return frame(from, {wide, size.y, wide}, aspect);
}

Orbit zoomed(Orbit orbit, float factor, std::span<const Vec3> kept, float aspect) {
  orbit.distance *= factor;
  const Axes axes = axes_of(orbit);
  const auto to = [&](Vec3 point) { return glm::vec3(point.x, point.y, point.z) - eye_of(orbit); };
  float depth = INFINITY;
  for (const Vec3 point : kept) depth = std::min(depth, glm::dot(to(point), axes.forward));
  const float nearest = kNearestShare * orbit.distance;
  if (depth < nearest) orbit.target += axes.forward * (depth - nearest);
  Shift right, up;
  for (const Vec3 point : kept) {
    const glm::vec3 at = to(point);
    const float reach = kKeptShare * glm::dot(at, axes.forward) * meters_per_pixel(orbit, 2) / orbit.distance;
    up.keep(glm::dot(at, axes.up), reach);
    right.keep(glm::dot(at, axes.right), reach * std::max(aspect, 0.1f));
  }
  orbit.target += axes.up * up.value() + axes.right * right.value();
  return orbit;
}

}  // namespace sinew::app
