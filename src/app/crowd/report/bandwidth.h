// What memory-bound work is compared with: the copy bandwidth of the device, and the store bandwidth of the CPU.
#pragma once

#include <optional>

#include "gpu/host.h"
#include "system/thread_pool.h"

namespace sinew::app {

struct Bandwidth {
  std::optional<double> copy_gb_per_second, store_gb_per_second;
};

/// Measuring takes a second on a CPU device: what was measured with this device and number of threads before is kept,
/// see system/cache.h, and measured again only where `again` asks for it. Waits for the device; `pool` must be idle.
Bandwidth find_bandwidth(const Device& device, ThreadPool& pool, bool again);

}  // namespace sinew::app
