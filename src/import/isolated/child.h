// Another program, run with a deadline; what it writes is kept.
#pragma once

#include <string>
#include <vector>

#include "asset/file.h"
#include "sinew/asset/result.h"

namespace sinew {

/// A file without a name, readable and writable by this process and whom it hands it to. Gone with the object.
class UnnamedFile {
 public:
  static Result<UnnamedFile> create();
  UnnamedFile(UnnamedFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  UnnamedFile& operator=(UnnamedFile&&) = delete;
  ~UnnamedFile();

  int descriptor() const { return descriptor_; }

 private:
  explicit UnnamedFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// How a program ended.
struct ChildEnd {
  int exit_code = -1;      // -1 where a signal ended it, or nobody can tell
  int signal = 0;          // that ended it, or 0
  bool timed_out = false;  // it was ended for taking longer than the deadline
  std::string errors;      // the last 64 KiB of its standard error
};

/// Runs `command` (a path and its arguments), with standard output to `output` and no other files of this process, and
/// waits. Returns when it has ended, by itself or after `seconds` by force. Fails where it cannot be started.
Result<ChildEnd> run_child(const std::vector<std::string>& command, const UnnamedFile& output, double seconds);

}  // namespace sinew
