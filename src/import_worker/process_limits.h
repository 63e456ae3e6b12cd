// Limits on what this process may use.
#pragma once

#include <string>
#include <vector>

#include "import/isolated/worker_command.h"

namespace sinew::internal {

/// The arguments of this process without the program's name, in UTF-8. Also makes standard output take bytes as they
/// are, where a system would change line ends.
std::vector<std::string> prepare_process(int argc, char** argv);

/// Limits this process to `now`; a later call may raise the limits up to `most`. A signal (SIGXCPU) or the job ends a
/// process that uses more processor time; allocations beyond the limit of memory fail; a file that it writes may have
/// half of that size (not on Windows). Also turns core dumps off. With sanitizers only time and file are limited,
/// because they reserve more memory than any machine has.
void limit_process(const WorkerLimits& now, const WorkerLimits& most);

}  // namespace sinew::internal
