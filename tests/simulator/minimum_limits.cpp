#include <algorithm>

#include "profile.h"

namespace sinew::simulator {
namespace {

template <class Value>
void at_most(Value& limit, std::type_identity_t<Value> minimum) {
  limit = std::min(limit, minimum);
}

void lower_images(VkPhysicalDeviceLimits& limits) {
  at_most(limits.maxImageDimension1D, 4096);
  at_most(limits.maxImageDimension2D, 4096);
  at_most(limits.maxImageDimension3D, 256);
  at_most(limits.maxImageDimensionCube, 4096);
  at_most(limits.maxImageArrayLayers, 256);
  at_most(limits.maxSamplerLodBias, 2);
  at_most(limits.maxSamplerAnisotropy, 1);
  at_most(limits.maxFramebufferWidth, 4096);
  at_most(limits.maxFramebufferHeight, 4096);
  at_most(limits.maxFramebufferLayers, 256);
  at_most(limits.maxColorAttachments, 4);
  at_most(limits.maxViewports, 1);
  std::fill(std::begin(limits.maxViewportDimensions), std::end(limits.maxViewportDimensions), 4096u);
  limits.viewportBoundsRange[0] = -8192;
  limits.viewportBoundsRange[1] = 8191;
}

void lower_buffers(VkPhysicalDeviceLimits& limits) {
  at_most(limits.maxTexelBufferElements, 65536);
  at_most(limits.maxUniformBufferRange, 16384);
  at_most(limits.maxStorageBufferRange, 1u << 27);
  at_most(limits.maxPushConstantsSize, 128);
  at_most(limits.maxMemoryAllocationCount, 4096);
  at_most(limits.maxSamplerAllocationCount, 4000);
  limits.bufferImageGranularity = 131072;
  limits.minMemoryMapAlignment = 64;
  limits.minTexelBufferOffsetAlignment = 256;
  limits.minUniformBufferOffsetAlignment = 256;
  limits.minStorageBufferOffsetAlignment = 256;
  limits.nonCoherentAtomSize = 256;
  at_most(limits.maxVertexInputAttributes, 16);
  at_most(limits.maxVertexInputBindings, 16);
  at_most(limits.maxVertexInputAttributeOffset, 2047);
  at_most(limits.maxVertexInputBindingStride, 2048);
}

void lower_descriptors(VkPhysicalDeviceLimits& limits) {
  at_most(limits.maxBoundDescriptorSets, 4);
  at_most(limits.maxPerStageDescriptorSamplers, 16);
  at_most(limits.maxPerStageDescriptorUniformBuffers, 12);
  at_most(limits.maxPerStageDescriptorStorageBuffers, 4);
  at_most(limits.maxPerStageDescriptorSampledImages, 16);
  at_most(limits.maxPerStageDescriptorStorageImages, 4);
  at_most(limits.maxPerStageDescriptorInputAttachments, 4);
  at_most(limits.maxPerStageResources, 128);
  at_most(limits.maxDescriptorSetSamplers, 96);
  at_most(limits.maxDescriptorSetUniformBuffers, 72);
  at_most(limits.maxDescriptorSetUniformBuffersDynamic, 8);
  at_most(limits.maxDescriptorSetStorageBuffers, 24);
  at_most(limits.maxDescriptorSetStorageBuffersDynamic, 4);
  at_most(limits.maxDescriptorSetSampledImages, 96);
  at_most(limits.maxDescriptorSetStorageImages, 24);
  at_most(limits.maxDescriptorSetInputAttachments, 4);
}

void lower_shaders(VkPhysicalDeviceLimits& limits) {
  at_most(limits.maxVertexOutputComponents, 64);
  at_most(limits.maxFragmentInputComponents, 64);
  at_most(limits.maxFragmentOutputAttachments, 4);
  at_most(limits.maxFragmentCombinedOutputResources, 4);
  at_most(limits.maxComputeSharedMemorySize, 16384);
  at_most(limits.maxComputeWorkGroupInvocations, 128);
  constexpr uint32_t kSizes[] = {128, 128, 64};
  for (uint32_t i = 0; i < 3; ++i) {
    at_most(limits.maxComputeWorkGroupCount[i], 65535);
    at_most(limits.maxComputeWorkGroupSize[i], kSizes[i]);
  }
}

}  // namespace

void lower_to_minimum(VkPhysicalDeviceLimits& limits) {
  lower_images(limits);
  lower_buffers(limits);
  lower_descriptors(limits);
  lower_shaders(limits);
}

}  // namespace sinew::simulator
