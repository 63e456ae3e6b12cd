// A headless Vulkan device with one queue, in C.
#ifndef DEVICE_H
#define DEVICE_H

#include <vulkan/vulkan.h>

enum { kSkipped = 77 };  // exit code

typedef struct Device {
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
} Device;

typedef struct HostBuffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  VkMemoryPropertyFlags memory_properties;
  void* mapped;
} HostBuffer;

/// Ends the program if `result` is an error.
void must(VkResult result, const char* call);

/// Ends the program with kSkipped if there is no device.
Device make_device(void);
void destroy_device(Device* device);

/// The first type with the wanted properties; `*properties` are all that it has.
uint32_t memory_type(const Device* device, uint32_t types, VkMemoryPropertyFlags wanted,
                     VkMemoryPropertyFlags* properties);

/// A buffer in mapped memory.
HostBuffer make_buffer(const Device* device, VkDeviceSize size_bytes, VkBufferUsageFlags usage);
void destroy_buffer(const Device* device, HostBuffer* buffer);

VkCommandBuffer begin_commands(const Device* device);
/// Copies into a buffer that is a destination of copies; it can be read after submit_and_wait().
void copy_to_host(VkCommandBuffer cmd, VkBuffer from, VkDeviceSize offset, const HostBuffer* to, VkDeviceSize size);
/// What was copied can be read after submit_and_wait().
void make_visible_to_host(VkCommandBuffer cmd);
void submit_and_wait(const Device* device, VkCommandBuffer cmd);
/// Ends commands that are not submitted.
void discard_commands(const Device* device, VkCommandBuffer cmd);

#endif
