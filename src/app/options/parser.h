// Options for CLI11. They are strict: a word that is not exactly a valid value is an error.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "options/load_options.h"
#include "sinew/asset/result.h"
#include "system/outputs.h"

namespace sinew::app {

/// Adds an option to the parser. What the row refers to must outlive the parsing.
inline CLI::Option* add_option(CLI::App& command, const Option& row) {
  const auto take = [name = row.name, set = row.value.set](const std::string& word) {
    if (const std::string problem = set(word); !problem.empty()) throw CLI::ValidationError(name, problem);
  };
  if (row.value.words == Binding::Words::kNone)
    return command.add_flag_callback(
        row.name, [=] { take(""); }, row.help);
  if (row.value.words == Binding::Words::kOne)
    return command.add_option_function<std::string>(row.name, take, row.help)
        ->type_name(row.type)
        ->required(row.required);
  const auto take_all = [=](const std::vector<std::string>& words) { std::for_each(words.begin(), words.end(), take); };
  CLI::Option* option = command.add_option_function<std::vector<std::string>>(row.name, take_all, row.help);
  return option->type_name(row.type)->required(row.required)->allow_extra_args(!row.name.starts_with("-"));
}

inline void add_options(CLI::App& command, const std::vector<Option>& rows) {
  for (const Option& row : rows) add_option(command, row);
}

/// An option of an older version: the error says what its name is now. The help does not have it.
inline void add_renamed(CLI::App& command, const RenamedOption& option) {
  const std::string message = std::string(option.old_name) + " is now " + option.new_names;
  const auto refuse = [=](const std::vector<std::string>&) { throw CLI::ValidationError(message); };
  command.add_option_function<std::vector<std::string>>(option.old_name, refuse)->expected(0, 1)->group("");
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

/// Adds a command with options of its own. `rows` are those of its options; `check` refuses options that contradict
/// each other; the result of `run` is stored in `status`, which must outlive the parsing.
template <class Options>
void add_command(CLI::App& app, const char* name, const char* help, Status& status,
                 std::vector<Option> (*rows)(Options&), Status (*check)(const Options&),
                 Status (*run)(const Options&)) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<Options>();
  add_options(*command, rows(*options));
  command->callback([=, &status] {
    require(check(*options));
    status = run(*options);
  });
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

// --- for commands without rows ---

/// Adds an option that calls `set` with a number from `min` to `max`.
template <class Value, class Set>
CLI::Option* add_number(CLI::App& command, const std::string& name, Value min, Value max, Set set,
                        const std::string& help) {
  const auto take = [=](const std::string& word) -> std::string {
    Value value{};
    const std::string problem = number(value, min, max).set(word);
    return problem.empty() ? set(value), problem : problem;
  };
  return add_option(command, {name, "", {take, {}}, help});
}

/// Accepts only these words. Adds nothing to the help text, unlike CLI::IsMember alone.
inline CLI::Validator one_of(std::vector<std::string> words) { return CLI::IsMember(std::move(words)).description(""); }

/// Adds an option of two words: `yes` stores true in `value`, `no` false. `value` must outlive the parsing.
inline void add_either(CLI::App& command, const std::string& name, const std::string& yes, const std::string& no,
                       bool& value, const std::string& help) {
  add_option(command, {name, yes + "|" + no, choice(value, {{yes, true}, {no, false}}), help});
}

inline void add_size(CLI::App& command, const std::string& help, uint32_t& width, uint32_t& height) {
  add_option(command, {"--size", "WxH", size(width, height), help});
}

inline void add_scale(CLI::App& command, std::optional<float>& scale) {
  add_option(command, scale_row(scale));
  add_renamed(command, {"--scale", "--interface-scale"});
}

inline void add_load_options(CLI::App& command, LoadOptions& options) {
  options = default_load();
  add_options(command, option_rows(options));
}
inline void add_blend_option(CLI::App& command, LoadOptions& options) { add_option(command, blend_row(options)); }

}  // namespace sinew::app
