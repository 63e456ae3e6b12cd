#include "device.h"

#include <stdio.h>
#include <stdlib.h>

void must(VkResult result, const char* call) {
  if (result == VK_SUCCESS) return;
  fprintf(stderr, "%s: %d\n", call, (int)result);
  exit(1);
}

Device make_device(void) {
  Device made = {0};
  const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application};
  must(vkCreateInstance(&instance, NULL, &made.instance), "vkCreateInstance");
  uint32_t count = 1;
  const VkResult found = vkEnumeratePhysicalDevices(made.instance, &count, &made.physical_device);
  if (count == 0 || (found != VK_SUCCESS && found != VK_INCOMPLETE)) {
    printf("SKIPPED: there is no Vulkan device\n");
    exit(kSkipped);
  }
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
  const VkDeviceCreateInfo device = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
  must(vkCreateDevice(made.physical_device, &device, NULL, &made.device), "vkCreateDevice");
  vkGetDeviceQueue(made.device, 0, 0, &made.queue);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  must(vkCreateCommandPool(made.device, &pool, NULL, &made.pool), "vkCreateCommandPool");
  return made;
}

void destroy_device(Device* device) {
  vkDestroyCommandPool(device->device, device->pool, NULL);
  vkDestroyDevice(device->device, NULL);
  vkDestroyInstance(device->instance, NULL);
}

uint32_t memory_type(const Device* device, uint32_t types, VkMemoryPropertyFlags wanted,
                     VkMemoryPropertyFlags* properties) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(device->physical_device, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    *properties = memory.memoryTypes[i].propertyFlags;
    if ((types >> i & 1) != 0 && (*properties & wanted) == wanted) return i;
  }
  fprintf(stderr, "no memory type\n");
  exit(1);
}

HostBuffer make_buffer(const Device* device, VkDeviceSize size_bytes, VkBufferUsageFlags usage) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
  HostBuffer made;
  must(vkCreateBuffer(device->device, &info, NULL, &made.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device->device, made.buffer, &needs);
  const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = memory_type(device, needs.memoryTypeBits,
                                     VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                     &made.memory_properties)};
  must(vkAllocateMemory(device->device, &allocate, NULL, &made.memory), "vkAllocateMemory");
  must(vkBindBufferMemory(device->device, made.buffer, made.memory, 0), "vkBindBufferMemory");
  must(vkMapMemory(device->device, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped), "vkMapMemory");
  return made;
}

void destroy_buffer(const Device* device, HostBuffer* buffer) {
  vkDestroyBuffer(device->device, buffer->buffer, NULL);
  vkFreeMemory(device->device, buffer->memory, NULL);
}

VkCommandBuffer begin_commands(const Device* device) {
  const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                .commandPool = device->pool,
                                                .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                .commandBufferCount = 1};
  VkCommandBuffer cmd = VK_NULL_HANDLE;
  must(vkAllocateCommandBuffers(device->device, &allocate, &cmd), "vkAllocateCommandBuffers");
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  must(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
  return cmd;
}

void copy_to_host(VkCommandBuffer cmd, VkBuffer from, VkDeviceSize offset, const HostBuffer* to, VkDeviceSize size) {
  const VkBufferCopy region = {offset, 0, size};
  vkCmdCopyBuffer(cmd, from, to->buffer, 1, &region);
  make_visible_to_host(cmd);
}

void make_visible_to_host(VkCommandBuffer cmd) {
  const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, NULL, 0,
                       NULL);
}

void discard_commands(const Device* device, VkCommandBuffer cmd) {
  must(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
  vkFreeCommandBuffers(device->device, device->pool, 1, &cmd);
}

void submit_and_wait(const Device* device, VkCommandBuffer cmd) {
  must(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
  const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
  must(vkQueueSubmit(device->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  must(vkQueueWaitIdle(device->queue), "vkQueueWaitIdle");
  vkFreeCommandBuffers(device->device, device->pool, 1, &cmd);
}
