// Pipelines that the driver has compiled, as bytes that a later run may give back to it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "host/device.h"

namespace host {

/// What the bytes belong to: the device, its driver and the version of that. Equal only where the driver takes them.
std::string pipeline_cache_owner(const DeviceInfo& info);

/// Whether bytes begin as the driver of this device says that its own do. Drivers check no more than that, if at all.
bool is_pipeline_cache(const DeviceInfo& info, std::span<const std::byte> bytes);

/// Gives the device a cache for the pipelines that are created from now on. With `bytes` of pipeline_cache_bytes(), if
/// they are of this device; else it is empty. Where it cannot be made, pipelines are created without one. Bytes that
/// were damaged behind their head can crash a driver: the caller has checked them.
void open_pipeline_cache(Device& device, std::span<const std::byte> bytes);

/// What the cache holds now. Empty: nothing that is worth keeping.
std::vector<std::byte> pipeline_cache_bytes(const Device& device);

}  // namespace host
