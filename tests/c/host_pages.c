// A host of the skinner alone through the C interface, on a device. In pages of the host, vertices lie where it wants
// them, equal to the bit to those in pages of the library and close to the CPU skinner's, and nothing beside them is
// written. In those of the library they stay so while meshes come and go, frames are discarded and batches grow.
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "tube.h"

enum { kGroups = 2, kSlots = 2, kFrames = 5, kVertexBytes = 24, kInstanceBytes = kVertices * kVertexBytes };
enum { kUntouched = 0x5a, kRemoveFrame = 3 };

/// A skinner, and pages of the host for each of its update groups: one buffer, with room around each page.
typedef struct Host {
  const Device* device;
  SinewSkinner* skinner;
  uint32_t mesh, spare;  // no frame skins `spare`
  uint32_t frame, instances[kGroups];
  SinewPageRequirements needs[kGroups];
  SinewPage pages[kGroups];
  HostBuffer buffer;
  VkDeviceSize buffer_bytes;
} Host;

static SinewSkinnerBatch batch_of(const Host* host, uint32_t group) {
  return (SinewSkinnerBatch){.mesh = host->mesh, .instance_count = host->instances[group]};
}

static Host make_host(const Device* device, const SinewMesh* mesh) {
  Host host = {.device = device, .instances = {3, 7}};
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  info.instance = device->instance, info.physical_device = device->physical_device, info.device = device->device;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.format = SINEW_FORMAT_FLOAT, info.frames_in_flight = kSlots, info.update_groups = kGroups;
  info.consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT, info.consumer_accesses = VK_ACCESS_TRANSFER_READ_BIT;
  info.debug_checks = SINEW_CHECKS_ON;
  OK(sinew_skinner_create(&info, &host.skinner, &error));
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  add.mesh = mesh, add.palette_size = kJoints, add.name = "tube";
  OK(sinew_skinner_add_mesh(host.skinner, &add, &host.mesh, &error));
  SinewPreparedMesh* prepared = NULL;
  OK(sinew_skinner_prepare_mesh(host.skinner, &add, &prepared, &error));
  OK(sinew_skinner_add_prepared_mesh(host.skinner, prepared, &host.spare, &error));
  sinew_prepared_mesh_destroy(prepared);
  return host;
}

static void make_pages(Host* host) {
  VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  for (uint32_t g = 0; g < kGroups; ++g) {
    const SinewSkinnerBatch batch = batch_of(host, g);
    uint32_t count = 1;
    OK(sinew_skinner_page_requirements(host->skinner, &batch, 1, &host->needs[g], &count, &error));
    MUST(count == 1 && host->needs[g].size_bytes >= (VkDeviceSize)host->instances[g] * kInstanceBytes);
    usage |= host->needs[g].usage;
    const VkDeviceSize unit = host->needs[g].alignment;
    host->pages[g].offset = (host->buffer_bytes / unit + 1) * unit;
    host->buffer_bytes = host->pages[g].offset + host->needs[g].size_bytes + 1024;
  }
  host->buffer = make_buffer(host->device, host->buffer_bytes, usage);
  for (uint32_t g = 0; g < kGroups; ++g) host->pages[g].buffer = host->buffer.buffer;
}

static float angle_of(uint32_t pose, uint32_t group, uint32_t instance) {
  return 0.05f * (float)((pose * 5 + group * 3 + instance) % 11);
}

/// Begins a frame, and prepares the groups that `groups` has a bit for.
static void prepare(Host* host, uint32_t pose, uint32_t groups, const SinewPage* pages, SinewRange* ranges) {
  SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);
  frame.number = ++host->frame;
  if (pages != NULL) frame.explicit_slot = 1, frame.slot = host->frame % kSlots, frame.last_completed = host->frame - 1;
  OK(sinew_skinner_begin_frame(host->skinner, &frame, &error));
  for (uint32_t g = 0; g < kGroups; ++g) {
    if ((groups >> g & 1) == 0) continue;
    const SinewSkinnerBatch batch = batch_of(host, g);
    SinewPrepareInfo info = SINEW_INIT(SinewPrepareInfo);
    info.group = g, info.batches = &batch, info.batch_count = 1;
    if (pages != NULL) info.pages = &pages[g], info.page_count = 1;
    OK(sinew_skinner_prepare(host->skinner, &info, &error));
    ranges[g].size = sizeof *ranges;
    OK(sinew_skinner_range(host->skinner, g, 0, &ranges[g], &error));
    REFUSED(sinew_skinner_check_palettes(host->skinner, &error), "palettes are not written");
    for (uint32_t i = 0; i < batch.instance_count; ++i)
      bend_tube(angle_of(pose, g, i), ranges[g].palettes + i * ranges[g].palette_stride);
    OK(sinew_skinner_check_palettes(host->skinner, &error));
  }
}

