#include "write_file.h"

#include <fcntl.h>
#include <stb_image_write.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const std::string& path, const std::string& why) {
  return {ErrorCode::kUnreadable, "cannot write " + path + ": " + why};
}
Error cannot_write(const std::string& path, int error_number) { return cannot_write(path, strerror(error_number)); }

Status write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannot_write(path, errno);
    bytes.remove_prefix(size_t(written));
  }
  return {};
}

// A link stays a link: what it leads to is replaced.
std::string resolve(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  return failed ? path : target.string();
}

Status write_directly(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  const Status status = write_all(file, bytes, path);
  ::close(file);
  return status;
}

Status replace(const std::string& path, std::string_view bytes) {
  const std::string target = resolve(path);
  std::string beside = target + ".XXXXXX";
  const int file = ::mkostemp(beside.data(), O_CLOEXEC);
  if (file < 0) return cannot_write(path, errno);
  Status status = write_all(file, bytes, path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (status && ::fchmod(file, 0666 & ~mask) != 0) status = cannot_write(path, errno);
  if (::close(file) != 0 && status) status = cannot_write(path, errno);
  if (status && ::rename(beside.c_str(), target.c_str()) != 0) status = cannot_write(path, errno);
  if (!status) ::unlink(beside.c_str());
  return status;
}

void append_png(void* context, void* data, int size) {
  static_cast<std::string*>(context)->append(static_cast<const char*>(data), size_t(size));
}

}  // namespace

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

Status write_file(const std::string& path, std::string_view bytes) {
  if (Status status = check_writable(path); !status) return status;
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (fs::exists(there) && !fs::is_regular_file(there)) return write_directly(path, bytes);
  return replace(path, bytes);
}

Status write_png(const std::string& path, uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  std::string bytes;
  const int stride = int(width) * 4;
  if (rgba.size() < size_t(stride) * height ||
      !stbi_write_png_to_func(append_png, &bytes, int(width), int(height), 4, rgba.data(), stride)) {
    return cannot_write(path, "the picture could not be encoded");
  }
  return write_file(path, bytes);
}

}  // namespace sinew::app
