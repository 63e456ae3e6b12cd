// What the device can copy: the yardstick of everything that is bound by bytes.
#pragma once

#include <optional>

#include "gpu/device.h"

namespace sinew::app {

/// Bytes read plus bytes written by vkCmdCopyBuffer, in 1e9 a second: the median of several copies of 1 GiB, 256 MiB on
/// a device that is a CPU. Nothing where the device has no timestamps or not the memory, or where its timestamps cannot
/// be true. Waits for the device.
std::optional<double> measure_copy_gb_per_second(const Device& device);

}  // namespace sinew::app
