// All file access of import. Only regular files of limited size are read. Files that a model names must be in the
// model's folder or below it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::internal {

/// Reads a whole regular file; see read_file(). Throws ImportFailure. Never blocks on a pipe or a device.
std::vector<uint8_t> read_whole_file(const std::string& path);

/// The folder of a model: finds the files that the model names.
class Folder {
 public:
  explicit Folder(const std::string& file_in_folder);

  /// The absolute path of the file `relative`. Empty if it is not a regular file inside the folder, after symbolic
  /// links are resolved.
  std::string find(const std::string& relative) const;

 private:
  std::string canonical_;  // empty if the folder could not be resolved: no file is found then
};

}  // namespace sinew::internal
