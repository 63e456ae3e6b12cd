// The device's copy speed, the measure for the skinning kernels.
#pragma once

#include "gpu/host.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

/// Bytes read plus bytes written, in 1e9 bytes per second, by vkCmdCopyBuffer and by a kernel that copies 16 bytes per
/// thread. Medians over copies of 1 GiB, or 256 MiB if the device is a CPU.
struct CopySpeed {
  double command_gb_per_second = 0, kernel_gb_per_second = 0;

  double best() const {
    return command_gb_per_second > kernel_gb_per_second ? command_gb_per_second : kernel_gb_per_second;
  }
};

/// Allocates both buffers in device memory, and waits for the device.
Result<CopySpeed> measure_copy(const app::Device& device);

}  // namespace sinew::bench
