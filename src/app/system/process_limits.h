// Limits on what this process may use. An isolated import sets them before it opens a file.
#pragma once

#include <cstdint>

namespace sinew::app {

/// Limits processor time: a signal ends a process that uses more. Also turns core dumps off.
void limit_seconds(uint64_t seconds);

/// Limits memory: allocations beyond `bytes` fail. A file may have half of it. With sanitizers only the file is
/// limited, because they reserve more memory than any machine has.
void limit_memory(uint64_t bytes);

}  // namespace sinew::app
