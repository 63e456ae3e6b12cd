// Store bandwidth of the CPU: the figure that writing palettes is compared with.
#pragma once

#include <optional>

#include "system/thread_pool.h"

namespace sinew::app {

/// Bytes that the C library's memset stores, by all threads of the pool together, in 1e9 bytes per second: the median
/// of several rounds over 64 MiB. None where the memory cannot be allocated. `pool` must be idle.
std::optional<double> measure_store_gb_per_second(ThreadPool& pool);

}  // namespace sinew::app
