// Every Vulkan function that common/host.h calls.
#pragma once

// clang-format off
#define HOST_FUNCTIONS(X) \
  X(AllocateCommandBuffers) X(AllocateMemory) X(BeginCommandBuffer) X(BindBufferMemory) X(CmdCopyBuffer) \
  X(CmdPipelineBarrier) X(CreateBuffer) X(CreateCommandPool) X(CreateDevice) X(CreateSemaphore) X(DestroyBuffer) \
  X(DestroyCommandPool) X(DestroyDevice) X(DestroyInstance) X(DestroySemaphore) X(EndCommandBuffer) \
  X(EnumeratePhysicalDevices) X(FreeCommandBuffers) X(FreeMemory) X(GetBufferMemoryRequirements) X(GetDeviceQueue) \
  X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceQueueFamilyProperties) X(MapMemory) X(QueueSubmit) \
  X(QueueWaitIdle)
// clang-format on
