#include "record/png_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "system/text.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMinDigits = 4;

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
  std::error_code failed;
  const bool is_new = !fs::is_directory(folder, failed);
  if (is_new && (!fs::create_directory(folder, failed) || failed))
    return Error{ErrorCode::kUnreadable, "cannot create the folder " + folder + ": " + failed.message()};
  const int digits = int(std::max(kMinDigits, std::to_string(rgba_frames.size()).size()));
  std::vector<fs::path> written;
  Status saved;
  for (size_t i = 0; i < rgba_frames.size() && saved; ++i) {
    const fs::path path = fs::path(folder) / text("%0*zu.png", digits, i + 1);
    saved = write_png(path.string(), width, height, rgba_frames[i]);
    if (saved) written.push_back(path);
  }
  if (saved) return {};
  for (const fs::path& path : written) fs::remove(path, failed);
  if (is_new) fs::remove(folder, failed);  // not if it has other files by now
  return saved;
}

}  // namespace sinew::app
