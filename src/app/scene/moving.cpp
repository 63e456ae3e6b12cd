#include "scene/moving.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr uint32_t kInstancesPerTask = 1024;

/// The meters by which the crowd was put back to its start, along its way.
double meters_put_back(const Scene& scene, double seconds) {
  return std::floor(double(scene.meters_per_second) * seconds / kCourseMeters) * kCourseMeters;
}

/// How far an instance is along its way: its position at scene time 0 is at its start.
double way_at(const Scene& scene, uint32_t instance, double seconds, double back) {
  const Pace pace = scene.pace(instance);
  return double(scene.meters_per_second / pace.speed) * passed_clip_seconds_at(pace, seconds) - back;
}

}  // namespace

Vec3 displacement_at(const Scene& scene, double seconds) {
  return {0, 0, float(double(scene.meters_per_second) * seconds - meters_put_back(scene, seconds))};
}

void move_scene(double seconds, const ParallelFor& parallel_for, Scene& scene) {
  if (!scene.moves()) return;
  scene.seconds_before = std::exchange(scene.seconds, seconds);
  scene.center = displacement_at(scene, seconds);
  const double back = meters_put_back(scene, seconds);
  for_each_index(parallel_for, (scene.count() + kInstancesPerTask - 1) / kInstancesPerTask, [&](uint32_t task) {
    const uint32_t first = task * kInstancesPerTask;
    for (uint32_t i = first; i < std::min(first + kInstancesPerTask, scene.count()); ++i)
      scene.positions[i].z = scene.looks[i].start + float(way_at(scene, i, seconds, back));
  });
}

Vec3 moved_by(const Scene& scene, uint32_t model, uint32_t instance) {
  if (!scene.moves()) return {};
  const double before = scene.seconds_before;
  Vec3 position = scene.positions[instance];
  position.z = scene.looks[instance].start + float(way_at(scene, instance, before, meters_put_back(scene, before)));
  return origin_at(scene, model, instance, scene.positions[instance], scene.seconds) -
         origin_at(scene, model, instance, position, before);
}

}  // namespace sinew::app
