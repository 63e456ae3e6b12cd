// What the host asks of the operating system: system_posix.cpp or system_windows.cpp answers.
#pragma once

#include <volk.h>

#include <cstdint>

namespace host {

/// Sets a variable of the environment, unless it is set.
void set_environment(const char* name, const char* value);

/// The name of the Vulkan loader, and what to install where it is missing.
extern const char* const kLoaderAdvice;

/// What has the validation layers.
extern const char* const kLayersPackage;

/// The clock of now_ms(), as Vulkan names it. Where a device lacks it, its times cannot be aligned with the CPU's.
extern const VkTimeDomainEXT kCpuTimeDomain;

/// A time of that clock, as vkGetCalibratedTimestampsEXT() gives it, by now_ms().
double ms_of_cpu_time(uint64_t time);

}  // namespace host
