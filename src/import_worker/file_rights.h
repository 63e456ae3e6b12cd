// The part of the sandbox that Landlock does: which files may be opened.
#pragma once

#include <span>
#include <string>

namespace sinew::internal {

/// Limits this thread, and threads that it starts later, to reading `files`, their folders and all below. It takes all
/// other rights to files. Where the kernel can, it also takes the rights to TCP ports, to other processes' sockets and
/// to signals. Returns one line for people about what holds now.
std::string limit_files(std::span<const std::string> files);

}  // namespace sinew::internal
