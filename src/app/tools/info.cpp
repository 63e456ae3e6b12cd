#include <string>
#include <vector>

#include "commands.h"
#include "options/parser.h"
#include "system/print.h"
#include "system/write_file.h"
#include "tools/character_info.h"

namespace sinew::app {
namespace {

struct Options {
  std::string file, json;
  LoadOptions load = default_load();
  bool joints = false;

  std::vector<OutputFile> outputs() const { return {{"--json", json}}; }
};

std::vector<Option> rows(Options& o) {
  o.load.import.allow_no_mesh = true;
  std::vector<Option> rows = option_rows(o.load);
  rows.insert(rows.begin(), file_row(o.file));
  rows.push_back({"--json", "FILE", word(o.json), "Write everything as JSON to this file"});
  rows.push_back({"--joints", "", flag(o.joints), "Print the joint hierarchy"});
  return rows;
}

Status run(const Options& options) {
  const Result<CharacterFile> file = load_checked(options);
  if (!file) return file.error();
  const ImportReport report = file->report.value_or(ImportReport());
  if (!options.json.empty()) {
    const std::string json = info_json(options.file, file->character, report);
    if (Status status = write_file(options.json, json); !status) return status;
  }
  return print(info_text(options.file, file->character, report, options.joints));
}

}  // namespace

void add_info_command(CLI::App& app, Status& status) {
  add_command<Options>(app, "info", "Prints the content of a character file, and what import changed in it", status,
                       rows, check_files, run);
}

}  // namespace sinew::app
