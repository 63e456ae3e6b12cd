// The part of file.h that is the system's, by POSIX.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "error.h"
#include "exceptions.h"
#include "file.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;  // links that resolve() follows; the limit of Linux

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
  return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);  // without O_NONBLOCK, a pipe would wait for a writer
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

/// Keeps a write beyond the limit on the size of files (RLIMIT_FSIZE) from ending the process: it fails with EFBIG
/// instead. The signal stays blocked in this thread for the lifetime of the object, and one that came is taken away;
/// one that the host had pending stays.
class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
    blocked_ = pthread_sigmask(SIG_BLOCK, &signal_, &before_) == 0;
  }
  ~FileSizeSignalBlock() {
    if (!blocked_) return;
    sigset_t pending;  // sigtimedwait() is not on macOS
    sigpending(&pending);
    int taken = 0;
    if (!was_pending_ && sigismember(&pending, SIGXFSZ) == 1) sigwait(&signal_, &taken);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;

 private:
  sigset_t signal_, before_;
  bool was_pending_ = false, blocked_ = false;
};

int flush(int file) {
#ifdef __APPLE__  // where fsync() leaves the bytes in the drive's own memory; not every file system has this call
  if (::fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  return ::fsync(file);
}

/// Waits until a file or a folder is on the disk, so that no loss of power leaves a name without its bytes. False: the
/// bytes may be lost; `errno` has the reason. Some file systems have nothing to wait for.
bool flush_to_disk(int file) {
  while (flush(file) != 0) {
    if (errno != EINTR) return errno == EINVAL || errno == ENOSYS || errno == EROFS || errno == ENOTSUP;
  }
  return true;
}

/// The folder of a file, to be flushed once the file has its name. A folder that may not be read gives -1.
int open_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

Status write_all(int file, std::span<const std::byte> bytes, const std::string& path) {
  const FileSizeSignalBlock block;
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path, errno);
    bytes = bytes.subspan(size_t(written));
  }
  return {};
}

/// Follows symbolic links to the path of the file to replace or create, so that a link stays a link.
std::string resolve(const std::string& path) {
  std::error_code failed;
  fs::path target = path;
  for (int links = 0; links < kMaxLinks && fs::is_symlink(fs::symlink_status(target, failed)); ++links) {
    target = target.parent_path() / fs::read_symlink(target, failed);
  }
  return target.string();
}

Status write_directly(const std::string& path, std::span<const std::byte> bytes) {
  const Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
  if (file.number < 0) return cannot_write(path, errno);
  return write_all(file.number, bytes, path);
}

/// A number that is unique in this process; part of the name of a temporary file.
unsigned next_number() {
  static std::atomic<unsigned> numbers{0};
  return ++numbers;
}

/// A temporary file. The destructor deletes it, unless it was renamed.
struct TemporaryFile {
  std::string path;
  Descriptor file;
  bool exists = false;
  ~TemporaryFile() {
    if (exists) ::unlink(path.c_str());
  }
};

/// Creates a new file in the folder of `target`. On failure, `errno` has the reason.
void create_temporary_file(const std::string& target, mode_t mode, TemporaryFile& temporary) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    temporary.path = target + "." + std::to_string(getpid()) + "-" + std::to_string(next_number()) + ".part";
    temporary.file.number = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    temporary.exists = temporary.file.number >= 0;
    if (temporary.exists || errno != EEXIST) return;
  }
}

/// Gives a file the permissions of the file that it will replace. Without the same owner, the group gets none.
int copy_permissions(int file, const struct stat& replaced) {
  const bool same_owner = ::fchown(file, replaced.st_uid, replaced.st_gid) == 0;  // if the process may
  return ::fchmod(file, replaced.st_mode & (same_owner ? 0777 : 0707));
}

Status replace(const std::string& path, std::span<const std::byte> bytes) {
  const std::string target = resolve(path);
  struct stat old {};
  const bool replaces = ::stat(target.c_str(), &old) == 0;
  const Descriptor folder{open_folder_of(target)};  // now: nothing may fail between the new name and the return
  TemporaryFile temporary;
  create_temporary_file(target, replaces ? 0600 : 0666, temporary);
  if (!temporary.exists) return cannot_write(path, errno);
  if (Status written = write_all(temporary.file.number, bytes, path); !written) return written;
  if (replaces && copy_permissions(temporary.file.number, old) != 0) return cannot_write(path, errno);
  if (!flush_to_disk(temporary.file.number)) return cannot_write(path, errno);
  if (::close(std::exchange(temporary.file.number, -1)) != 0) return cannot_write(path, errno);
  if (::rename(temporary.path.c_str(), target.c_str()) != 0) return cannot_write(path, errno);
  temporary.exists = false;
  if (folder.number >= 0 && !flush_to_disk(folder.number)) return cannot_write(path, errno);
  return {};
}

}  // namespace

fs::path path_of(const std::string& utf8) { return utf8; }

std::string utf8_of(const fs::path& path) { return path.string(); }

Result<FileBytes> read_open_file(int descriptor) SINEW_TRY {
  const Result<size_t> size = checked_size(descriptor);
  if (!size) return size.error();
  Result<FileBytes> file = FileBytes::allocate(*size);
  if (!file) return file;
  const std::span<std::byte> bytes = file->bytes();
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::pread(descriptor, bytes.data() + done, bytes.size() - done, off_t(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(std::strerror(errno));
    if (count == 0) return unreadable("the file shrank while it was read");
    done += size_t(count);
  }
  return file;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<FileBytes> read_file(const std::string& path) SINEW_TRY {
  const Descriptor file{open_to_read(path)};
  return file.number < 0 ? not_opened() : read_open_file(file.number);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status check_readable(const std::string& path) SINEW_TRY {
  const Descriptor file{open_to_read(path)};
  if (file.number < 0) return not_opened();
  const Result<size_t> size = checked_size(file.number);
  return size ? Status() : size.error();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status check_writable(const std::string& path) SINEW_TRY {
  std::error_code failed;
  const fs::file_status target_status = fs::status(path, failed);
  if (path.empty()) return cannot_write("a file without a name", "name one");
  if (target_status.type() == fs::file_type::none) return cannot_write(path, failed.value());
  if (fs::is_directory(target_status)) return cannot_write(path, "it is a folder");
  if (fs::exists(target_status) && !fs::is_regular_file(target_status)) return {};
  const fs::path folder = fs::path(resolve(path)).parent_path();
  if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) return cannot_write(path, errno);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status write_file(const std::string& path, std::span<const std::byte> bytes) SINEW_TRY {
  if (Status status = check_writable(path); !status) return status;
  std::error_code failed;
  const fs::file_status target_status = fs::status(path, failed);
  if (fs::exists(target_status) && !fs::is_regular_file(target_status)) return write_directly(path, bytes);
  return replace(path, bytes);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

#ifdef __APPLE__
fs::path program_path() {
  uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);  // gives the size that it needs
  std::string path(size, '\0');
  if (_NSGetExecutablePath(path.data(), &size) != 0) return {};
  std::error_code failed;
  return fs::canonical(path.c_str(), failed);
}
#else
fs::path program_path() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed);
}
#endif

}  // namespace sinew::internal
