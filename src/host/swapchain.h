// The swapchain: the images of a window.
#pragma once

#include <optional>
#include <vector>

#include "host/handle.h"
#include "host/resources.h"

namespace host {

/// The image of a window that a frame's picture is copied to.
struct Presentation {
  VkImage image = VK_NULL_HANDLE;
  uint32_t width = 0, height = 0;
  VkSemaphore rendered = VK_NULL_HANDLE;  // signaled when the copy is done
};

/// Copies a picture of this size, in VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, to the window's image. Does not convert: the
/// bytes of both are sRGB already.
void record_presentation(VkCommandBuffer cmd, VkImage picture, VkExtent2D size, const Presentation& presentation);

class Swapchain {
 public:
  /// `device` and `surface` must outlive it.
  Swapchain(const Device& device, VkSurfaceKHR surface) : device_(device), surface_(surface) {}

  /// Makes the images as large as a window of this size in pixels; waits for the device where it must make them again.
  /// False while there is nothing to draw to, as in a minimized window.
  Result<bool> fit(uint32_t width, uint32_t height);

  /// The image to draw into next, once `acquired` is signaled. Empty where the images must be made again.
  Result<std::optional<Presentation>> acquire(VkSemaphore acquired);

  /// Shows the acquired image when its `rendered` is signaled.
  Status present();

  uint32_t width() const { return extent_.width; }
  uint32_t height() const { return extent_.height; }

 private:
  Status create(uint32_t width, uint32_t height);
  Status create_semaphores();

  const Device& device_;
  VkSurfaceKHR surface_;
  SwapchainHandle swapchain_;
  VkExtent2D extent_{};
  std::vector<VkImage> images_;
  std::vector<SemaphoreHandle> rendered_;  // of each image
  uint32_t current_ = 0;
  bool outdated_ = true;  // the window has changed so that it needs new images
};

}  // namespace host
