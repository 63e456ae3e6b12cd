// Errors of small programs: the first one ends the program with its message and exit code 1.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "host/graphics.h"
#include "sinew/asset/result.h"

namespace host {

/// The device or its driver lacks what a program is about: the exit code is 77, which test runners read as skipped.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const std::string& message) { throw std::runtime_error(message); }

/// Fails with the message of an error. The second one returns the value.
inline void check(const sinew::Status& status) {
  if (!status) fail(status.error().message);
}

template <class Value>
Value check(sinew::Result<Value> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

// The command line of a small program that draws, and its exit code.

inline constexpr size_t kMaxNumbers = 2;

/// What the command line says.
struct Options {
  std::string file;
  std::string picture;  // the PNG of --headless; empty: a window
  uint32_t frames = 0;  // to draw; 0: until the window is closed
  double seconds = 0;   // the time of the first frame
  uint32_t width = 1280, height = 720;
  bool validate = false;
  std::array<uint32_t, kMaxNumbers> numbers = {};  // of Program::numbers
};

/// An option of one program that takes a number from 1 to `max`.
struct NumberOption {
  const char* name = nullptr;  // as "--characters"; null: there is none
  const char* help = "";
  uint32_t value = 0, max = 0;  // value: without the option
};

struct Program {
  const char* name;
  const char* summary;            // one line
  const char* file_help = "";     // what FILE is; empty: the program takes none
  const char* file = "";          // without FILE
  uint32_t headless_frames = 30;  // without --frames
  double headless_seconds = 0;    // without --seconds: of a picture
  std::array<NumberOption, kMaxNumbers> numbers = {};
  void (*run)(const Options& options) = nullptr;  // throws at an error: check()
};

/// Reads the command line and runs the program. Returns the exit code: 0, 1 after an error or a message of validation,
/// 2 for a command line that is not right, 77 after Missing.
int run_program(const Program& program, int argc, char** argv);

/// The device that the options ask for, and its window unless a picture is written. `ray_queries` as GraphicsOptions.
Status set_up(const Options& options, const char* title, GraphicsContext& graphics, bool ray_queries = false);

}  // namespace host
