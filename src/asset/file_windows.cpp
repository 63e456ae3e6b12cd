// The part of file.h that is the system's, on Windows: Windows' own calls, with paths in UTF-8.
#include <io.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <system_error>
#include <utility>

#include "error.h"
#include "exceptions.h"
#include "file.h"
#include "windows_text.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;

constexpr DWORD kMaxCallBytes = 1u << 30;  // a count of ReadFile and WriteFile has 32 bits

struct File {
  HANDLE handle = INVALID_HANDLE_VALUE;
  ~File() { close(); }
  bool is_open() const { return handle != INVALID_HANDLE_VALUE; }
  bool close() { return !is_open() || CloseHandle(std::exchange(handle, INVALID_HANDLE_VALUE)); }
};

// --- reading ---

Error unreadable(const std::string& why) { return {ErrorCode::kUnreadable, why}; }

Error not_opened(const fs::path& path) {
  const DWORD error = GetLastError();
  if (path.empty() || error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND || error == ERROR_INVALID_NAME) {
    return {ErrorCode::kNotFound, "no such file"};
  }
  std::error_code failed;
  return unreadable(fs::is_directory(path, failed) ? "it is a directory" : reason(error));
}

/// Others may read, rename and delete the file meanwhile, as on other systems.
HANDLE open_to_read(const fs::path& path) {
  return CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                     OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
}

Result<size_t> checked_size(HANDLE file) {
  if (GetFileType(file) != FILE_TYPE_DISK) return unreadable("it is not a regular file");
  LARGE_INTEGER size = {};
  if (!GetFileSizeEx(file, &size)) return unreadable(reason(GetLastError()));
  if (size.QuadPart == 0) return Error{ErrorCode::kInvalidData, "the file is empty"};
  if (uint64_t(size.QuadPart) > kMaxFileBytes) return unreadable("the file is larger than 2 GiB");
  return size_t(size.QuadPart);
}

Result<FileBytes> read_handle(HANDLE handle) {
  const Result<size_t> size = checked_size(handle);
  if (!size) return size.error();
  Result<FileBytes> file = FileBytes::allocate(*size);
  if (!file) return file;
  const std::span<std::byte> bytes = file->bytes();
  for (size_t done = 0; done < bytes.size();) {
    OVERLAPPED at = {};  // the place in the file
    at.Offset = DWORD(done);
    at.OffsetHigh = DWORD(uint64_t(done) >> 32);
    DWORD count = 0;
    const DWORD wanted = DWORD(std::min<size_t>(bytes.size() - done, kMaxCallBytes));
    if (!ReadFile(handle, bytes.data() + done, wanted, &count, &at) && GetLastError() != ERROR_HANDLE_EOF) {
      return unreadable(reason(GetLastError()));
    }
    if (count == 0) return unreadable("the file shrank while it was read");
    done += count;
  }
  return file;
}

// --- writing ---

Error cannot_write(const std::string& path, const std::string& why) {
  return {ErrorCode::kUnreadable, "cannot write " + path + ": " + why};
}
Error cannot_write(const std::string& path, DWORD error) { return cannot_write(path, reason(error)); }

Status write_all(HANDLE file, std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    DWORD written = 0;
    const DWORD wanted = DWORD(std::min<size_t>(bytes.size(), kMaxCallBytes));
    if (!WriteFile(file, bytes.data(), wanted, &written, nullptr)) return cannot_write(path, GetLastError());
    bytes = bytes.subspan(written);
  }
  return {};
}

/// Follows a symbolic link to the file to replace or create, so that a link stays a link.
fs::path resolve(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_symlink(fs::symlink_status(path, failed))) return path;
  const fs::path target = fs::weakly_canonical(path, failed);
  return failed ? path : target;
}

/// A temporary file. The destructor deletes it, unless it was renamed.
struct TemporaryFile {
  fs::path path;
  File file;
  bool exists = false;
  ~TemporaryFile() {
    file.close();  // an open file cannot be deleted
    if (exists) DeleteFileW(path.c_str());
  }
};

