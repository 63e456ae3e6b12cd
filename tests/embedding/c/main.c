// A host in C11: it skins a mesh of its own, reads the vertices back, and compares them with the CPU skinner.
#include <math.h>
#include <stdio.h>

#include "callbacks.h"
#include "device.h"
#include "ok.h"
#include "sinew/c/sinew.h"
#include "tube.h"

enum { kInstances = 5, kFrames = 4, kSlots = 2, kVertexBytes = 16 };

static float angle_of(uint32_t frame, uint32_t instance) { return 0.07f * (float)((frame * 3 + instance) % 10); }

/// The vertices of one range, on their way to the host.
typedef struct Output {
  SinewRange range;
  HostBuffer read;
} Output;

/// With `calls` the skinner uses the host's allocators.
static SinewSkinner* make_skinner(const Device* device, Calls* calls) {
  SinewSkinnerInfo info = SINEW_INIT(SinewSkinnerInfo);
  info.instance = device->instance;
  info.physical_device = device->physical_device;
  info.device = device->device;
  info.get_instance_proc_addr = vkGetInstanceProcAddr;
  info.frames_in_flight = kSlots;
  info.consumer_stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
  info.consumer_accesses = VK_ACCESS_TRANSFER_READ_BIT;
  if (calls != NULL) set_callbacks(calls, device, &info);
  SinewSkinner* skinner = NULL;
  ok(sinew_skinner_create(&info, &skinner, &error));
  return skinner;
}

static Output skin(const Device* device, SinewSkinner* skinner, uint32_t mesh, uint32_t number,
                   const SinewParallelFor* parallel_for) {
  SinewSkinnerFrame frame = SINEW_INIT(SinewSkinnerFrame);
  frame.number = number;
  ok(sinew_skinner_begin_frame(skinner, &frame, &error));
  const SinewSkinnerBatch batch = {.mesh = mesh, .instance_count = kInstances};
  SinewPrepareInfo prepare = SINEW_INIT(SinewPrepareInfo);
  prepare.batches = &batch, prepare.batch_count = 1;
  prepare.parallel_for = parallel_for;
  ok(sinew_skinner_prepare(skinner, &prepare, &error));

  Output output = {.range = SINEW_INIT(SinewRange)};  // a few tubes fit in one
  ok(sinew_skinner_range(skinner, 0, 0, &output.range, &error));
  for (uint32_t i = 0; i < kInstances; ++i)
    bend_tube(angle_of(number, i), output.range.palettes + i * output.range.palette_stride);
  const VkDeviceSize size = (VkDeviceSize)kInstances * kVertices * kVertexBytes;
  output.read = make_buffer(device, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer cmd = begin_commands(device);
  ok(sinew_skinner_record(skinner, cmd, NULL, &error));
  copy_to_host(cmd, output.range.vertices, output.range.vertices_offset, &output.read, size);
  submit_and_wait(device, cmd);
  return output;
}

/// The largest distance of a skinned position from the CPU skinner's, divided by the diagonal of the mesh.
static float largest_error(const SinewMesh* mesh, uint32_t frame, const void* skinned) {
  const float diagonal = sqrtf(4 * 4 + 2 * 0.8f * 0.8f);
  float largest = 0;
  for (uint32_t i = 0; i < kInstances; ++i) {
    SinewMatrix3x4 palette[kJoints];
    float expected[kVertices][3];
    bend_tube(angle_of(frame, i), palette);
    ok(sinew_skin_on_cpu(mesh, palette, kJoints, NULL, expected[0], NULL, &error));
    for (uint32_t v = 0; v < kVertices; ++v) {
      const float* p = (const float*)((const char*)skinned + (i * kVertices + v) * kVertexBytes);
      const float* q = expected[v];
      const float distance =
          sqrtf((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
      if (!(distance <= largest)) largest = distance;  // NaN too
    }
  }
  return largest / diagonal;
}

/// Skins a few frames. Returns an exit code.
static int compare_frames(const Device* device, const SinewMesh* mesh, Calls* calls) {
  SinewSkinner* skinner = make_skinner(device, calls);
  SinewAddMesh add = SINEW_INIT(SinewAddMesh);
  add.mesh = mesh, add.palette_size = kJoints, add.name = "tube";
  uint32_t id = 0;
  ok(sinew_skinner_add_mesh(skinner, &add, &id, &error));
  int code = 0;
  for (uint32_t frame = 1; frame <= kFrames && code == 0; ++frame) {
    Output output = skin(device, skinner, id, frame, calls != NULL ? &calls->parallel_for : NULL);
    const float largest = largest_error(mesh, frame, output.read.mapped);
    printf("frame %u: largest error %.2g of the diagonal\n", (unsigned)frame, (double)largest);
    if (!(largest <= 1e-5f)) code = 1;
    destroy_buffer(device, &output.read);
  }
  sinew_skinner_destroy(skinner);
  return code;
}

int main(void) {
  ok(sinew_check_version(SINEW_C_VERSION, &error));
  Device device = make_device();
  Tube tube;
  const SinewMesh mesh = make_tube(&tube);
  Calls calls;
  int code = compare_frames(&device, &mesh, NULL);
  if (code == 0) code = compare_frames(&device, &mesh, &calls);
  destroy_device(&device);
  if (code != 0) return code;
  printf("callbacks: %u buffers, %u freed, %u of host memory, %u tasks\n", (unsigned)calls.allocated,
         (unsigned)calls.freed, (unsigned)calls.memory, (unsigned)calls.tasks);
  const int all_called = calls.allocated > 0 && calls.memory > 0 && calls.tasks > 0;
  return all_called && calls.allocated == calls.freed ? 0 : 1;
}
