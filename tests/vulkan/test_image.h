// An image to draw into, with its own memory and a view.
#pragma once

#include "vulkan/test_device.h"

namespace sinew::test {

struct TestImage {
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

/// `usage` decides whether the view is of depth or of color. The test frees the image with free_image().
TestImage make_image(const TestDevice& device, VkFormat format, VkExtent2D size, VkImageUsageFlags usage);
void free_image(const TestDevice& device, const TestImage& image);

}  // namespace sinew::test
