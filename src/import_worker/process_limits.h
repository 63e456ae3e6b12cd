// Limits on what this process may use.
#pragma once

#include "import/isolated/worker_command.h"

namespace sinew::internal {

/// Limits this process to `now`; a later call may raise the limits up to `most`. A signal (SIGXCPU) ends a process that
/// uses more processor time; allocations beyond the limit of memory fail; a file that it writes may have half of that
/// size. Also turns core dumps off. With sanitizers only time and file are limited, because they reserve more memory
/// than any machine has.
void limit_process(const WorkerLimits& now, const WorkerLimits& most);

}  // namespace sinew::internal
