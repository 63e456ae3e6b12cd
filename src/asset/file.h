// Reading and writing of whole files. If memory runs out, every call returns kOutOfMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "sinew/api.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

/// The largest file that read_file() accepts: 2 GiB.
inline constexpr uint64_t kMaxFileBytes = uint64_t(2) << 30;

/// The bytes of a file in memory, 64-byte aligned. The object owns them.
class SINEW_API FileBytes {
 public:
  /// Allocates `size_bytes` bytes without initializing them. The only error is kOutOfMemory.
  static Result<FileBytes> allocate(size_t size_bytes);

  std::span<const std::byte> bytes() const { return {bytes_.get(), size_bytes_}; }
  std::span<std::byte> bytes() { return {bytes_.get(), size_bytes_}; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  FileBytes(std::byte* bytes, size_t size_bytes) : bytes_(bytes), size_bytes_(size_bytes) {}

  std::unique_ptr<std::byte[], Free> bytes_;
  size_t size_bytes_;
};

/// Reads the whole of a regular file of 1 to kMaxFileBytes bytes; never blocks on a pipe or a device. The file is not
/// memory-mapped: if another process shortens a mapped file, access to it ends this process. Errors: kNotFound,
/// kUnreadable, kInvalidData (the file is empty), kOutOfMemory. The message has the reason, without the file's name.
SINEW_API Result<FileBytes> read_file(const std::string& path);

/// The same for an open file, from its start. The caller still owns `descriptor`; its file offset does not change.
SINEW_API Result<FileBytes> read_open_file(int descriptor);

/// Makes the checks that read_file() makes before it reads, and returns the same errors.
SINEW_API Status check_readable(const std::string& path);

/// Writes a temporary file in the folder of the target, then renames it: readers get the old file or the whole new
/// file. A symbolic link stays a link, even if its target does not exist yet. A replaced file keeps its permissions,
/// and its owner if the process may set the owner. An existing target that is not a regular file (a pipe, /dev/stdout)
/// is written to directly. A new file is on the disk on return, its name too: it may take some milliseconds. A file
/// above the limit on the size of files (RLIMIT_FSIZE) is an error like any other: its signal, SIGXFSZ, is blocked in
/// this thread while the file is written, and never reaches the host. On failure no temporary file remains, and the
/// message names the file.
SINEW_API Status write_file(const std::string& path, std::span<const std::byte> bytes);

/// Fails if write_file() would fail because of the path or its folder. Call it before work that takes long.
SINEW_API Status check_writable(const std::string& path);

// Paths in UTF-8, as this library has them on every system: std::filesystem takes the bytes of a std::string for those
// of the system's own encoding.

/// Empty if `utf8` cannot name a file.
SINEW_API std::filesystem::path path_of(const std::string& utf8);

SINEW_API std::string utf8_of(const std::filesystem::path& path);

/// The path of the program that runs, without links. Empty: the system does not tell it.
SINEW_API std::filesystem::path program_path();

}  // namespace sinew::internal
