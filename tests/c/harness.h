// What roster.c and drawing.c share: their checks, and a view that sees everything.
#ifndef HARNESS_H
#define HARNESS_H

#include <stdio.h>
#include <string.h>

#include "device.h"
#include "sinew/c/sinew.h"

static SinewError error = {.size = sizeof(SinewError)};
static int failures = 0;

#define MUST(condition) must_be(__LINE__, condition, #condition)
static inline void must_be(int line, int condition, const char* text) {
  if (condition) return;
  ++failures;
  fprintf(stderr, "line %d: not so: %s (%s)\n", line, text, error.message);
}
#define OK(result) must_be(__LINE__, (result) == SINEW_OK, #result)
#define REFUSED(result, part) \
  must_be(__LINE__, (result) == SINEW_INVALID_ARGUMENT && strstr(error.message, part) != NULL, #result)

/// Vertices are copied to the host.
static inline SinewSkinnerInfo skinner_info(const Device* device) {
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  info.instance = device->instance, info.physical_device = device->physical_device, info.device = device->device;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT, info.consumer_accesses = VK_ACCESS_TRANSFER_READ_BIT;
  return info;
}

/// It sees everything, up to 100 m away.
static inline SinewView wide_view(void) {
  SinewView view = {.pixels_per_radian = 1000};
  for (int i = 0; i < 4; ++i) view.clip_from_world[5 * i] = i < 3 ? 0.01f : 1;
  view.clip_from_world[14] = 0.5f;
  return view;
}

static inline void update(SinewSkinnedCrowd* crowd, uint64_t number, const SinewInstances* instances) {
  const SinewView view = wide_view();
  SinewCrowdFrame frame = SINEW_INIT(SinewCrowdFrame);
  frame.views = &view, frame.view_count = 1;
  OK(sinew_skinned_crowd_update(crowd, number, 0, instances, &frame, &error));
}

static inline SinewDraws draws_of(const SinewSkinnedCrowd* crowd) {
  SinewDraws draws = SINEW_INIT(SinewDraws);
  OK(sinew_skinned_crowd_draws(crowd, &draws, &error));
  return draws;
}

#endif
