#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "options/parser.h"
#include "system/output.h"
#include "system/progress.h"
#include "tools/character_info.h"

namespace sinew::app {
namespace {

struct InfoArguments {
  std::string file, json;
  LoadOptions load = default_load();
  bool joints = false;
  bool levels = false;  // made where the file has none

  std::vector<OutputFile> outputs() const { return {{"--json", json}}; }
};

std::vector<Option> rows(InfoArguments& o) {
  o.load.import.allow_no_mesh = true;
  std::vector<Option> rows = option_rows(o.load);
  rows.insert(rows.begin(), file_row(o.file));
  rows.push_back({"--json", "FILE", word(o.json), "Write everything as JSON to this file"});
  rows.push_back({"--joints", "", flag(o.joints), "Print the joint hierarchy"});
  rows.push_back({"--levels", "", flag(o.levels),
                  "Print a table of levels of detail, and make them where the file has none, which takes seconds"});
  return rows;
}

/// Those of the file, or with --levels those that a crowd would make. Else none.
Result<std::vector<LevelFacts>> find_levels(const InfoArguments& options, const CharacterFile& file,
                                            ImportReport& report) {
  if (!options.levels && file.levels.empty()) return std::vector<LevelFacts>();
  auto model = make_model(options.file, file);
  if (!model) return model.error();
  const ProgressLine line("making levels of detail");
  if (Status added = add_levels(*model, {}, &report.warnings); !added) return added.error();
  return level_facts(*model);
}

Status run(const InfoArguments& options) {
  const Result<CharacterFile> file = load_checked(options);
  if (!file) return file.error();
  ImportReport report = file->report.value_or(ImportReport());
  const auto levels = find_levels(options, *file, report);
  if (!levels) return levels.error();
  const nlohmann::ordered_json info = info_json(options.file, file->character, report, *levels);
  if (!options.json.empty()) {
    const std::string json =
        info.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // names need not be UTF-8
    if (Status status = write_file(options.json, json); !status) return status;
  }
  return print(info_text(info, report, options.joints));
}

}  // namespace

void add_info_command(CLI::App& app, Status& status) {
  add_command<InfoArguments>(app, "info", "Prints the content of a character file, and what import changed in it",
                             status, rows, check_files, run);
}

}  // namespace sinew::app
