// Copy bandwidth of the device's memory: the figure that memory-bound stages are compared with.
#pragma once

#include <optional>

#include "gpu/host.h"

namespace sinew::app {

/// Bytes read plus bytes written by vkCmdCopyBuffer, in 1e9 bytes per second: the median of several copies of 1 GiB, or
/// of 256 MiB on a CPU device. None where the device has no timestamps or too little memory, or where its timestamps
/// are not credible. Allocates two buffers of that size, and waits for the device.
std::optional<double> measure_copy_gb_per_second(const Device& device);

}  // namespace sinew::app
