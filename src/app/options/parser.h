// Options for CLI11. They are strict: a word that is not exactly a valid value is an error.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "options/common_options.h"
#include "options/help.h"
#include "sinew/asset/result.h"
#include "system/output.h"

namespace sinew::app {

/// Adds an option to the parser. What the row refers to must outlive the parsing.
inline CLI::Option* add_option(CLI::App& command, const Option& row) {
  const auto take = [name = row.name, set = row.value.set](const std::string& word) {
    if (const std::string problem = set(word); !problem.empty()) throw CLI::ValidationError(name, problem);
  };
  const auto take_all = [=](const std::vector<std::string>& words) { std::for_each(words.begin(), words.end(), take); };
  const std::string help = description(row.brief, row.help);
  CLI::Option* option = nullptr;
  switch (row.value.words) {
    case Binding::Words::kNone:
      option = command.add_flag_callback(
          row.name, [=] { take(""); }, help);
      break;
    case Binding::Words::kOne:
      option = command.add_option_function<std::string>(row.name, take, help)->type_name(row.type);
      break;
    case Binding::Words::kEach:
      option = command.add_option_function<std::vector<std::string>>(row.name, take_all, help)->type_name(row.type);
      option->allow_extra_args(!row.name.starts_with("-"));
      break;
  }
  if (!row.group.empty()) option->group(row.group);
  return option->required(row.required);
}

inline void add_options(CLI::App& command, const std::vector<Option>& rows) {
  for (const Option& row : rows) add_option(command, row);
}

/// The row of the file that a command is about.
inline Option file_row(std::string& file) {
  return {.name = "file",
          .type = "TEXT",
          .value = word(file),
          .help = "Character file: .sinew, glTF, GLB, FBX, COLLADA, .x, BVH, MD5 ...",
          .required = true};
}

/// Throws where `status` is an error. The program then ends with exit code 2, as after an unknown option: for options
/// that contradict each other.
inline void require(const Status& status) {
  if (!status) throw CLI::ValidationError(status.error().message);
}

/// --quiet, which every command has that prints more than it is asked for.
inline void add_quiet(CLI::App& command) {
  command.add_flag_callback(
      "--quiet", [] { set_print(PrintTo::kNothing); }, "Print errors and warnings only");
}

/// Adds a command with options of its own. `rows` are those of its options; `check` refuses options that contradict
/// each other; the result of `run` is stored in `status`, which must outlive the parsing.
template <class Options>
CLI::App* add_command(CLI::App& app, const char* name, const char* help, Status& status,
                      std::vector<Option> (*rows)(Options&), Status (*check)(const Options&),
                      Status (*run)(const Options&)) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<Options>();
  add_options(*command, rows(*options));
  add_quiet(*command);
  command->callback([=, &status] {
    require(check(*options));
    print_beside(options->outputs());
    status = run(*options);
  });
  return command;
}

/// For commands about one file: no output is the file or one that it refers to, and all can be written.
template <class Options>
Status check_files(const Options& options) {
  return check_distinct(options.outputs(), input_files(options.file, options.load));
}
template <class Options>
Result<CharacterFile> load_checked(const Options& options) {
  if (Status writable = check_writable(options.outputs()); !writable) return writable.error();
  auto file = load_file(options.file, options.load);
  if (!file) return file;
  const auto images = image_files(file->character, options.file);
  if (Status distinct = check_distinct(options.outputs(), images); !distinct) return distinct.error();
  return file;
}

}  // namespace sinew::app
