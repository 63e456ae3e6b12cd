#include "scene/moving.h"

#include <algorithm>
#include <cmath>

#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

constexpr uint32_t kInstancesPerTask = 1024;

/// The meters by which the crowd was put back to its start, along its way.
double meters_put_back(const Scene& scene, double seconds) {
  return std::floor(double(length(scene.travel)) * seconds / kCourseMeters) * kCourseMeters;
}

/// `along` times `seconds`, less the part of the way that was put back.
Vec3 travelled(Vec3 along, double seconds, Vec3 back) {
  return {float(double(along.x) * seconds - back.x), float(double(along.y) * seconds - back.y),
          float(double(along.z) * seconds - back.z)};
}

Vec3 put_back(const Scene& scene, double seconds) {
  const double meters = meters_put_back(scene, seconds);
  return meters > 0 ? normalize(scene.travel) * float(meters) : Vec3{};
}

void move_instance(const Clip& clip, double seconds, Vec3 back, Walk& walk, CrowdInstance& instance) {
  const Pace pace = pace_of(instance);
  instance.position = walk.start + travelled(walk.velocity, passed_clip_seconds_at(pace, seconds), back);
  Vec3 origin = instance.position + walk.offset;
  if (dot(walk.in_clip, walk.in_clip) > 0) {  // else a division by the duration of a clip that may have none
    const float time = clip_time(clip, clip_seconds_at(pace, seconds), Looping::kLoop);
    origin = origin - walk.in_clip * ((time - clip.start_seconds) / clip.duration_seconds());
  }
  auto& m = instance.world_from_model.m;
  walk.moved = origin - Vec3{m[0][3], m[1][3], m[2][3]};
  m[0][3] = origin.x, m[1][3] = origin.y, m[2][3] = origin.z;
}

}  // namespace

Vec3 displacement_at(const Scene& scene, double seconds) {
  return travelled(scene.travel, seconds, put_back(scene, seconds));
}

void move_scene(std::span<const Model> models, double seconds, const ParallelFor& parallel_for, Scene& scene) {
  if (!scene.moves()) return;
  scene.seconds = seconds;
  scene.center = displacement_at(scene, seconds);
  const Vec3 back = put_back(scene, seconds);
  for (const Batch& batch : scene.batches) {
    const Model& model = models[batch.model];
    const Clip& clip = model.character.clips[model.clips.front()];
    const uint32_t end = batch.first_instance + batch.instance_count;
    for_each_index(parallel_for, (batch.instance_count + kInstancesPerTask - 1) / kInstancesPerTask, [&](uint32_t t) {
      const uint32_t first = batch.first_instance + t * kInstancesPerTask;
      for (uint32_t i = first; i < std::min(first + kInstancesPerTask, end); ++i)
        move_instance(clip, seconds, back, scene.walks[i], scene.instances[i]);
    });
  }
}

}  // namespace sinew::app
