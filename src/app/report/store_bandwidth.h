// What the CPU can store: the yardstick of writing palettes.
#pragma once

#include <optional>

#include "system/thread_pool.h"

namespace sinew::app {

/// Bytes that the C library's memset stores, by all threads of the pool together, in 1e9 a second: the median of
/// several rounds over 64 MiB. Nothing where there is not the memory.
std::optional<double> measure_store_gb_per_second(ThreadPool& pool);

}  // namespace sinew::app
