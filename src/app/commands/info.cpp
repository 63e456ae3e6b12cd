#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "commands/options.h"
#include "report/character_info.h"
#include "system/outputs.h"
#include "system/print.h"
#include "system/write_file.h"

namespace sinew::app {
namespace {

struct Options {
  std::string file, json;
  LoadOptions load;
  bool joints = false;

  std::vector<OutputFile> outputs() const { return {{"--json", json}}; }
};

Status run(const Options& options) {
  if (Status status = check_writable(options.outputs()); !status) return status;
  const Result<CharacterFile> file = load_file(options.file, options.load);
  if (!file) return file.error();
  const Character& character = file->character;
  if (Status distinct = check_distinct(options.outputs(), image_files(character, options.file)); !distinct)
    return distinct;
  const ImportReport report = file->report.value_or(ImportReport());
  if (!options.json.empty()) {
    if (Status status = write_file(options.json, info_json(options.file, character, report)); !status) return status;
  }
  return print(info_text(options.file, character, report, options.joints));
}

}  // namespace

void add_info_command(CLI::App& app, Status& status) {
  CLI::App* command =
      app.add_subcommand("info", "Prints the content of a character file, and what import changed in it");
  const auto options = std::make_shared<Options>();
  options->load.import.allow_no_mesh = true;
  add_option(*command, file_row(options->file));
  add_options(*command, option_rows(options->load));
  add_option(*command, {"--json", "FILE", word(options->json), "Write everything as JSON to this file"});
  add_option(*command, {"--joints", "", flag(options->joints), "Print the joint hierarchy"});
  command->callback([options, &status] {
    require(check_distinct(options->outputs(), input_files(options->file, options->load)));
    status = run(*options);
  });
}

}  // namespace sinew::app
