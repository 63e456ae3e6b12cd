// Vulkan objects that are destroyed automatically, so that no early return leaks one.
#pragma once

#include <volk.h>

#include <utility>

namespace host {

/// Owns an object of a device; move-only. `destroy` is the address of volk's function pointer. The device must outlive
/// the handle.
template <class Object, auto* destroy>
class Handle {
 public:
  Handle() = default;
  Handle(VkDevice device, Object object) : device_(device), object_(object) {}
  Handle(Handle&& other) noexcept : device_(other.device_), object_(std::exchange(other.object_, VK_NULL_HANDLE)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != VK_NULL_HANDLE) (*destroy)(device_, object_, nullptr);
  }

  Object get() const { return object_; }
  explicit operator bool() const { return object_ != VK_NULL_HANDLE; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  Object object_ = VK_NULL_HANDLE;
};

using BufferHandle = Handle<VkBuffer, &vkDestroyBuffer>;
using BufferViewHandle = Handle<VkBufferView, &vkDestroyBufferView>;
using CommandPoolHandle = Handle<VkCommandPool, &vkDestroyCommandPool>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, &vkDestroyDescriptorPool>;
using DescriptorSetLayoutHandle = Handle<VkDescriptorSetLayout, &vkDestroyDescriptorSetLayout>;
using FenceHandle = Handle<VkFence, &vkDestroyFence>;
using FramebufferHandle = Handle<VkFramebuffer, &vkDestroyFramebuffer>;
using ImageHandle = Handle<VkImage, &vkDestroyImage>;
using ImageViewHandle = Handle<VkImageView, &vkDestroyImageView>;
using MemoryHandle = Handle<VkDeviceMemory, &vkFreeMemory>;
using PipelineHandle = Handle<VkPipeline, &vkDestroyPipeline>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, &vkDestroyPipelineLayout>;
using QueryPoolHandle = Handle<VkQueryPool, &vkDestroyQueryPool>;
using RenderPassHandle = Handle<VkRenderPass, &vkDestroyRenderPass>;
using SamplerHandle = Handle<VkSampler, &vkDestroySampler>;
using SemaphoreHandle = Handle<VkSemaphore, &vkDestroySemaphore>;
using ShaderModuleHandle = Handle<VkShaderModule, &vkDestroyShaderModule>;
using SwapchainHandle = Handle<VkSwapchainKHR, &vkDestroySwapchainKHR>;

}  // namespace host
