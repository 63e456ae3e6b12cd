// All file access of import. Only regular files of limited size are read. Files that a model names must be in the
// model's folder or below it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::internal {

/// Reads a whole regular file; see read_file(). Throws ImportFailure. Never blocks on a pipe or a device.
std::vector<uint8_t> read_whole_file(const std::string& path);

/// A file that a model names.
struct FoundFile {
  std::string path;         // absolute; empty: none
  bool other_case = false;  // the path differs from the name in the case of letters
};

/// The warning that a name was matched without regard to case. `what` is "image" or "buffer".
std::string other_case_warning(const std::string& what, const std::string& name, const FoundFile& found);

/// The folder of a model: finds the files that the model names.
class Folder {
 public:
  explicit Folder(const std::string& file_in_folder);

  /// The absolute path of the file `relative`. Empty if it is not a regular file inside the folder, after symbolic
  /// links are resolved.
  std::string find(const std::string& relative) const;

  /// The file `name`: one that find() finds, also where the name has backslashes as separators. Without such a file,
  /// the only one whose path differs in the case of letters (of ASCII) alone.
  FoundFile find_named(const std::string& name) const;

 private:
  std::string find_other_case(const std::string& relative) const;

  std::string canonical_;  // empty if the folder could not be resolved: no file is found then
};

}  // namespace sinew::internal
