#include "report/png_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMinDigits = 4;

/// What was written so far. The destructor removes it, unless keep() was called.
class Written {
 public:
  Written() = default;
  Written(const Written&) = delete;
  ~Written() {
    std::error_code failed;
    for (const fs::path& path : files_) fs::remove(path, failed);
    if (!folder_.empty()) fs::remove(folder_, failed);  // not if it has other files by now
  }
  void add_folder(fs::path path) { folder_ = std::move(path); }
  void add_file(fs::path path) { files_.push_back(std::move(path)); }
  void keep() { files_.clear(), folder_.clear(); }

 private:
  fs::path folder_;
  std::vector<fs::path> files_;
};

Status create_folder(const std::string& folder, Written& written) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return {};
  if (!fs::create_directory(folder, failed) || failed)
    return Error{ErrorCode::kUnreadable, "cannot create the folder " + folder + ": " + failed.message()};
  written.add_folder(folder);
  return {};
}

}  // namespace

bool names_folder(const std::string& path) {
  std::error_code failed;
  return path.ends_with('/') || fs::is_directory(path, failed);
}

Status check_folder_writable(const std::string& folder) {
  std::error_code failed;
  if (fs::is_directory(folder, failed)) return check_writable((fs::path(folder) / "0001.png").string());
  const std::string path = folder.substr(0, folder.find_last_not_of('/') + 1);
  if (fs::exists(path, failed)) return Error{ErrorCode::kUnreadable, "cannot write " + folder + ": it is not a folder"};
  return check_writable(path);
}

Status write_png_folder(const std::string& folder, std::span<const std::vector<uint8_t>> rgba_frames, uint32_t width,
                        uint32_t height) {
  Written written;
  if (Status created = create_folder(folder, written); !created) return created;
  const int digits = int(std::max(kMinDigits, std::to_string(rgba_frames.size()).size()));
  for (size_t i = 0; i < rgba_frames.size(); ++i) {
    const fs::path path = fs::path(folder) / text("%0*zu.png", digits, i + 1);
    if (Status saved = write_png(path.string(), width, height, rgba_frames[i]); !saved) return saved;
    written.add_file(path);
  }
  written.keep();
  return {};
}

}  // namespace sinew::app
