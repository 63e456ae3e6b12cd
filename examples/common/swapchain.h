// The images of a window.
#pragma once

#include <volk.h>

#include <optional>
#include <vector>

#include "common/gpu.h"

namespace host {

class Swapchain {
 public:
  explicit Swapchain(Gpu& gpu);

  /// Makes the images again if the window has another size, or its images no longer fit. False while the window has
  /// no size, as when it is minimized.
  bool fit(VkExtent2D window_size);

  /// The next image; `acquired` is signaled when it may be written. Nothing if the images no longer fit.
  std::optional<VkImage> acquire(VkSemaphore acquired);
  /// Waits for it: signal it when the image has been written.
  VkSemaphore written() const { return written_[current_]; }
  void present();

  VkFormat format() const { return format_.format; }
  VkExtent2D size() const { return size_; }

 private:
  void create();

  Gpu& gpu_;
  Owner owner_, swapchain_owner_;
  VkSurfaceFormatKHR format_ = {};
  VkExtent2D size_ = {};
  VkSwapchainKHR handle_ = VK_NULL_HANDLE;
  std::vector<VkImage> images_;
  std::vector<VkSemaphore> written_;  // one per image: it is free again when the image is acquired again
  uint32_t current_ = 0;
  bool outdated_ = true;
};

VkSemaphore make_semaphore(Gpu& gpu, Owner& owner, const char* name);

}  // namespace host
