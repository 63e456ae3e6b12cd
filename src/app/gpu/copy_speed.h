// The device's copy speed, the measure for the skinning kernels.
#pragma once

#include "gpu/host.h"
#include "sinew/asset/result.h"

namespace sinew::app {

/// Bytes read plus bytes written, in 1e9 bytes per second, by vkCmdCopyBuffer and by a kernel that copies 16 bytes per
/// thread. Either may be the faster one: on an H100 the command reaches 850 and the kernel 3,000. Medians over copies
/// of 1 GiB, or 256 MiB if the device is a CPU.
struct CopySpeed {
  double command_gb_per_second = 0, kernel_gb_per_second = 0;

  double best() const {
    return command_gb_per_second > kernel_gb_per_second ? command_gb_per_second : kernel_gb_per_second;
  }
};

/// Allocates both buffers in device memory, and waits for the device. Without `by_kernel` that speed stays 0. Errors:
/// kUnsupported (no timestamps, or none that are credible), and those of Vulkan, as for too little memory.
Result<CopySpeed> measure_copy(const Device& device, bool by_kernel);

}  // namespace sinew::app
