// Limits on what this process may use.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "import/isolated/worker_command.h"

namespace sinew::internal {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The arguments of this process without the program's name, in UTF-8.
std::vector<std::string> prepare_process(int argc, char** argv);

/// Moves standard output to a descriptor of its own, for bytes, and returns it; the caller owns it. From then on
/// standard output is standard error: what a library prints cannot get between the bytes of a result. Returns null on
/// failure.
std::FILE* take_standard_output();

/// Limits this process to `now`; a later call may raise the limits up to `most`. A signal (SIGXCPU; on Windows the job
/// object) ends a process that uses more processor time; allocations beyond the limit of memory fail; a file that it
/// writes may be half as large as that limit (not on Windows). Also turns core dumps off. With sanitizers only time and
/// file are limited, because they reserve more memory than any machine has.
void limit_process(const WorkerLimits& now, const WorkerLimits& most);

}  // namespace sinew::internal