/// Creates a new file in the folder of `target`. On failure, GetLastError() has the reason.
void create_temporary_file(const fs::path& target, TemporaryFile& temporary) {
  static std::atomic<unsigned> numbers{0};
  for (int attempt = 0; attempt < 16; ++attempt) {
    temporary.path = target;
    temporary.path += L"." + std::to_wstring(GetCurrentProcessId()) + L"-" + std::to_wstring(++numbers) + L".part";
    temporary.file.handle =
        CreateFileW(temporary.path.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    temporary.exists = temporary.file.is_open();
    if (temporary.exists || GetLastError() != ERROR_FILE_EXISTS) return;
  }
}

/// The new file has the folder's permissions: Windows has none that a file could hand on.
Status replace(const std::string& path, std::span<const std::byte> bytes) {
  const fs::path target = resolve(path_of(path));
  TemporaryFile temporary;
  create_temporary_file(target, temporary);
  if (!temporary.exists) return cannot_write(path, GetLastError());
  if (Status written = write_all(temporary.file.handle, bytes, path); !written) return written;
  if (!FlushFileBuffers(temporary.file.handle)) return cannot_write(path, GetLastError());
  if (!temporary.file.close()) return cannot_write(path, GetLastError());
  if (!MoveFileExW(temporary.path.c_str(), target.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
    return cannot_write(path, GetLastError());
  }
  temporary.exists = false;
  return {};
}

Status write_directly(const std::string& path, std::span<const std::byte> bytes) {
  const File file{CreateFileW(path_of(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr)};
  if (!file.is_open()) return cannot_write(path, GetLastError());
  return write_all(file.handle, bytes, path);
}

bool is_special(const fs::file_status& status) { return fs::exists(status) && !fs::is_regular_file(status); }

}  // namespace

fs::path path_of(const std::string& utf8) { return wide(utf8); }

std::string utf8_of(const fs::path& path) { return narrow(path.native()); }

Result<FileBytes> read_open_file(int descriptor) SINEW_TRY {
  return read_handle(reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<FileBytes> read_file(const std::string& path) SINEW_TRY {
  const fs::path name = path_of(path);
  const File file{open_to_read(name)};
  return file.is_open() ? read_handle(file.handle) : not_opened(name);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status check_readable(const std::string& path) SINEW_TRY {
  const fs::path name = path_of(path);
  const File file{open_to_read(name)};
  if (!file.is_open()) return not_opened(name);
  const Result<size_t> size = checked_size(file.handle);
  return size ? Status() : size.error();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status check_writable(const std::string& path) SINEW_TRY {
  if (path.empty()) return cannot_write("a file without a name", "name one");
  const fs::path name = path_of(path);
  if (name.empty()) return cannot_write(path, "its name is not UTF-8");
  std::error_code failed;
  const fs::file_status status = fs::status(name, failed);
  if (fs::is_directory(status)) return cannot_write(path, "it is a folder");
  if (is_special(status)) return {};
  const DWORD attributes = GetFileAttributesW(name.c_str());
  const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
  if (exists && (attributes & FILE_ATTRIBUTE_READONLY) != 0) return cannot_write(path, DWORD(ERROR_ACCESS_DENIED));
  const fs::path folder = resolve(name).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failed)) return cannot_write(path, DWORD(ERROR_PATH_NOT_FOUND));
  TemporaryFile temporary;  // only trying tells whether the folder takes a file; it goes at once
  create_temporary_file(resolve(name), temporary);
  return temporary.exists ? Status() : cannot_write(path, GetLastError());
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status write_file(const std::string& path, std::span<const std::byte> bytes) SINEW_TRY {
  if (Status status = check_writable(path); !status) return status;
  std::error_code failed;
  return is_special(fs::status(path_of(path), failed)) ? write_directly(path, bytes) : replace(path, bytes);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

fs::path program_path() {
  const fs::path started = module_path(nullptr);
  std::error_code failed;
  const fs::path found = fs::canonical(started, failed);
  return failed ? started : found;
}

}  // namespace sinew::internal
