#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

#include <cstdlib>

#include "host/system.h"

namespace host {

void set_environment(const char* name, const char* value) {
  if (std::getenv(name) == nullptr) _putenv_s(name, value);
}

const char* const kLoaderAdvice = "(vulkan-1.dll): install the driver of the GPU's maker";
const char* const kLayersPackage = "the Vulkan SDK";

const VkTimeDomainEXT kCpuTimeDomain = VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_EXT;

double ms_of_cpu_time(uint64_t time) {
  LARGE_INTEGER per_second{};
  QueryPerformanceFrequency(&per_second);
  return double(time) * 1e3 / double(per_second.QuadPart);
}

}  // namespace host
