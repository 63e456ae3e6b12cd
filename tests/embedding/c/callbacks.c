#include "callbacks.h"

#include <stdlib.h>

static VkResult allocate(void* user_data, const VkBufferCreateInfo* info, uint32_t use, SinewAllocation* out) {
  Calls* calls = user_data;
  HostBuffer* made = malloc(sizeof *made);
  if (made == NULL) return VK_ERROR_OUT_OF_HOST_MEMORY;
  *made = make_buffer(calls->device, info->size, info->usage);
  *out =
      (SinewAllocation){made->buffer, use == SINEW_BUFFER_DEVICE ? NULL : made->mapped, made, made->memory_properties};
  ++calls->allocated;
  return VK_SUCCESS;
}

static void release(void* user_data, const SinewAllocation* allocation) {
  Calls* calls = user_data;
  destroy_buffer(calls->device, allocation->allocation);
  free(allocation->allocation);
  ++calls->freed;
}

static void* allocate_memory(void* user_data, size_t size, size_t alignment, VkSystemAllocationScope scope) {
  (void)scope;
  ++((Calls*)user_data)->memory;
  const size_t unit = alignment < sizeof(void*) ? sizeof(void*) : alignment;
  return aligned_alloc(unit, (size + unit - 1) / unit * unit);
}

static void* reallocate_memory(void* user_data, void* old, size_t size, size_t alignment,
                               VkSystemAllocationScope scope) {
  if (old == NULL) return allocate_memory(user_data, size, alignment, scope);
  if (size > 0) return realloc(old, size);
  free(old);
  return NULL;
}

static void free_memory(void* user_data, void* memory) {
  (void)user_data;
  free(memory);
}

static void run(void* user_data, uint32_t count, SinewTask task, void* task_data) {
  for (uint32_t i = count; i-- > 0;) {  // any order will do
    task(task_data, i);
    ++((Calls*)user_data)->tasks;
  }
}

void set_callbacks(Calls* calls, const Device* device, SinewSkinnerInfo* info) {
  *calls = (Calls){.device = device, .parallel_for = {calls, run}};
  calls->memory_callbacks = (VkAllocationCallbacks){.pUserData = calls,
                                                    .pfnAllocation = allocate_memory,
                                                    .pfnReallocation = reallocate_memory,
                                                    .pfnFree = free_memory};
  info->allocation_callbacks = &calls->memory_callbacks;
  info->allocation_user_data = calls;
  info->allocate = allocate, info->free = release;
  info->get_device_proc_addr = vkGetDeviceProcAddr;
}
