// Pages of the host through the C interface, on a device: vertices lie where the host wants them, equal to the bit to
// those in pages of the library and close to the CPU skinner's, and nothing beside them is written.
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "tube.h"

enum { kGroups = 2, kSlots = 2, kFrames = 5, kVertexBytes = 24, kUntouched = 0x5a };
static const uint32_t kInstances[kGroups] = {3, 7};

/// A skinner, and pages of the host for each of its update groups: one buffer, with room around each page.
typedef struct Host {
  const Device* device;
  SinewSkinner* skinner;
  uint32_t mesh, frame;
  SinewPageRequirements needs[kGroups];
  SinewPage pages[kGroups];
  HostBuffer buffer;
  VkDeviceSize buffer_bytes;
} Host;

static SinewBatch batch_of(const Host* host, uint32_t group) {
  return (SinewBatch){.mesh = host->mesh, .instance_count = kInstances[group]};
}

static Host make_host(const Device* device, const SinewMesh* mesh) {
  Host host = {.device = device};
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  info.instance = device->instance, info.physical_device = device->physical_device, info.device = device->device;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.format = SINEW_FORMAT_FLOAT, info.frames_in_flight = kSlots, info.update_groups = kGroups;
  info.consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT, info.consumer_accesses = VK_ACCESS_TRANSFER_READ_BIT;
  OK(sinew_skinner_create(&info, &host.skinner, &error));
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  add.mesh = mesh, add.palette_size = kJoints, add.name = "tube";
  OK(sinew_skinner_add_mesh(host.skinner, &add, &host.mesh, &error));
  return host;
}

static void make_pages(Host* host) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  for (uint32_t g = 0; g < kGroups; ++g) {
    const SinewBatch batch = batch_of(host, g);
    uint32_t count = 1;
    OK(sinew_skinner_page_requirements(host->skinner, &batch, 1, &host->needs[g], &count, &error));
    MUST(count == 1 && host->needs[g].size_bytes >= (VkDeviceSize)kInstances[g] * kVertices * kVertexBytes);
    usage |= host->needs[g].usage;
    const VkDeviceSize unit = host->needs[g].alignment;
    host->pages[g].offset = (host->buffer_bytes / unit + 1) * unit;
    host->buffer_bytes = host->pages[g].offset + host->needs[g].size_bytes + 1024;
  }
  host->buffer = make_buffer(host->device, host->buffer_bytes, usage);
  for (uint32_t g = 0; g < kGroups; ++g) host->pages[g].buffer = host->buffer.buffer;
}

static float angle_of(uint32_t frame, uint32_t group, uint32_t instance) {
  return 0.05f * (float)((frame * 5 + group * 3 + instance) % 11);
}

