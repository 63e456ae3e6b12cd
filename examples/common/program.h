// The command line of an example, and its exit code.
#pragma once

#include <cstdint>
#include <string>

namespace host {

/// What the command line says.
struct Options {
  std::string file;         // the character
  std::string picture;      // the PNG of --headless; empty: a window
  uint32_t frames = 0;      // to draw; 0: until the window is closed
  uint32_t characters = 0;  // to draw, in examples with this option
  uint32_t width = 1280, height = 720;
  uint32_t budget_mib = 0;  // of memory, in examples with this option
  bool validate = false;
};

/// An example.
struct Program {
  const char* name;
  const char* summary;              // one line
  uint32_t headless_frames = 30;    // without --frames
  uint32_t default_characters = 0;  // 0: no option --characters
  uint32_t default_budget_mib = 0;  // 0: no option --budget
  void (*run)(const Options& options);
};

/// Reads the command line and runs the example. Returns the exit code: 0, 1 after an error or a message of validation,
/// 2 for a command line that is not right, 77 where the device lacks what the example is about.
int run_program(const Program& program, int argc, char** argv);

}  // namespace host
