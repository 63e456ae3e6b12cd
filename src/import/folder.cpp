#include "folder.h"

#include <algorithm>
#include <filesystem>

#include "asset/file.h"
#include "failure.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxListed = 65536;  // entries of folders that are compared with one name
constexpr size_t kMaxFits = 16;       // folders that one name may fit

bool differ_in_case_at_most(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// Appends the entries of `folder` whose names fit. `listed` counts all entries.
void append_fitting(const fs::path& folder, const std::string& name, size_t& listed, std::vector<fs::path>& fitting) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (const fs::directory_iterator end; !error && entry != end && listed < kMaxListed; entry.increment(error)) {
    ++listed;
    if (differ_in_case_at_most(utf8_of(entry->path().filename()), name)) fitting.push_back(entry->path());
  }
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

}  // namespace

std::string other_case_warning(const std::string& what, const std::string& name, const FoundFile& found) {
  return what + " '" + name + "' is read from '" + utf8_of(path_of(found.path).filename()) +
         "', whose name differs in the case of letters";
}

std::vector<uint8_t> read_whole_file(const std::string& path) {
  const Result<FileBytes> file = read_file(path);
  if (!file) fail(file.error().message, file.error().code);
  const auto* bytes = reinterpret_cast<const uint8_t*>(file->bytes().data());
  return {bytes, bytes + file->bytes().size()};
}

Folder::Folder(const std::string& file_in_folder) {
  std::error_code error;
  const fs::path folder = path_of(file_in_folder).parent_path();
  canonical_ = utf8_of(fs::canonical(folder.empty() ? fs::path(".") : folder, error));
  if (error) canonical_.clear();
}

std::string Folder::find(const std::string& relative) const {
  if (canonical_.empty() || relative.empty()) return {};
  std::error_code error;
  const fs::path found = fs::canonical(path_of(canonical_) / path_of(relative), error);
  if (error || !fs::is_regular_file(found, error) || error) return {};
  const fs::path inside = found.lexically_relative(path_of(canonical_));
  if (inside.empty() || *inside.begin() == "..") return {};
  return utf8_of(found);
}

FoundFile Folder::find_named(const std::string& name) const {
  std::string path = find(name);
  if (path.empty()) path = find(with_slashes(name));
  if (!path.empty()) return {path, false};
  path = find_other_case(with_slashes(name));
  return {path, !path.empty()};
}

std::string Folder::find_other_case(const std::string& relative) const {
  std::vector<fs::path> fitting = {path_of(canonical_)};
  size_t listed = 0;
  for (const fs::path& name : path_of(relative)) {
    if (name == ".") continue;
    if (canonical_.empty() || name == ".." || name.has_root_path() || fitting.size() > kMaxFits) return {};
    std::vector<fs::path> below;
    for (const fs::path& folder : fitting) append_fitting(folder, utf8_of(name), listed, below);
    fitting = std::move(below);
  }
  std::vector<std::string> files;
  for (const fs::path& path : fitting) {
    std::string file = find(utf8_of(path.lexically_relative(path_of(canonical_))));
    if (!file.empty()) files.push_back(std::move(file));
  }
  return files.size() == 1 && listed < kMaxListed ? files.front() : std::string();
}

}  // namespace sinew::internal
