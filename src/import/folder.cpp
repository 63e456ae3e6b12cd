#include "folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "failure.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct File {
  int descriptor = -1;
  ~File() {
    if (descriptor >= 0) close(descriptor);
  }
};

/// The size of an open regular file.
uint64_t checked_size(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) fail(std::strerror(errno), ErrorCode::kUnreadable);
  if (S_ISDIR(status.st_mode)) fail("it is a directory", ErrorCode::kUnreadable);
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file", ErrorCode::kUnreadable);
  if (status.st_size == 0) fail("the file is empty");
  if (uint64_t(status.st_size) > kMaxFileBytes) fail("the file is larger than 2 GiB", ErrorCode::kUnreadable);
  return uint64_t(status.st_size);
}

}  // namespace

std::vector<uint8_t> read_whole_file(const std::string& path) {
  const File file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};  // a pipe without a writer would block
  if (file.descriptor < 0) {
    if (errno == ENOENT) fail("no such file", ErrorCode::kNotFound);
    fail(std::strerror(errno), ErrorCode::kUnreadable);
  }
  std::vector<uint8_t> bytes(checked_size(file.descriptor));
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(file.descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(std::strerror(errno), ErrorCode::kUnreadable);
    if (count == 0) fail("the file shrank while it was read", ErrorCode::kUnreadable);
    done += size_t(count);
  }
  return bytes;
}

Folder::Folder(const std::string& file_in_folder) {
  std::error_code error;
  const fs::path folder = fs::path(file_in_folder).parent_path();
  canonical_ = fs::canonical(folder.empty() ? fs::path(".") : folder, error).string();
  if (error) canonical_.clear();
}

std::string Folder::find(const std::string& relative) const {
  if (canonical_.empty() || relative.empty()) return {};
  std::error_code error;
  const fs::path found = fs::canonical(fs::path(canonical_) / relative, error);
  if (error || !fs::is_regular_file(found, error) || error) return {};
  const fs::path inside = found.lexically_relative(canonical_);
  if (inside.empty() || *inside.begin() == "..") return {};
  return found.string();
}

}  // namespace sinew
