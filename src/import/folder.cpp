#include "folder.h"

#include <filesystem>

#include "asset/file.h"
#include "failure.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::vector<uint8_t> read_whole_file(const std::string& path) {
  const Result<FileBytes> file = read_file(path);
  if (!file) fail(file.error().message, file.error().code);
  const auto* bytes = reinterpret_cast<const uint8_t*>(file->bytes().data());
  return {bytes, bytes + file->bytes().size()};
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

}  // namespace sinew::internal
