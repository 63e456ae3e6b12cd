// The part of the sandbox that seccomp does: which calls of the system are refused.
#pragma once

#include <string>

namespace sinew::internal {

/// Lets calls fail in all threads of this process, those that start later included: what reaches a network, another
/// program or another process gives EPERM, what writes a file or changes a folder EACCES. Needs PR_SET_NO_NEW_PRIVS.
/// Returns what holds now, for people.
std::string limit_system_calls();

}  // namespace sinew::internal
