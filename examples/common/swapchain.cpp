#include "common/swapchain.h"

#include <algorithm>

#include "common/check.h"

namespace host {
namespace {

/// The picture is copied byte by byte: both kinds of format do.
bool is_usable(const VkSurfaceFormatKHR& format) {
  switch (format.format) {
    case VK_FORMAT_B8G8R8A8_SRGB:
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_R8G8B8A8_SRGB:
    case VK_FORMAT_R8G8B8A8_UNORM:
      return format.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    default:
      return false;
  }
}

}  // namespace

VkSemaphore make_semaphore(Gpu& gpu, Owner& owner, const char* name) {
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  check(vkCreateSemaphore(gpu.device, &info, nullptr, &semaphore), "vkCreateSemaphore");
  gpu.set_name(VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
  owner.add([device = gpu.device, semaphore] { vkDestroySemaphore(device, semaphore, nullptr); });
  return semaphore;
}

Swapchain::Swapchain(Gpu& gpu) : gpu_(gpu) {
  owner_.add([this] { vkDestroySwapchainKHR(gpu_.device, handle_, nullptr); });
  uint32_t count = 0;
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical, gpu.surface, &count, nullptr);
  std::vector<VkSurfaceFormatKHR> formats(count);
  vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical, gpu.surface, &count, formats.data());
  const auto found = std::find_if(formats.begin(), formats.end(), is_usable);
  if (found == formats.end()) fail("the window has no images of 8 bits per channel");
  format_ = *found;
}

bool Swapchain::fit(VkExtent2D window_size) {
  VkSurfaceCapabilitiesKHR surface;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_.physical, gpu_.surface, &surface), "the window");
  VkExtent2D size = surface.currentExtent;
  if (size.width == UINT32_MAX) {
    size.width = std::clamp(window_size.width, surface.minImageExtent.width, surface.maxImageExtent.width);
    size.height = std::clamp(window_size.height, surface.minImageExtent.height, surface.maxImageExtent.height);
  }
  if (window_size.width == 0 || window_size.height == 0 || size.width == 0 || size.height == 0) return false;
  if (!outdated_ && size.width == size_.width && size.height == size_.height) return true;
  check(vkDeviceWaitIdle(gpu_.device), "vkDeviceWaitIdle");
  size_ = size;
  create();
  return true;
}

void Swapchain::create() {
  VkSurfaceCapabilitiesKHR surface;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu_.physical, gpu_.surface, &surface), "the window");
  VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
  info.surface = gpu_.surface;
  info.minImageCount = surface.minImageCount + 1;
  if (surface.maxImageCount > 0) info.minImageCount = std::min(info.minImageCount, surface.maxImageCount);
  info.imageFormat = format_.format;
  info.imageColorSpace = format_.colorSpace;
  info.imageExtent = size_;
  info.imageArrayLayers = 1;
  info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  info.preTransform = surface.currentTransform;
  info.compositeAlpha = surface.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                            ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                            : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
  info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
  info.clipped = VK_TRUE;
  info.oldSwapchain = handle_;
  VkSwapchainKHR made = VK_NULL_HANDLE;
  check(vkCreateSwapchainKHR(gpu_.device, &info, nullptr, &made), "vkCreateSwapchainKHR");
  vkDestroySwapchainKHR(gpu_.device, handle_, nullptr);
  handle_ = made;
  gpu_.set_name(VK_OBJECT_TYPE_SWAPCHAIN_KHR, handle_, "swapchain");
  uint32_t count = 0;
  vkGetSwapchainImagesKHR(gpu_.device, handle_, &count, nullptr);
  images_.resize(count);
  vkGetSwapchainImagesKHR(gpu_.device, handle_, &count, images_.data());
  for (VkImage image : images_) gpu_.set_name(VK_OBJECT_TYPE_IMAGE, image, "window image");
  swapchain_owner_.free_all();
  written_.clear();
  for (uint32_t i = 0; i < count; ++i) written_.push_back(make_semaphore(gpu_, swapchain_owner_, "written"));
  outdated_ = false;
}

std::optional<VkImage> Swapchain::acquire(VkSemaphore acquired) {
  const VkResult result = vkAcquireNextImageKHR(gpu_.device, handle_, UINT64_MAX, acquired, VK_NULL_HANDLE, &current_);
  outdated_ = result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR;
  if (result == VK_ERROR_OUT_OF_DATE_KHR) return {};
  check(result, "vkAcquireNextImageKHR");
  return images_[current_];
}

void Swapchain::present() {
  VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
  info.waitSemaphoreCount = 1;
  info.pWaitSemaphores = &written_[current_];
  info.swapchainCount = 1;
  info.pSwapchains = &handle_;
  info.pImageIndices = &current_;
  const VkResult result = vkQueuePresentKHR(gpu_.queue, &info);
  if (result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_SUBOPTIMAL_KHR) {
    outdated_ = true;
  } else {
    check(result, "vkQueuePresentKHR");
  }
}

}  // namespace host
