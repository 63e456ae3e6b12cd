#include "commands/load_options.h"

#include <CLI/CLI.hpp>

#include "commands/options.h"

namespace sinew::app {

void add_load_options(CLI::App& command, LoadOptions& options) {
  options.isolated = true;
  options.import.normal_map_tangents = true;  // they are drawn with them
  command
      .add_option("--animation", options.import.animation_files,
                  "Add the clips of this file, matched by joint name; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_flag("--retarget", options.retarget,
                   "Match joints of --animation without prefixes of their names, and move them relative to the rest "
                   "poses; the root's translation is scaled by height");
  add_switch(command, "--isolate", options.isolated,
             "Import in a separate process, so that a malformed file cannot crash this one [on]");
  command.add_flag("--verbose", options.verbose,
                   "Print what holds of the import process's sandbox, and what libraries print in it");
  add_number(
      command, "--import-seconds", 1.0, 1e6, [&options](double seconds) { options.isolation.seconds = seconds; },
      "Limit on an isolated import's processor time [4, plus 0.25 for each MiB of the files]")
      ->type_name("SECONDS");
  add_number(
      command, "--import-memory", uint64_t(16), uint64_t(1) << 24,
      [&options](uint64_t mebibytes) { options.isolation.memory_bytes = mebibytes << 20; },
      "Limit on an isolated import's memory, in MiB [960, or 30 times the files where that is more]")
      ->type_name("MIB");
}

void add_blend_option(CLI::App& command, LoadOptions& options) {
  const auto set = [&options](const std::string& word) {
    options.blend = word == "linear" ? Blend::kLinear : Blend::kDualQuaternion;
  };
  command
      .add_option_function<std::string>("--blend", set,
                                        "Blend the influences of vertices as matrices, or as dual quaternions: those "
                                        "keep the volume of joints that bend or twist far [as the file says]")
      ->type_name("linear|dual-quaternion")
      ->check(one_of({"linear", "dual-quaternion"}));
}

}  // namespace sinew::app
