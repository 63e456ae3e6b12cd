// Picking in a crowd through the C interface, on a device: three people in a row are hit one behind the other, a path
// finds those beside it, joints are on them. Bad input gets a line.
#include <math.h>

#include "harness.h"

enum { kPeople = 3 };

static void check_hits(const SinewSkinnedCrowd* crowd, const SinewInstances* people) {
  const float origin[3] = {0, 1.2f, 10}, forward[3] = {0, 0, -5}, up[3] = {0, 1, 0};
  SinewPickHit hit = SINEW_INIT(SinewPickHit);
  OK(sinew_skinned_crowd_pick(crowd, people, origin, forward, 0, &hit, &error));
  MUST(hit.hit == 1 && hit.instance == 0 && hit.model == 0 && hit.joint >= 0);
  MUST(fabsf(hit.point[2]) < 0.5f && fabsf(hit.distance - (10 - hit.point[2])) < 1e-4f);
  MUST(fabsf(hit.barycentrics[0] + hit.barycentrics[1] + hit.barycentrics[2] - 1) < 1e-5f);
  const float behind[3] = {0, 1.2f, -1};  // between the first and the second
  OK(sinew_skinned_crowd_pick(crowd, people, behind, forward, 0, &hit, &error));
  MUST(hit.hit == 1 && hit.instance == 1);
  OK(sinew_skinned_crowd_pick(crowd, people, origin, forward, 5, &hit, &error));
  MUST(hit.hit == 0 && hit.distance == 0);
  OK(sinew_skinned_crowd_pick(crowd, people, origin, up, 0, &hit, &error));
  MUST(hit.hit == 0);

  const float zero[3] = {0, 0, 0}, none[3] = {0, NAN, 0};
  REFUSED(sinew_skinned_crowd_pick(crowd, people, origin, zero, 0, &hit, &error), "no direction");
  REFUSED(sinew_skinned_crowd_pick(crowd, people, none, forward, 0, &hit, &error), "not finite");
  REFUSED(sinew_skinned_crowd_pick(crowd, people, origin, forward, -1, &hit, &error), "distance");
  REFUSED(sinew_skinned_crowd_pick(crowd, people, NULL, forward, 0, &hit, &error), "origin is null");
  REFUSED(sinew_skinned_crowd_pick(crowd, people, origin, NULL, 0, &hit, &error), "direction is null");
}

static void check_path(const SinewSkinnedCrowd* crowd, const SinewInstances* people) {
  const float from[3] = {5, 1, 0}, to[3] = {5, 1, -3};
  uint32_t near[kPeople] = {9, 9, 9}, count = 9;
  OK(sinew_skinned_crowd_instances_near(crowd, people, from, to, 4.5f, near, kPeople, &count, &error));
  MUST(count == 2 && near[0] == 0 && near[1] == 1 && near[2] == 9);
  OK(sinew_skinned_crowd_instances_near(crowd, people, from, to, 20, near, 1, &count, &error));
  MUST(count == 3 && near[0] == 0 && near[1] == 1);
  OK(sinew_skinned_crowd_instances_near(crowd, people, from, to, 0.1f, NULL, 0, &count, &error));
  MUST(count == 0);
  REFUSED(sinew_skinned_crowd_instances_near(crowd, people, from, to, -1, near, 3, &count, &error), "radius");
  REFUSED(sinew_skinned_crowd_instances_near(crowd, people, from, to, 1, NULL, 3, &count, &error), "out is null");
}

static void check_joints(const SinewSkinnedCrowd* crowd, const SinewInstances* people) {
  SinewMatrix3x4 first, last;
  OK(sinew_skinned_crowd_joint_transform(crowd, people, 0, 2, &first, &error));
  OK(sinew_skinned_crowd_joint_transform(crowd, people, 2, 2, &last, &error));
  MUST(fabsf(first.m[2][3] - 14 - last.m[2][3]) < 1e-4f && fabsf(first.m[1][3] - last.m[1][3]) < 1e-4f);
  MUST(first.m[1][3] > 0.2f && first.m[1][3] < 2.2f);
  REFUSED(sinew_skinned_crowd_joint_transform(crowd, people, 3, 2, &first, &error), "no such instance");
  REFUSED(sinew_skinned_crowd_joint_transform(crowd, people, 0, 9999, &first, &error), "no such joint");
}

/// A count without a limit is not followed to the end of memory.
static void check_chains(SinewSkinnedCrowd* crowd) {
  const SinewChain chain = {0};
  REFUSED(sinew_skinned_crowd_set_chains(crowd, 0, &chain, UINT32_MAX, &error), "chains: there are 4294967295");
  OK(sinew_skinned_crowd_set_chains(crowd, 0, NULL, 0, &error));
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  SinewModel* model = NULL;
  OK(sinew_model_load(argv[1], NULL, &model, &error));
  if (model == NULL) return 1;
  Device device = make_device();
  SinewSkinnedCrowd* crowd = make_crowd(&device, model);
  const uint32_t models[kPeople] = {0};
  const float depths[kPeople] = {0, -4, -14};
  SinewMatrix3x4 places[kPeople] = {{{{0}}}};
  SinewPlayback playbacks[kPeople] = {{{{0}}}};
  for (int i = 0; i < kPeople; ++i) {
    for (int row = 0; row < 3; ++row) places[i].m[row][row] = 1;
    places[i].m[2][3] = depths[i];
  }
  SinewInstances people = SINEW_INIT(SinewInstances);
  people.count = kPeople, people.models = models;
  people.world_from_model = places, people.playbacks = playbacks;
  const float origin[3] = {0, 1, 10}, forward[3] = {0, 0, -1};
  SinewPickHit hit = SINEW_INIT(SinewPickHit);
  REFUSED(sinew_skinned_crowd_pick(crowd, &people, origin, forward, 0, &hit, &error), "update() comes before");
  update(crowd, 1, &people);
  check_hits(crowd, &people);
  check_path(crowd, &people);
  check_joints(crowd, &people);
  check_chains(crowd);
  sinew_skinned_crowd_destroy(crowd);
  sinew_model_destroy(model);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
