// The host's callbacks: an allocator of buffers, an allocator of host memory, a loop.
#ifndef CALLBACKS_H
#define CALLBACKS_H

#include "device.h"
#include "sinew/c/vulkan.h"

/// How often each was called. `memory` counts what the driver and the library allocate for Vulkan's objects.
typedef struct Calls {
  const Device* device;
  uint32_t allocated, freed, memory, tasks;
  VkAllocationCallbacks memory_callbacks;
  SinewParallelFor parallel_for;
} Calls;

/// Sets all of them in `info`. `calls` must outlive the skinner.
void set_callbacks(Calls* calls, const Device* device, SinewSkinnerInfo* info);

#endif
