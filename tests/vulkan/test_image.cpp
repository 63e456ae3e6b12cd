#include "vulkan/test_image.h"

#include <bit>

namespace sinew::test {

TestImage make_image(const TestDevice& device, VkFormat format, VkExtent2D size, VkImageUsageFlags usage) {
  const Functions& vk = device.vk;
  TestImage image;
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = format,
                                  .extent = {size.width, size.height, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = usage};
  vk.CreateImage(device.device, &info, nullptr, &image.handle);
  VkMemoryRequirements requirements;
  vk.GetImageMemoryRequirements(device.device, image.handle, &requirements);
  const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = requirements.size,
                                         .memoryTypeIndex = uint32_t(std::countr_zero(requirements.memoryTypeBits))};
  vk.AllocateMemory(device.device, &allocate, nullptr, &image.memory);
  vk.BindImageMemory(device.device, image.handle, image.memory, 0);
  const bool is_depth = (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) != 0;
  const VkImageAspectFlags aspect = is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = image.handle,
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = format,
                                      .subresourceRange = {aspect, 0, 1, 0, 1}};
  vk.CreateImageView(device.device, &view, nullptr, &image.view);
  return image;
}

void free_image(const TestDevice& device, const TestImage& image) {
  device.vk.DestroyImageView(device.device, image.view, nullptr);
  device.vk.DestroyImage(device.device, image.handle, nullptr);
  device.vk.FreeMemory(device.device, image.memory, nullptr);
}

}  // namespace sinew::test
