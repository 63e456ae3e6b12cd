// Vulkan objects that are destroyed automatically, so that no early return leaks one.
#pragma once

#include <volk.h>

#include <string>
#include <utility>

#include "host/device.h"

namespace host {

/// Owns an object of a device; move-only. `destroy` is the address of volk's function pointer, `type` what debuggers
/// call the object. The device must outlive the handle.
template <class Object, auto* destroy, VkObjectType type = VK_OBJECT_TYPE_UNKNOWN>
class Handle {
 public:
  using Raw = Object;
  static constexpr VkObjectType kType = type;

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

using BufferHandle = Handle<VkBuffer, &vkDestroyBuffer, VK_OBJECT_TYPE_BUFFER>;
using BufferViewHandle = Handle<VkBufferView, &vkDestroyBufferView, VK_OBJECT_TYPE_BUFFER_VIEW>;
using CommandPoolHandle = Handle<VkCommandPool, &vkDestroyCommandPool, VK_OBJECT_TYPE_COMMAND_POOL>;
using DescriptorPoolHandle = Handle<VkDescriptorPool, &vkDestroyDescriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL>;
using DescriptorSetLayoutHandle =
    Handle<VkDescriptorSetLayout, &vkDestroyDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT>;
using FenceHandle = Handle<VkFence, &vkDestroyFence, VK_OBJECT_TYPE_FENCE>;
using FramebufferHandle = Handle<VkFramebuffer, &vkDestroyFramebuffer, VK_OBJECT_TYPE_FRAMEBUFFER>;
using ImageHandle = Handle<VkImage, &vkDestroyImage, VK_OBJECT_TYPE_IMAGE>;
using ImageViewHandle = Handle<VkImageView, &vkDestroyImageView, VK_OBJECT_TYPE_IMAGE_VIEW>;
using MemoryHandle = Handle<VkDeviceMemory, &vkFreeMemory, VK_OBJECT_TYPE_DEVICE_MEMORY>;
using PipelineHandle = Handle<VkPipeline, &vkDestroyPipeline, VK_OBJECT_TYPE_PIPELINE>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, &vkDestroyPipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT>;
using QueryPoolHandle = Handle<VkQueryPool, &vkDestroyQueryPool, VK_OBJECT_TYPE_QUERY_POOL>;
using RenderPassHandle = Handle<VkRenderPass, &vkDestroyRenderPass, VK_OBJECT_TYPE_RENDER_PASS>;
using SamplerHandle = Handle<VkSampler, &vkDestroySampler, VK_OBJECT_TYPE_SAMPLER>;
using SemaphoreHandle = Handle<VkSemaphore, &vkDestroySemaphore, VK_OBJECT_TYPE_SEMAPHORE>;
using ShaderModuleHandle = Handle<VkShaderModule, &vkDestroyShaderModule, VK_OBJECT_TYPE_SHADER_MODULE>;
using SwapchainHandle = Handle<VkSwapchainKHR, &vkDestroySwapchainKHR, VK_OBJECT_TYPE_SWAPCHAIN_KHR>;

/// Creates an object by one of volk's functions, and names it. `what` it is begins the error.
template <class Made, class Create, class Info>
Result<Made> create_object(const Device& device, Create* create, const Info& info, const char* what,
                           const std::string& name) {
  typename Made::Raw object = VK_NULL_HANDLE;
  if (VkResult result = create(device.handle, &info, nullptr, &object); result != VK_SUCCESS)
    return vulkan_error(std::string(what) + " " + name, result);
  set_name(device, Made::kType, object, name);
  return Made(device.handle, object);
}

}  // namespace host
