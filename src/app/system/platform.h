// All that the program asks of the operating system. Implemented in platform_posix.cpp with platform_linux.cpp or
// platform_macos.cpp, and in platform_windows.cpp. Text and paths are UTF-8 on each system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

// This process.

/// The words of the command that this process was started with: the program as it was called, then its arguments.
/// Empty where the system does not tell.
std::vector<std::string> command_words();

/// The arguments of the program. On Windows argv is in the system's code page and lacks letters: there they come from
/// command_words().
std::vector<std::string> arguments_of(int argc, char** argv);

/// A word as this system's shell takes it: in quotes, where it needs them. Windows: `cmd` still replaces %NAME%.
std::string quoted_for_shell(const std::string& word);

/// The value of a variable of the environment. Empty: not set.
std::string environment_value(const char* name);

/// The folder for files that a user's programs keep and can make again. Empty: unknown.
std::filesystem::path user_cache_folder();

/// A function of RenderDoc, if RenderDoc has started this program; else null.
void* renderdoc_function(const char* name);

/// The roots of all file systems: "/", or the drives.
std::vector<std::filesystem::path> root_folders();

// Standard streams.

/// Opens those of standard input, output and error that are closed, so that no file of the program gets their number.
/// Output to a closed standard output then fails; so does output above the limit on the size of files, in place of a
/// signal that would end the program. Bytes stay as they are written, and a terminal takes UTF-8. Call it first in
/// main().
void reserve_standard_streams();

/// Whether a terminal takes the control sequences of colors and of a line that is written again.
bool takes_control_sequences(FILE* stream);

// Processors.

/// Processor time since the start of the machine, summed over all cores, and of this process.
struct ProcessorTimes {
  double busy_seconds = 0, stolen_seconds = 0, all_seconds = 0;  // stolen: by other virtual machines
  double own_seconds = 0;
};

std::optional<ProcessorTimes> processor_times();

/// The mean clock of all cores, as the system states it; virtual machines often state a fixed one.
std::optional<double> clock_mhz();

/// Such as "AMD Ryzen 9 7950X 16-Core Processor". Empty: unknown.
std::string processor_name();

// Another process.

/// A running program with this process's environment. Its destructor ends it.
class ChildProcess {
 public:
  /// `command`: the path of the program, then its arguments. Errors: kNotFound, where it cannot be started;
  /// kOutOfMemory.
  static Result<ChildProcess> start(const std::vector<std::string>& command);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  /// To its standard input. A program that has ended takes nothing, without an error.
  void write(std::string_view bytes);
  /// From its standard output: waits for at least a byte. 0: the output has ended.
  size_t read(std::span<char> bytes);
  /// Waits until it has ended. Empty for exit code 0, else how it ended, as "exit code 3" or "signal 9".
  std::string wait();
  /// The last bytes of its standard error, at most 4096.
  std::string end_of_errors() const;

 private:
  struct Impl;
  explicit ChildProcess(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Ctrl-C during a measurement: the frame is finished, and what was measured is reported.

/// While it lives, the first interrupt only sets a flag; the second one ends the program. An interrupt is SIGINT, on
/// Windows Ctrl-C or the closing of the console. One at a time.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;

  /// Whether there was an interrupt. It stays so after the flag has ended.
  static bool is_set();
};

inline constexpr int kInterruptedCode = 130;  // the exit code, as shells have it

}  // namespace sinew::app