/// Skins the groups that `groups` has a bit for, and copies their vertices to `skinned`, one group after the other.
static void skin(Host* host, uint32_t groups, const SinewPage* pages, HostBuffer* skinned, SinewRange* ranges) {
  SinewFrame frame = SINEW_INIT(SinewFrame);
  frame.number = ++host->frame, frame.slot = host->frame % kSlots, frame.last_completed = host->frame - 1;
  frame.explicit_slot = 1;
  OK(sinew_skinner_begin_frame(host->skinner, &frame, &error));
  for (uint32_t g = 0; g < kGroups; ++g) {
    if ((groups >> g & 1) == 0) continue;
    const SinewBatch batch = batch_of(host, g);
    SinewPrepareInfo prepare = SINEW_INIT(SinewPrepareInfo);
    prepare.group = g, prepare.batches = &batch, prepare.batch_count = 1;
    if (pages != NULL) prepare.pages = &pages[g], prepare.page_count = 1;
    OK(sinew_skinner_prepare(host->skinner, &prepare, &error));
    ranges[g].size = sizeof *ranges;
    OK(sinew_skinner_range(host->skinner, g, 0, &ranges[g], &error));
    for (uint32_t i = 0; i < kInstances[g]; ++i)
      bend_tube(angle_of(host->frame, g, i), ranges[g].palettes + i * ranges[g].palette_stride);
  }
  const VkCommandBuffer cmd = begin_commands(host->device);
  OK(sinew_skinner_record(host->skinner, cmd, NULL, &error));
  for (uint32_t g = 0; g < kGroups; ++g) {
    skinned[g] = make_buffer(host->device, (VkDeviceSize)kInstances[g] * kVertices * kVertexBytes,
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    copy_to_host(cmd, ranges[g].vertices, ranges[g].vertices_offset, &skinned[g],
                 (VkDeviceSize)kInstances[g] * kVertices * kVertexBytes);
  }
  submit_and_wait(host->device, cmd);
}

/// The largest distance of a skinned position of a group from the CPU skinner's.
static float largest_error(const SinewMesh* mesh, uint32_t frame, uint32_t group, const void* skinned) {
  float largest = 0;
  for (uint32_t i = 0; i < kInstances[group]; ++i) {
    SinewMatrix3x4 palette[kJoints];
    float expected[kVertices][3];
    bend_tube(angle_of(frame, group, i), palette);
    OK(sinew_skin_on_cpu(mesh, palette, kJoints, NULL, expected[0], NULL, &error));
    for (uint32_t v = 0; v < kVertices; ++v) {
      const float* p = (const float*)((const char*)skinned + (i * kVertices + v) * kVertexBytes);
      for (int axis = 0; axis < 3; ++axis) {
        const float distance = fabsf(p[axis] - expected[v][axis]);
        if (!(distance <= largest)) largest = distance;  // NaN too
      }
    }
  }
  return largest;
}

/// Every byte of the host's buffer that is not in a page is as it was.
static int is_untouched_beside(const Host* host) {
  const unsigned char* bytes = host->buffer.mapped;
  for (VkDeviceSize at = 0, g = 0; at < host->buffer_bytes; ++at) {
    if (g < kGroups && at == host->pages[g].offset) at += host->needs[g++].size_bytes;
    if (bytes[at] != kUntouched) return 0;
  }
  return 1;
}

/// Frame by frame the same instances, in pages of the library and in the host's. In odd frames only the first group is
/// updated: the vertices of the second stay.
static void compare_frames(const Device* device, const SinewMesh* mesh) {
  Host own = make_host(device, mesh), theirs = make_host(device, mesh);
  make_pages(&theirs);
  memset(theirs.buffer.mapped, kUntouched, theirs.buffer_bytes);
  SinewRange ranges_of_own[kGroups], ranges[kGroups];
  uint32_t skinned_in[kGroups];  // the frame
  for (uint32_t frame = 1; frame <= kFrames; ++frame) {
    const uint32_t groups = frame % 2 == 0 ? 1 : 3;
    HostBuffer a[kGroups], b[kGroups];
    skin(&own, groups, NULL, a, ranges_of_own);
    skin(&theirs, groups, theirs.pages, b, ranges);
    for (uint32_t g = 0; g < kGroups; ++g) {
      if ((groups >> g & 1) != 0) skinned_in[g] = frame;
      MUST(ranges[g].vertices == theirs.buffer.buffer && ranges[g].vertices_offset == theirs.pages[g].offset);
      MUST(ranges_of_own[g].vertices != theirs.buffer.buffer);
      MUST(memcmp(a[g].mapped, b[g].mapped, (size_t)kInstances[g] * kVertices * kVertexBytes) == 0);
      const float largest = largest_error(mesh, skinned_in[g], g, b[g].mapped);
      printf("frame %u, group %u: largest error %.2g\n", (unsigned)frame, (unsigned)g, (double)largest);
      MUST(largest <= 2e-5f);
      destroy_buffer(device, &a[g]);
      destroy_buffer(device, &b[g]);
    }
    MUST(is_untouched_beside(&theirs));
  }
  SinewMemoryUsage usage = SINEW_INIT(SinewMemoryUsage);
  OK(sinew_skinner_memory_usage(own.skinner, &usage, &error));
  MUST(usage.skinned_bytes > 0);
  OK(sinew_skinner_memory_usage(theirs.skinner, &usage, &error));
  MUST(usage.skinned_bytes == 0);
  sinew_skinner_destroy(own.skinner);
  sinew_skinner_destroy(theirs.skinner);
  destroy_buffer(device, &theirs.buffer);
}

static void check_bad_pages(const Device* device, const SinewMesh* mesh) {
  Host host = make_host(device, mesh);
  make_pages(&host);
  SinewFrame frame = SINEW_INIT(SinewFrame);
  frame.number = 1, frame.slot = 1;
  OK(sinew_skinner_begin_frame(host.skinner, &frame, &error));
  const SinewBatch batch = batch_of(&host, 0);
  SinewPage page = host.pages[0];
  SinewPrepareInfo prepare = SINEW_INIT(SinewPrepareInfo);
  prepare.batches = &batch, prepare.batch_count = 1, prepare.pages = &page, prepare.page_count = 1;
  page.offset += 1;
  REFUSED(sinew_skinner_prepare(host.skinner, &prepare, &error), "page 0 of the host has the offset");
  page.buffer = VK_NULL_HANDLE;
  REFUSED(sinew_skinner_prepare(host.skinner, &prepare, &error), "page 0 of the host has no buffer");
  uint32_t count = 77;
  OK(sinew_skinner_range_count(host.skinner, 0, &count, &error));
  MUST(count == 0);  // the group is as it was
  page = host.pages[0];
  OK(sinew_skinner_prepare(host.skinner, &prepare, &error));
  OK(sinew_skinner_range_count(host.skinner, 0, &count, &error));
  MUST(count == 1);
  sinew_skinner_destroy(host.skinner);
  destroy_buffer(device, &host.buffer);
}

int main(void) {
  Device device = make_device();
  Tube tube;
  const SinewMesh mesh = make_tube(&tube);
  compare_frames(&device, &mesh);
  check_bad_pages(&device, &mesh);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
