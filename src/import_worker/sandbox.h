// What the import worker may no longer do once it has begun: a malformed file that takes control of it finds nothing to
// reach.
#pragma once

#include <span>
#include <string>

namespace sinew::internal {

/// Takes rights from this process, and from all threads that it starts later, that it can never get back:
/// - It reads only what is in the folders of `files`, or below them, and `files` themselves where they are links to
///   other folders (Landlock). What is already open stays open.
/// - It opens no file for writing, and changes no file, folder, permission or name (Landlock and seccomp).
/// - It has no network, starts no program or process, and neither signals, traces nor reads other processes (seccomp).
/// Where the system lacks a part, or a container forbids it, the other part holds alone. On macOS, where this never
/// ran, Seatbelt forbids writing, network, programs, processes and signals; reading is free. Returns a line about what
/// holds. With sanitizers all files may be read, and processes started and traced, because their reports need it. Call
/// it before a second thread starts. Throws std::bad_alloc.
std::string enter_sandbox(std::span<const std::string> files);

}  // namespace sinew::internal
