// The part of the sandbox that Landlock does: which files may be opened.
#pragma once

#include <span>
#include <string>

namespace sinew::internal {

/// Leaves this thread, and those that it starts later, the right to read `files` and the folders that they are in, and
/// no other right to a file, nor to TCP ports and, where the system knows how, other processes' sockets and signals.
/// Returns what holds now, for people.
std::string limit_files(std::span<const std::string> files);

}  // namespace sinew::internal
