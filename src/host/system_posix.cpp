#include <cstdlib>

#include "host/system.h"

namespace host {

void set_environment(const char* name, const char* value) { setenv(name, value, 0); }

#ifdef __APPLE__  // written by the documentation, never compiled there
const char* const kLoaderAdvice = "(libvulkan.dylib): install the Vulkan SDK, or vulkan-loader and molten-vk";
const char* const kLayersPackage = "the Vulkan SDK";
const VkTimeDomainEXT kCpuTimeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT;
#else
const char* const kLoaderAdvice = "(libvulkan.so.1): install libvulkan1 and a driver";
const char* const kLayersPackage = "vulkan-validationlayers";
const VkTimeDomainEXT kCpuTimeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
#endif

double ms_of_cpu_time(uint64_t time) { return double(time) / 1e6; }

}  // namespace host
