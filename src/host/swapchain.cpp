#include "host/swapchain.h"

#include <algorithm>

namespace host {
namespace {

/// The picture's bytes are sRGB already: a format that converts would encode them twice.
Result<VkSurfaceFormatKHR> choose_format(VkPhysicalDevice physical, VkSurfaceKHR surface) {
  for (const VkSurfaceFormatKHR& format :
       list_of<VkSurfaceFormatKHR>(vkGetPhysicalDeviceSurfaceFormatsKHR, physical, surface)) {
    const bool plain = format.format == VK_FORMAT_B8G8R8A8_UNORM || format.format == VK_FORMAT_R8G8B8A8_UNORM;
    if (plain && format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) return format;
  }
  return Error{ErrorCode::kUnsupported, "the window offers no plain 8-bit images"};
}

VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported) {
  if (supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) return VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
  return VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
}

VkExtent2D choose_extent(const VkSurfaceCapabilitiesKHR& capabilities, uint32_t width, uint32_t height) {
  if (capabilities.currentExtent.width != UINT32_MAX) return capabilities.currentExtent;
  return {std::clamp(width, capabilities.minImageExtent.width, capabilities.maxImageExtent.width),
          std::clamp(height, capabilities.minImageExtent.height, capabilities.maxImageExtent.height)};
}

void window_barrier(VkCommandBuffer cmd, VkPipelineStageFlags to_stage, VkImageMemoryBarrier barrier) {
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, to_stage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
}

}  // namespace

void record_presentation(VkCommandBuffer cmd, VkImage picture, VkExtent2D size, const Presentation& presentation) {
  VkImageMemoryBarrier barrier{};
  barrier.image = presentation.image;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  window_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, barrier);
  VkImageBlit blit{};
  blit.srcSubresource = blit.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  blit.srcOffsets[1] = {int32_t(size.width), int32_t(size.height), 1};
  blit.dstOffsets[1] = {int32_t(presentation.width), int32_t(presentation.height), 1};
  vkCmdBlitImage(cmd, picture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, presentation.image,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_NEAREST);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = 0;
  barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
  window_barrier(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, barrier);
}

Result<bool> Swapchain::fit(uint32_t width, uint32_t height) {
  if (width == 0 || height == 0) return false;
  if (!outdated_ && width == extent_.width && height == extent_.height) return true;
  vkDeviceWaitIdle(device_.handle);
  if (Status created = create(width, height); !created) return created.error();
  return !outdated_;
}

Status Swapchain::create(uint32_t width, uint32_t height) {
  VkSurfaceCapabilitiesKHR capabilities;
  VkResult result = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(device_.info.physical, surface_, &capabilities);
  if (result != VK_SUCCESS) return vulkan_error("the window", result);
  extent_ = choose_extent(capabilities, width, height);
  outdated_ = true;
  if (extent_.width == 0 || extent_.height == 0) return {};  // minimized since the size was read
  const auto format = choose_format(device_.info.physical, surface_);
  if (!format) return format.error();
  if (!(capabilities.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT))
    return Error{ErrorCode::kUnsupported, "the window's images cannot be copied to"};

  VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = surface_;
  info.minImageCount = capabilities.minImageCount + 1;
  if (capabilities.maxImageCount > 0) info.minImageCount = std::min(info.minImageCount, capabilities.maxImageCount);
  info.imageFormat = format->format;
  info.imageColorSpace = format->colorSpace;
  info.imageExtent = extent_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = capabilities.currentTransform;
  info.compositeAlpha = choose_alpha(capabilities.supportedCompositeAlpha);
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_TRUE;
  info.oldSwapchain = swapchain_.get();
  Status made =
      put(create_object<SwapchainHandle>(device_, vkCreateSwapchainKHR, info, "the window's images", "sinew.swapchain"),
          swapchain_);
  if (!made) return made;
  images_ = list_of<VkImage>(vkGetSwapchainImagesKHR, device_.handle, swapchain_.get());
  outdated_ = false;
  return create_semaphores();
}

Status Swapchain::create_semaphores() {
  rendered_.clear();
  for (size_t i = 0; i < images_.size(); ++i) {
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    const std::string index = "[" + std::to_string(i) + "]";
    Status made =
        put(create_object<SemaphoreHandle>(device_, vkCreateSemaphore, info, "semaphore", "sinew.rendered" + index),
            rendered_.emplace_back());
    if (!made) return made;
    set_name(device_, VK_OBJECT_TYPE_IMAGE, images_[i], "sinew.window_image" + index);
  }
  return {};
}

Result<std::optional<Presentation>> Swapchain::acquire(VkSemaphore acquired) {
  const VkResult result =
      vkAcquireNextImageKHR(device_.handle, swapchain_.get(), UINT64_MAX, acquired, VK_NULL_HANDLE, &current_);
  if (result == VK_ERROR_OUT_OF_DATE_KHR) {
    outdated_ = true;
    return std::optional<Presentation>();
  }
  if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) return vulkan_error("the window's next image", result);
  outdated_ = result == VK_SUBOPTIMAL_KHR;
  return std::optional(Presentation{images_[current_], extent_.width, extent_.height, rendered_[current_].get()});
}

Status Swapchain::present() {
  const VkSwapchainKHR swapchain = swapchain_.get();
  const VkSemaphore rendered = rendered_[current_].get();
  VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &rendered;
  info.swapchainCount = 1;
  info.pSwapchains = &swapchain;
  info.pImageIndices = &current_;
  const VkResult result = vkQueuePresentKHR(device_.queue, &info);
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) {
    outdated_ = true;
  } else if (result != VK_SUCCESS) {
    return vulkan_error("presentation in the window", result);
  }
  return {};
}

}  // namespace host
