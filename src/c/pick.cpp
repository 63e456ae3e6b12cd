// Picking in a crowd.
#include "sinew/c/pick.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "host_data.h"
#include "skinner_info.h"

using namespace sinew;
using namespace sinew::c;
using namespace sinew::vulkan;

namespace {

Vec3 vector_at(const float* numbers, const char* name) {
  required(numbers, name);
  return {numbers[0], numbers[1], numbers[2]};
}

SinewPickHit hit_in_c(const std::optional<crowd::PickHit>& from) {
  SinewPickHit hit = SINEW_INIT(SinewPickHit);
  if (!from) return hit;
  hit.hit = 1;
  hit.instance = from->instance, hit.model = from->model, hit.level = from->level, hit.triangle = from->triangle;
  hit.wearable = from->wearable, hit.joint = from->joint, hit.distance = from->distance;
  put(from->barycentrics, hit.barycentrics);
  put(from->point, hit.point);
  return hit;
}

}  // namespace

SinewResult sinew_skinned_crowd_pick(const SinewSkinnedCrowd* crowd, const SinewInstances* instances,
                                     const float* origin, const float* direction, float max_distance, SinewPickHit* out,
                                     SinewError* error) {
  return call(error, __func__, [&] {
    SinewInstances host = read(instances, "instances");
    const crowd::Ray ray{vector_at(origin, "origin"), vector_at(direction, "direction")};
    required(out, "out");
    const float limit = max_distance == 0 ? INFINITY : max_distance;
    write(hit_in_c(take(required(crowd, "crowd").crowd.pick(instances_of(host), ray, limit))), out, "out");
  });
}

SinewResult sinew_skinned_crowd_instances_near(const SinewSkinnedCrowd* crowd, const SinewInstances* instances,
                                               const float* from, const float* to, float radius, uint32_t* out,
                                               uint32_t room, uint32_t* count, SinewError* error) {
  return call(error, __func__, [&] {
    SinewInstances host = read(instances, "instances");
    const crowd::Segment path{vector_at(from, "from"), vector_at(to, "to")};
    const auto wanted = array(out, room, "out");
    required(count, "count");
    std::vector<uint32_t> near;
    check(required(crowd, "crowd").crowd.instances_near(instances_of(host), path, radius, near));
    std::copy_n(near.begin(), std::min(near.size(), wanted.size()), wanted.begin());
    *count = uint32_t(near.size());
  });
}

SinewResult sinew_skinned_crowd_joint_transform(const SinewSkinnedCrowd* crowd, const SinewInstances* instances,
                                                uint32_t instance, uint32_t joint, SinewMatrix3x4* out,
                                                SinewError* error) {
  return call(error, __func__, [&] {
    const SkinnedCrowd& own = required(crowd, "crowd").crowd;
    SinewInstances host = read(instances, "instances");
    required(out, "out");
    array_as(out, 1, "out")[0] = take(own.joint_transform(instances_of(host), instance, joint));
  });
}
