#include "load.h"

#include <CLI/CLI.hpp>

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
      ->check(CLI::IsMember({"on", "off"}).description(""));
  command
      .add_option("--import-seconds", options.isolation.seconds,
                  "Of processor time for an isolated import [4, and a quarter more for each MiB of the files]")
      ->type_name("SECONDS")
      ->check(CLI::Range(1.0, 1e6).description(""));
  command
      .add_option_function<uint64_t>(
          "--import-memory", [&options](uint64_t mebibytes) { options.isolation.memory_bytes = mebibytes << 20; },
          "For an isolated import, in MiB [960, or 30 times the files]")
      ->type_name("MIB")
      ->check(CLI::Range(uint64_t(16), uint64_t(1) << 24).description(""));
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
