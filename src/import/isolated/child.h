// Running another program with a deadline, and keeping its output.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "asset/file.h"
#include "sinew/asset/result.h"

namespace sinew::internal {

/// A temporary file without a name. Only this process, and processes that inherit the descriptor, can access it. The
/// destructor closes the descriptor; the file is deleted with the last one.
class TemporaryFile {
 public:
  /// Fails with kUnreadable if no file can be made in the folder for temporary files.
  static Result<TemporaryFile> create();
  TemporaryFile(TemporaryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  int descriptor() const { return descriptor_; }

 private:
  explicit TemporaryFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// How a program ended.
struct ChildResult {
  int exit_code = -1;      // -1: it did not end by itself, or its status is unknown
  bool timed_out = false;  // it ran past the deadline, or past its limit of processor time, and was killed
  std::string crash;       // what else ended it, in the system's words: "Segmentation fault"; empty: nothing
  std::string errors;      // the end of its standard error: 64 to 128 KiB if it is long
};

/// Called with the end of a program's standard error whenever there is more of it; see ChildResult::errors.
using ErrorsCallback = std::function<void(std::string_view errors)>;

/// Runs `command` (a path and its arguments) and waits for its end. The standard output goes to `output`; no other open
/// files are inherited. After `seconds` of wall time the program is killed. No child process is left on return, nor
/// where `on_errors` throws an exception, which passes through. Fails with kUnreadable if the program cannot be
/// started.
Result<ChildResult> run_child(const std::vector<std::string>& command, const TemporaryFile& output, double seconds,
                              const ErrorsCallback& on_errors = {});

}  // namespace sinew::internal
