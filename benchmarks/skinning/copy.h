// The yardstick: how fast the device copies.
#pragma once

#include "gpu/device.h"
#include "sinew/asset/result.h"

namespace sinew::bench {

/// Bytes read plus bytes written, in 1e9 a second: the better median of vkCmdCopyBuffer and of a kernel that copies 16
/// bytes a thread, over 1 GiB, 256 MiB on a device that is a CPU. Waits for the device.
struct CopySpeed {
  double command_gb_per_second = 0, kernel_gb_per_second = 0;

  double best() const {
    return command_gb_per_second > kernel_gb_per_second ? command_gb_per_second : kernel_gb_per_second;
  }
};
Result<CopySpeed> measure_copy(const app::Device& device);

}  // namespace sinew::bench
