#include "viewer/file_list.h"

#include <algorithm>
#include <map>
#include <span>
#include <system_error>
#include <utility>

#include "import/file_type.h"
#include "system/cache.h"
#include "system/paths.h"
#include "system/platform.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr const char* kName = "recent-files";  // each path ends with a zero: all other letters may be in a path

void keep_all(std::span<const std::string> paths) {
  std::string bytes;
  for (const std::string& path : paths.first(std::min(paths.size(), kMaxRecentFiles))) bytes += path + '\0';
  keep(kName, std::as_bytes(std::span(bytes)));
}

/// The same file has one name, however it was named. Where there is no current folder, it has none.
std::string absolute(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(path_of(path), error);
  return error ? std::string() : utf8_of(whole.lexically_normal());
}

std::vector<std::string> all_but(const std::string& path) {
  std::vector<std::string> paths = recent_files();
  std::erase(paths, path);
  return paths;
}

namespace fs = std::filesystem;

/// Folders, and files that a reader supports. Asking for one takes longer than reading its name.
class Sorter {
 public:
  std::optional<FileList::Kind> kind_of(const fs::directory_entry& entry) {
    std::error_code error;
    if (utf8_of(entry.path().filename()).starts_with(".")) return {};
    if (entry.is_directory(error)) return FileList::Kind::kFolder;
    if (!entry.is_regular_file(error)) return {};
    const auto [known, is_new] = is_read_.try_emplace(utf8_of(entry.path().extension()));
    if (is_new) known->second = internal::has_reader(utf8_of(entry.path()));
    return known->second ? FileList::Kind::kFile : std::optional<FileList::Kind>();
  }

 private:
  std::map<std::string, bool> is_read_;  // by extension
};

bool comes_before(const FileList::Entry& a, const FileList::Entry& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  const std::string first = lower(a.name), second = lower(b.name);
  return first != second ? first < second : a.name < b.name;
}

/// Fails where the folder cannot be read.
std::optional<std::vector<FileList::Entry>> entries_of(const fs::path& folder) {
  std::vector<FileList::Entry> entries;
  Sorter sorter;
  std::error_code error;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error)) {
    if (const auto kind = sorter.kind_of(*i)) entries.push_back({*kind, utf8_of(i->path().filename()), i->path()});
  }
  if (error) return {};
  if (folder.has_relative_path()) {
    entries.push_back({FileList::Kind::kUp, "..", folder.parent_path()});
  } else {
    for (const fs::path& root : root_folders()) {
      if (root != folder) entries.push_back({FileList::Kind::kFolder, utf8_of(root), root});
    }
  }
  std::sort(entries.begin(), entries.end(), comes_before);
  return entries;
}

fs::path current_folder() {
  std::error_code error;
  const fs::path folder = fs::current_path(error);
  return error ? root_folders().front() : folder;
}

}  // namespace

std::vector<std::string> recent_files() {
  std::vector<std::string> paths;
  std::string path;
  for (const std::byte byte : read_kept(kName).value_or(std::vector<std::byte>())) {
    if (byte != std::byte(0)) path += char(byte);
    if (byte == std::byte(0) && !path.empty()) paths.push_back(std::exchange(path, {}));
  }
  paths.resize(std::min(paths.size(), kMaxRecentFiles));
  return paths;
}

void add_recent_file(const std::string& path) {
  const std::string whole = absolute(path);
  if (whole.empty()) return;
  std::vector<std::string> paths = all_but(whole);
  paths.insert(paths.begin(), whole);
  keep_all(paths);
}

void forget_recent_file(const std::string& path) { keep_all(all_but(path)); }

FileList::FileList(const fs::path& folder) {
  for (const std::string& path : recent_files()) {
    recent_.push_back({Kind::kRecent, path, path_of(path)});
    new_names_ += path + "\n";
  }
  go_to(folder);
  if (folder_.empty()) folder_ = current_folder(), go_to(folder_);
}

void FileList::go_to(const fs::path& folder) {
  std::error_code error;
  fs::path whole = fs::absolute(folder, error).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();  // "/home/" is "/home"
  auto entries = error ? std::nullopt : entries_of(whole);
  if (!entries) {
    problem_ = printable(utf8_of(folder)) + ": the folder cannot be read";
    return;
  }
  problem_.clear();
  folder_ = std::move(whole), entries_ = std::move(*entries);
  filter_.clear();
  selected_ = 0;
  for (const Entry& entry : entries_) new_names_ += entry.name + "\n";
  new_names_ += utf8_of(folder_) + "\n";
}

std::vector<const FileList::Entry*> FileList::shown() const {
  std::vector<const Entry*> shown;
  for (const std::vector<Entry>* list : {&recent_, &entries_}) {
    for (const Entry& entry : *list) {
      if (contains_any_case(entry.name, filter_) || entry.kind == Kind::kUp) shown.push_back(&entry);
    }
  }
  return shown;
}

void FileList::set_filter(const std::string& filter) {
  if (filter == filter_) return;
  filter_ = filter;
  selected_ = 0;
  const std::vector<const Entry*> now = shown();  // ".." is not what the user looks for
  if (now.size() > 1 && now.front()->kind == Kind::kUp) selected_ = 1;
}

void FileList::select(size_t index) { selected_ = std::min(index, std::max<size_t>(shown().size(), 1) - 1); }

void FileList::move_selection(int offset) { select(offset < 0 && selected_ == 0 ? 0 : selected_ + size_t(offset)); }

std::optional<std::string> FileList::choose(size_t index) {
  const std::vector<const Entry*> now = shown();
  if (index >= now.size()) return {};
  const Entry entry = *now[index];
  problem_.clear();
  if (entry.kind == Kind::kUp || entry.kind == Kind::kFolder) return go_to(entry.path), std::nullopt;
  std::error_code error;
  if (fs::exists(entry.path, error)) return utf8_of(entry.path);
  problem_ = printable(utf8_of(entry.path)) + ": there is no such file any more";
  if (entry.kind == Kind::kRecent) forget(entry.name);
  return {};
}

void FileList::forget(const std::string& path) {
  std::erase_if(recent_, [&](const Entry& entry) { return entry.name == path; });
  forget_recent_file(path);
  select(selected_);
}

void FileList::go_up() {
  if (folder_.has_relative_path()) go_to(folder_.parent_path());
}

std::string FileList::take_new_names() { return std::exchange(new_names_, {}); }

fs::path folder_of(const std::string& file) {
  const fs::path folder = path_of(file).parent_path();
  return folder.empty() ? current_folder() : folder;
}

}  // namespace sinew::app
