#include "sinew/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <random>
#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::align_val_t kAlignment{64};

struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

// --- reading ---

Error unreadable(const char* why) { return {ErrorCode::kUnreadable, why}; }

Result<size_t> checked_size(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return unreadable(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return unreadable("it is a directory");
  if (!S_ISREG(status.st_mode)) return unreadable("it is not a regular file");
  if (status.st_size == 0) return Error{ErrorCode::kInvalidData, "the file is empty"};
  if (uint64_t(status.st_size) > kMaxFileBytes) return unreadable("the file is larger than 2 GiB");
  return size_t(status.st_size);
}

int open_to_read(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);  // a pipe would wait for a writer
}

Error not_opened() {
  if (errno == ENOENT) return {ErrorCode::kNotFound, "no such file"};
  return unreadable(std::strerror(errno));
}

// --- writing ---

Error cannot_write(const std::string& path, const std::string& why) {
  return {ErrorCode::kUnreadable, "cannot write " + path + ": " + why};
}
Error cannot_write(const std::string& path, int error_number) {
  return cannot_write(path, std::strerror(error_number));
}

Status write_all(int file, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path, errno);
    bytes = bytes.subspan(size_t(written));
  }
  return {};
}

// A link stays a link: what it leads to is replaced.
std::string resolve(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  return failed ? path : target.string();
}

Status write_directly(const std::string& path, std::span<const std::byte> bytes) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.number < 0) return cannot_write(path, errno);
  return write_all(file.number, bytes, path);
}

/// A new file beside `target`, with the mode others would give it; its name is `beside`.
int create_beside(const std::string& target, std::string& beside) {
  std::random_device random;
  for (int attempt = 0; attempt < 16; ++attempt) {
    beside = target + "." + std::to_string(random()) + ".part";
    const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

Status replace(const std::string& path, std::span<const std::byte> bytes) {
  const std::string target = resolve(path);
  std::string beside;
  const int file = create_beside(target, beside);
  if (file < 0) return cannot_write(path, errno);
  Status status = write_all(file, bytes, path);
  if (::close(file) != 0 && status) status = cannot_write(path, errno);
  if (status && ::rename(beside.c_str(), target.c_str()) != 0) status = cannot_write(path, errno);
  if (!status) ::unlink(beside.c_str());
  return status;
}

}  // namespace

FileBytes::FileBytes(size_t size_bytes)
    : bytes_(static_cast<std::byte*>(::operator new[](size_bytes, kAlignment))), size_bytes_(size_bytes) {}

void FileBytes::Free::operator()(std::byte* bytes) const { ::operator delete[](bytes, kAlignment); }

Result<FileBytes> read_open_file(int descriptor) try {
  const Result<size_t> size = checked_size(descriptor);
  if (!size) return size.error();
  FileBytes file(*size);
  const std::span<std::byte> bytes = file.bytes();
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(descriptor, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(std::strerror(errno));
    if (count == 0) return unreadable("the file shrank while it was read");
    done += size_t(count);
  }
  return file;
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

Result<FileBytes> read_file(const std::string& path) {
  const Descriptor file{open_to_read(path)};
  return file.number < 0 ? not_opened() : read_open_file(file.number);
}

Status check_readable(const std::string& path) {
  const Descriptor file{open_to_read(path)};
  if (file.number < 0) return not_opened();
  const Result<size_t> size = checked_size(file.number);
  return size ? Status() : size.error();
}

Status check_writable(const std::string& path) {
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (path.empty()) return cannot_write("a file without a name", "name one");
  if (fs::is_directory(there)) return cannot_write(path, "it is a folder");
  if (fs::exists(there) && !fs::is_regular_file(there)) return {};
  const fs::path folder = fs::path(resolve(path)).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, errno);
  return {};
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  if (Status status = check_writable(path); !status) return status;
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (fs::exists(there) && !fs::is_regular_file(there)) return write_directly(path, bytes);
  return replace(path, bytes);
}

}  // namespace sinew
