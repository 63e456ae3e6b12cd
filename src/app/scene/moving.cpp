#include "scene/moving.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew::app {
namespace {

constexpr uint32_t kInstancesPerTask = 1024;

/// The meters by which the crowd was put back to its start, along its way.
double meters_put_back(const Scene& scene, double seconds) {
  return std::floor(double(scene.meters_per_second) * seconds / scene.course_meters) * scene.course_meters;
}

/// How far an instance is along its way: its position at scene time 0 is at its start.
double way_at(const Scene& scene, uint32_t instance, double seconds, double back) {
  const Pace pace = scene.pace(instance);
  return double(scene.speed_of(instance) / pace.speed) * passed_clip_seconds_at(pace, seconds) - back;
}

/// `meters` within one round.
double within_round(double meters, double perimeter) {
  meters = std::fmod(meters, perimeter);
  return meters < 0 ? meters + perimeter : meters;
}

/// The place `meters` along the loop itself, from 0 to its perimeter.
Place place_at_loop(const Role& role, float meters) {
  const Oval::Point point = role.loop.at(meters);
  return {role.center + point.position, role.backward ? point.along() * -1 : point.along()};
}

/// Where an instance is that walks along z, or on the loop of its role.
Place place_at(const Scene& scene, uint32_t instance, double seconds, double back) {
  const Scene::Look& look = scene.looks[instance];
  if (!scene.roles.empty()) return place_on_way(scene, scene.role_of[instance], way_of(scene, instance, seconds));
  Vec3 position = scene.positions[instance];
  position.z = look.start + float(way_at(scene, instance, seconds, back));
  return {position, {}};
}

/// By how much an instance is lowered, of those in ascending order.
float lowered_by(std::span<const Lowered> lowered, uint32_t instance) {
  const auto found = std::ranges::lower_bound(lowered, instance, {}, &Lowered::instance);
  return found != lowered.end() && found->instance == instance ? found->meters : 0;
}

/// Those on loops also turn. Their scale is a whole number of steps: so it stays the same however often they turn.
void move(Scene& scene, uint32_t instance, double seconds, double back) {
  const Place place = place_at(scene, instance, seconds, back);
  scene.positions[instance] = place.position;
  if (scene.roles.empty()) return;
  Turn& turn = scene.looks[instance].turn;
  const float scale = std::round(turn.scale() * kScaleSteps) / kScaleSteps;
  turn = {place.along.z * scale, place.along.x * scale};
}

}  // namespace

Place place_on_loop(const Role& role, double meters) {
  return place_at_loop(role, float(within_round(role.backward ? -meters : meters, role.loop.perimeter())));
}

Place place_on_way(const Scene& scene, uint16_t role, double meters) {
  const Role& of = scene.roles[role];
  if (!scene.terrain) return place_on_loop(of, meters);
  const GroundWay& way = scene.ways[role];
  Place place = place_at_loop(of, way.loop_meters(within_round(of.backward ? -meters : meters, way.perimeter())));
  place.position.y = scene.terrain->height(place.position.x, place.position.z);
  return place;
}

double way_of(const Scene& scene, uint32_t instance, double seconds) {
  return scene.looks[instance].start + way_at(scene, instance, seconds, 0);
}

Vec3 displacement_at(const Scene& scene, double seconds) {
  if (!scene.roles.empty()) return {};
  return {0, 0, float(double(scene.meters_per_second) * seconds - meters_put_back(scene, seconds))};
}

void move_scene(double seconds, const ParallelFor& parallel_for, Scene& scene) {
  if (!scene.moves()) return;
  scene.seconds_before = std::exchange(scene.seconds, seconds);
  scene.center = displacement_at(scene, seconds);
  const double back = meters_put_back(scene, seconds);
  for_each_index(parallel_for, (scene.count() + kInstancesPerTask - 1) / kInstancesPerTask, [&](uint32_t task) {
    const uint32_t first = task * kInstancesPerTask;
    for (uint32_t i = first; i < std::min(first + kInstancesPerTask, scene.count()); ++i) {
      if (scene.moves(i)) move(scene, i, seconds, back);
    }
  });
}

Vec3 moved_by(const Scene& scene, uint32_t model, uint32_t instance) {
  if (!scene.moves(instance))
    return {0, lowered_by(scene.lowered_before, instance) - lowered_by(scene.lowered, instance), 0};
  const double before = scene.seconds_before;
  Vec3 position = place_at(scene, instance, before, meters_put_back(scene, before)).position;
  position.y -= lowered_by(scene.lowered_before, instance);
  return origin_at(scene, model, instance, scene.positions[instance], scene.seconds) -
         origin_at(scene, model, instance, position, before);
}

}  // namespace sinew::app
