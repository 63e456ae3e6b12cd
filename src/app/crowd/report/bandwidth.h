// What memory-bound work is compared with: the copy bandwidth of the device, and the store bandwidth of the CPU.
#pragma once

#include <optional>

#include "gpu/host.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// CopySpeed::best(); on a CPU device vkCmdCopyBuffer alone, which is the faster one there. None where
/// the device has no timestamps or too little memory, or where its timestamps are not credible. Waits for the device.
std::optional<double> measure_copy_gb_per_second(const Device& device);

/// Bytes that the C library's memset stores, by all threads of the pool together, in 1e9 bytes per second: the median
/// of several rounds over 64 MiB. None where the memory cannot be allocated. `pool` must be idle.
std::optional<double> measure_store_gb_per_second(ThreadPool& pool);

struct Bandwidth {
  std::optional<double> copy_gb_per_second, store_gb_per_second;
};

/// Both. They take a second on a CPU device: what was measured with this device and number of threads before is kept,
/// see system/cache.h, and measured again only where `again` asks for it.
Bandwidth find_bandwidth(const Device& device, ThreadPool& pool, bool again);

}  // namespace sinew::app
