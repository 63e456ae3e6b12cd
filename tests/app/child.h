// Runs the built program as a child process, and collects its output and exit code.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "files.h"
#include "must.h"

namespace sinew::test {

struct Outcome {
  int exit_code = -1;  // -1: ended by a signal; -2: timed out and was killed; 127: could not be started
  std::string out, err;
};

/// Changes to the inherited environment. An empty value removes the variable.
using Environment = std::map<std::string, std::string>;

/// Runs a program and waits for it. A name without a slash is searched in PATH. Standard input is /dev/null. With a
/// timeout of 0 the run has no end of its own: ctest ends a test with all its processes.
Outcome run(const std::vector<std::string>& command, const Environment& environment = {}, int timeout_seconds = 0);

/// The program: that of the build, or what SINEW_TESTED_PROGRAM names.
std::string program();

/// Runs `sinew` with these arguments.
Outcome sinew(const std::vector<std::string>& arguments, const Environment& environment = {});

/// A process that runs in the background, until the end of the scope at the latest. Its standard output and standard
/// error go to the files `out` and `err`.
class Background {
 public:
  Background(const std::vector<std::string>& command, const Environment& environment, const std::string& out,
             const std::string& err);
  Background(const Background&) = delete;
  ~Background();
  bool running();  // false once the process has ended
  /// Of the ended process; as in Outcome.
  int exit_code() const { return exit_code_; }

 private:
  int pid_ = -1, exit_code_ = -1;
};

using Folder = TemporaryFolder;

/// Without the lines that begin with WARNING: what is left of standard error are errors.
std::string without_warnings(const std::string& lines);

inline std::string read(const std::string& path) { return read_file_text(path); }
void write(const std::string& path, const std::string& bytes);

/// The built-in character.
inline const std::string kCharacter = SINEW_SOURCE_DIR "/assets/character.glb";

/// Writes a shell script that stands for the import worker. Returns its path.
std::string write_worker(const Folder& folder, const std::string& script);

/// The full path of a file of the shared folder (SINEW_SHARED_DIR); empty if the file does not exist.
std::string shared(const std::string& path);

/// Whether `sinew devices` finds a Vulkan device that can be used. It is run once.
bool has_device();

/// Whether the device draws the edges of triangles alone. The program is asked once.
bool draws_wireframe();

#define SINEW_SKIP_WITHOUT_DEVICE() \
  if (!sinew::test::has_device()) GTEST_SKIP() << "NO VULKAN DEVICE: nothing about the GPU was tested here"
#define SINEW_SKIP_WITHOUT(path) \
  if ((path).empty()) GTEST_SKIP() << "NO SHARED FOLDER (" SINEW_SHARED_DIR "): real models were not tested here"

}  // namespace sinew::test
