// Files, whole or not at all. Where memory runs out, every call says kOutOfMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sinew/asset/result.h"

namespace sinew {

/// What one file may hold.
inline constexpr uint64_t kMaxFileBytes = uint64_t(2) << 30;

/// The bytes of a file, beginning on 64.
class FileBytes {
 public:
  /// Fails only for want of memory.
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

/// The whole of a regular file of 1 to kMaxFileBytes bytes; never blocks on a pipe or a device. It is read, not mapped:
/// who shortens a mapped file ends the process. The message says why not, without the file's name: kNotFound,
/// kUnreadable, kInvalidData (empty), kOutOfMemory.
Result<FileBytes> read_file(const std::string& path);

/// The same of a file that is open, from its beginning.
Result<FileBytes> read_open_file(int descriptor);

/// Whether read_file() would get as far as reading, with its message where not.
Status check_readable(const std::string& path);

/// Writes beside `path`, then renames: whoever looks finds the old file or the whole new one; a link stays a link, also
/// one that leads to no file yet. Who may read and write a file that is replaced stays as it is, and its owner where
/// the process may set it. What is there but no regular file (a pipe, /dev/stdout) is written to directly. On failure
/// nothing is left behind, and the message names the file.
Status write_file(const std::string& path, std::span<const std::byte> bytes);

/// Fails where write_file() would fail for the folder's sake. Ask before work that takes long.
Status check_writable(const std::string& path);

}  // namespace sinew
