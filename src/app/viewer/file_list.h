// The list to choose a file from, and the files that were opened before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sinew::app {

inline constexpr size_t kMaxRecentFiles = 10;

/// The character files that were opened last, in the cache: see system/cache.h. Absolute paths, the newest first. Files
/// that were removed since may be among them.
std::vector<std::string> recent_files();

/// Makes a file the newest.
void add_recent_file(const std::string& path);

void forget_recent_file(const std::string& path);

/// A list for a user who chooses a file: recent files, then the folder above, folders, and files that can be loaded by
/// their names; folders and files in the order of their names, without those whose names begin with a dot.
class FileList {
 public:
  enum class Kind : uint8_t { kRecent, kUp, kFolder, kFile };

  struct Entry {
    Kind kind = Kind::kFile;
    std::string name;  // of a recent file: its path
    std::filesystem::path path;
  };

  /// Begins in a folder; where that cannot be read, in the current one.
  explicit FileList(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }

  /// Why the last call did nothing; else empty.
  const std::string& problem() const { return problem_; }

  /// The entries whose names contain the filter, in upper or lower case (of ASCII letters); the folder above always.
  std::vector<const Entry*> shown() const;

  /// Typed by the user. Set it with set_filter(), which selects the first entry that it shows.
  const std::string& filter() const { return filter_; }
  void set_filter(const std::string& filter);

  /// An index in shown(); it stays in the list.
  size_t selected() const { return selected_; }
  void select(size_t index);
  void move_selection(int offset);

  /// Goes into a folder, or returns the path of a file. A recent file that is not there any more leaves the list.
  std::optional<std::string> choose(size_t index);

  void go_up();

  /// All names that were listed since the last call, on lines.
  std::string take_new_names();

 private:
  void go_to(const std::filesystem::path& folder);
  void forget(const std::string& path);

  std::filesystem::path folder_;
  std::vector<Entry> recent_, entries_;
  std::string filter_, problem_, new_names_;
  size_t selected_ = 0;
};

/// The folder of a file; the current one for a file without a folder.
std::filesystem::path folder_of(const std::string& file);

}  // namespace sinew::app
