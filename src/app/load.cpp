#include "load.h"

#include <CLI/CLI.hpp>

#include "options.h"

namespace sinew::app {

void add_load_options(CLI::App& command, LoadOptions& options) {
  options.isolated = true;
  options.isolation.program = "/proc/self/exe";
  command
      .add_option("--animation", options.import.animation_files,
                  "A file whose clips are added, by joint name; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option_function<std::string>(
          "--isolate", [&options](const std::string& word) { options.isolated = word == "on"; },
          "Import in a process of its own, which a malformed file may crash: on or off [on]")
      ->type_name("WHETHER")
      ->check(one_of({"on", "off"}));
  add_number(
      command, "--import-seconds", 1.0, 1e6, [&options](double seconds) { options.isolation.seconds = seconds; },
      "Of processor time for an isolated import [4, and a quarter more for each MiB of the files]")
      ->type_name("SECONDS");
  add_number(
      command, "--import-memory", uint64_t(16), uint64_t(1) << 24,
      [&options](uint64_t mebibytes) { options.isolation.memory_bytes = mebibytes << 20; },
      "For an isolated import, in MiB [960, or 30 times the files]")
      ->type_name("MIB");
}

std::vector<std::string> input_files(const std::string& model, const LoadOptions& options) {
  std::vector<std::string> files = options.import.animation_files;
  files.push_back(model);
  return files;
}

Result<CharacterFile> load_file(const std::string& path, const LoadOptions& options) {
  const ImportOptions& import = options.import;
  if (is_character_file(path) && import.animation_files.empty() && import.max_influences == 0 && !import.tangents) {
    return load_character_file(path);
  }
  ImportReport report;
  Result<Character> character = options.isolated ? import_isolated(path, options.import, options.isolation, &report)
                                                 : load_character(path, options.import, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

}  // namespace sinew::app
