// The only way import reaches the disk: regular files of bounded size, beside or below the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// The whole of a regular file. Throws ImportFailure; never blocks on a pipe or a device.
std::vector<uint8_t> read_whole_file(const std::string& path);

/// A model's folder.
class Folder {
 public:
  explicit Folder(const std::string& file_in_folder);

  /// The path of `relative` where it names a regular file inside the folder, symbolic links followed; else empty.
  std::string find(const std::string& relative) const;

 private:
  std::string canonical_;  // empty where it could not be had: then nothing is found
};

}  // namespace sinew