/// Skins these groups, and copies the vertices of all to `skinned`, one group after the other.
static void skin(Host* host, uint32_t pose, uint32_t groups, const SinewPage* pages, HostBuffer* skinned,
                 SinewRange* ranges) {
  prepare(host, pose, groups, pages, ranges);
  const VkCommandBuffer cmd = begin_commands(host->device);
  OK(sinew_skinner_record(host->skinner, cmd, NULL, &error));
  for (uint32_t g = 0; g < kGroups; ++g) {
    const VkDeviceSize bytes = (VkDeviceSize)host->instances[g] * kInstanceBytes;
    skinned[g] = make_buffer(host->device, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    copy_to_host(cmd, ranges[g].vertices, ranges[g].vertices_offset, &skinned[g], bytes);
  }
  submit_and_wait(host->device, cmd);
}

/// A frame that is not submitted: its uploads, and the groups that it skins, are due in the next one.
static void discard(Host* host, uint32_t pose, uint32_t groups) {
  SinewRange ranges[kGroups];
  prepare(host, pose, groups, NULL, ranges);
  const VkCommandBuffer cmd = begin_commands(host->device);
  OK(sinew_skinner_record(host->skinner, cmd, NULL, &error));
  OK(sinew_skinner_discard_frame(host->skinner, &error));
  discard_commands(host->device, cmd);
}

/// The largest distance of a skinned position of a group from the CPU skinner's.
static float largest_error(const Host* host, const SinewMesh* mesh, uint32_t pose, uint32_t group,
                           const void* skinned) {
  float largest = 0;
  for (uint32_t i = 0; i < host->instances[group]; ++i) {
    SinewMatrix3x4 palette[kJoints];
    float expected[kVertices][3];
    bend_tube(angle_of(pose, group, i), palette);
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

/// The static data of a mesh on the device begins with a position and a normal in 16 bytes for each vertex.
static void check_mesh_buffer(const Host* host, const SinewMesh* mesh, uint32_t number) {
  SinewMeshBuffer at = SINEW_INIT(SinewMeshBuffer);
  OK(sinew_skinner_mesh_buffer(host->skinner, number, &at, &error));
  MUST(at.vertex_count == kVertices && at.influence_quads == 1 && at.morph_blocks == 0 && at.weights_row == 0);
  HostBuffer read = make_buffer(host->device, at.size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer cmd = begin_commands(host->device);
  copy_to_host(cmd, at.buffer, at.offset, &read, at.size_bytes);
  submit_and_wait(host->device, cmd);
  for (int v = 0; v < kVertices; ++v) MUST(memcmp((const char*)read.mapped + 16 * v, mesh->positions + 3 * v, 12) == 0);
  destroy_buffer(host->device, &read);
}

static VkDeviceSize mesh_bytes_of(const SinewSkinner* skinner) {
  SinewMemoryUsage usage = SINEW_INIT(SinewMemoryUsage);
  OK(sinew_skinner_memory_usage(skinner, &usage, &error));
  return usage.mesh_bytes + usage.deferred_bytes;
}

static void remove_spare(const Host* host) {
  SinewMeshBuffer at = SINEW_INIT(SinewMeshBuffer);
  OK(sinew_skinner_remove_mesh(host->skinner, host->spare, &error));
  REFUSED(sinew_skinner_mesh_buffer(host->skinner, host->spare, &at, &error), "no mesh");
}

/// Frame by frame the same instances, in pages of the library and in the host's. In even frames only the first group is
/// updated: the vertices of the second stay. Before each frame the one with the library's pages discards another one.
static void compare_frames(const Device* device, const SinewMesh* mesh) {
  Host own = make_host(device, mesh), theirs = make_host(device, mesh);
  make_pages(&theirs);
  memset(theirs.buffer.mapped, kUntouched, theirs.buffer_bytes);
  SinewRange ranges_of_own[kGroups], ranges[kGroups];
  uint32_t skinned_in[kGroups];  // the frame
  VkDeviceSize mesh_bytes = 0;
  for (uint32_t frame = 1; frame <= kFrames; ++frame) {
    const uint32_t groups = frame % 2 == 0 ? 1 : 3;
    HostBuffer a[kGroups], b[kGroups];
    discard(&own, frame + 1, groups);
    skin(&own, frame, groups, NULL, a, ranges_of_own);
    skin(&theirs, frame, groups, theirs.pages, b, ranges);
    if (frame == 1) {
      check_mesh_buffer(&own, mesh, own.mesh), check_mesh_buffer(&own, mesh, own.spare);
      mesh_bytes = mesh_bytes_of(own.skinner);
    }
    if (frame == kRemoveFrame) remove_spare(&own);
    for (uint32_t g = 0; g < kGroups; ++g) {
      if ((groups >> g & 1) != 0) skinned_in[g] = frame;
      MUST(ranges[g].vertices == theirs.buffer.buffer && ranges[g].vertices_offset == theirs.pages[g].offset);
      MUST(ranges_of_own[g].vertices != theirs.buffer.buffer);
      MUST(memcmp(a[g].mapped, b[g].mapped, (size_t)own.instances[g] * kInstanceBytes) == 0);
      const float largest = largest_error(&own, mesh, skinned_in[g], g, b[g].mapped);
      printf("frame %u, group %u: largest error %.2g\n", (unsigned)frame, (unsigned)g, (double)largest);
      MUST(largest <= 2e-5f);
      destroy_buffer(device, &a[g]);
      destroy_buffer(device, &b[g]);
    }
    MUST(is_untouched_beside(&theirs));
  }
  MUST(mesh_bytes_of(own.skinner) == mesh_bytes / 2);
  SinewMemoryUsage usage = SINEW_INIT(SinewMemoryUsage);
  OK(sinew_skinner_memory_usage(own.skinner, &usage, &error));
  MUST(usage.skinned_bytes > 0);
  OK(sinew_skinner_memory_usage(theirs.skinner, &usage, &error));
  MUST(usage.skinned_bytes == 0);
  sinew_skinner_destroy(own.skinner);
  sinew_skinner_destroy(theirs.skinner);
  destroy_buffer(device, &theirs.buffer);
}

/// Batches that grow from frame to frame. With `reserves` the vertex buffers are made once.
static void check_growth(const Device* device, const SinewMesh* mesh, int reserves) {
  Host host = make_host(device, mesh);
  const SinewSkinnerBatch most = batch_of(&host, 1);
  for (uint32_t g = 0; g < kGroups && reserves; ++g) OK(sinew_skinner_reserve(host.skinner, g, &most, 1, &error));
  uint64_t changes = 0;
  for (uint32_t count = 1; count <= most.instance_count; count += 2) {
    host.instances[0] = host.instances[1] = count;
    HostBuffer skinned[kGroups];
    SinewRange ranges[kGroups];
    skin(&host, count, 3, NULL, skinned, ranges);
    for (uint32_t g = 0; g < kGroups; ++g) {
      MUST(largest_error(&host, mesh, count, g, skinned[g].mapped) <= 2e-5f);
      destroy_buffer(device, &skinned[g]);
    }
    OK(sinew_skinner_buffer_changes(host.skinner, &changes, &error));
    MUST(reserves ? changes == kGroups : changes >= kGroups);
  }
  MUST((changes == kGroups) == reserves);
  sinew_skinner_destroy(host.skinner);
}

static void check_bad_pages(const Device* device, const SinewMesh* mesh) {
  Host host = make_host(device, mesh);
  make_pages(&host);
  SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);
  frame.number = 1, frame.slot = 1;
  OK(sinew_skinner_begin_frame(host.skinner, &frame, &error));
  const SinewSkinnerBatch batch = batch_of(&host, 0);
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
  check_growth(&device, &mesh, 0), check_growth(&device, &mesh, 1);
  check_bad_pages(&device, &mesh);
  destroy_device(&device);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
