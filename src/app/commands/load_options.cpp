#include "commands/load_options.h"

#include <CLI/CLI.hpp>

#include "commands/options.h"

namespace sinew::app {

void add_load_options(CLI::App& command, LoadOptions& options) {
  options.isolated = true;
  options.isolation.program = "/proc/self/exe";
  command
      .add_option("--animation", options.import.animation_files,
                  "A file whose clips are added, by joint name; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_switch(command, "--isolate", options.isolated,
             "Import in a process of its own, which a malformed file may crash [on]");
  add_number(
      command, "--import-seconds", 1.0, 1e6, [&options](double seconds) { options.isolation.seconds = seconds; },
      "Of processor time for an isolated import [4, and 0.25 more for each MiB of the files]")
      ->type_name("SECONDS");
  add_number(
      command, "--import-memory", uint64_t(16), uint64_t(1) << 24,
      [&options](uint64_t mebibytes) { options.isolation.memory_bytes = mebibytes << 20; },
      "For an isolated import, in MiB [960, or 30 times the files]")
      ->type_name("MIB");
}

}  // namespace sinew::app
