// What this process may take. An isolated import sets its limits before it opens a file.
#pragma once

#include <cstdint>

namespace sinew::app {

/// Of processor time; a signal ends the process that takes more. Leaves no core dump either.
void limit_seconds(uint64_t seconds);

/// What may be allocated, beyond which allocations fail; a file may have half of it. Sanitizers, whose books are larger
/// than any machine, are left in peace.
void limit_memory(uint64_t bytes);

}  // namespace sinew::app
