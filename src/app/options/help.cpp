#include "options/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "system/output.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr size_t kNameWidth = 28, kLineWidth = 100;

/// An option as all texts have it. Those that are hidden have none.
struct Row {
  std::vector<std::string> names;  // "-V", "--version"; empty: it has a place, not a name
  std::string heading;             // "--size WxH", "FILE..."
  std::string brief, help, group;
  std::string words;  // that it takes, where its type lists them: "on off"
  bool takes_value = false, required = false;
};

/// on|off
std::string words_of(std::string type) {
  const bool lists = type.find('|') != type.npos && type.find_first_of(".[< ") == type.npos &&
                     std::ranges::none_of(type, [](char c) { return c >= 'A' && c <= 'Z'; });
  std::ranges::replace(type, '|', ' ');
  return lists ? type : "";
}

Row row_of(const CLI::Option& option) {
  Row row;
  const std::string& all = option.get_description();
  const size_t end = all.find(kEndOfBrief);
  row.brief = end == all.npos ? "" : all.substr(0, end), row.help = end == all.npos ? all : all.substr(end + 1);
  row.group = option.get_group(), row.required = option.get_required();
  row.words = words_of(option.get_type_name());
  row.takes_value = option.get_type_size() > 0 && !option.get_type_name().empty();
  if (option.get_positional()) {
    row.heading = option.get_single_name() + (option.get_expected_max() > 1 ? "..." : "");
    return row;
  }
  for (const std::string& letter : option.get_snames()) row.names.push_back("-" + letter);
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  row.heading = joined(row.names, ", ");
  if (row.takes_value) row.heading += " " + option.get_type_name();
  return row;
}

std::vector<Row> rows_of(const CLI::App& command) {
  std::vector<Row> rows;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_group().empty()) rows.push_back(row_of(*option));
  }
  return rows;
}

/// The groups in the order of their first options; that of --help comes last.
std::vector<std::string> groups_of(const std::vector<Row>& rows) {
  std::vector<std::string> groups;
  for (const Row& row : rows) {
    if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
  }
  std::stable_partition(groups.begin(), groups.end(), [](const std::string& group) { return group != "Options"; });
  return groups;
}

/// `text` in lines of at most kLineWidth letters, each after `indent` blanks; the first one follows `begin`.
std::string wrapped(const std::string& begin, const std::string& text, size_t indent) {
  std::string lines, line = begin;
  line.resize(std::max(line.size(), indent), ' ');
  if (begin.size() + 2 > indent && !text.empty()) lines = begin + "\n", line = std::string(indent, ' ');
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > kLineWidth) {
      lines += line + "\n";
      line = std::string(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + word;
  }
  return lines + line + "\n";
}

/// "[OPTIONS] FILE", with the options that must be given.
std::string arguments_of(const CLI::App& command) {
  std::string named, placed;
  for (const Row& row : rows_of(command)) {
    if (row.names.empty()) placed += row.required ? " " + row.heading : " [" + row.heading + "]";
    if (!row.names.empty() && row.required) named += row.heading + " ";
  }
  return named + "[OPTIONS]" + placed;
}

std::string usage(const CLI::App& command) {
  const std::string name = command.get_parent() ? "sinew " + command.get_name() : "sinew COMMAND";
  return "Usage: " + name + " " + arguments_of(command) + "\n";
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) commands.push_back(command);
  }
  return commands;
}

std::string command_lines(const CLI::App& program) {
  const auto commands = commands_of(program);
  if (commands.empty()) return {};
  std::string lines = "\n" + emphasized("Commands") + "\n";
  for (const CLI::App* command : commands) lines += wrapped("  " + command->get_name(), command->get_description(), 14);
  return lines;
}

/// What `line_of` makes of each option that has the text `which`, under what `heading_of` makes of its group.
template <class HeadingOf, class LineOf>
std::string by_group(const CLI::App& command, std::string Row::*which, HeadingOf heading_of, LineOf line_of) {
  const std::vector<Row> rows = rows_of(command);
  std::string lines;
  for (const std::string& group : groups_of(rows)) {
    std::string of_group;
    for (const Row& row : rows) {
      if (row.group == group && !(row.*which).empty()) of_group += line_of(row);
    }
    if (!of_group.empty()) lines += heading_of(group) + of_group;
  }
  return lines;
}

std::string option_lines(const CLI::App& command, std::string Row::*which) {
  return by_group(
      command, which, [](const std::string& group) { return "\n" + emphasized(group) + "\n"; },
      [which](const Row& row) { return wrapped("  " + row.heading, row.*which, kNameWidth); });
}

// --- completions ---

/// Those that have a name.
std::vector<Row> named_rows(const CLI::App& command) {
  std::vector<Row> rows = rows_of(command);
  std::erase_if(rows, [](const Row& row) { return row.names.empty(); });
  return rows;
}

std::string list_of_commands(const CLI::App& program) {
  return joined(commands_of(program), " ", [](const CLI::App* command) { return command->get_name(); });
}

/// The words for what is written now, by the option before it.
std::string bash_cases(const CLI::App& command) {
  std::string names, cases;
  for (const Row& row : named_rows(command)) {
    names += (names.empty() ? "" : " ") + joined(row.names, " ");
    if (!row.words.empty()) cases += "        " + joined(row.names, "|") + ") words='" + row.words + "' ;;\n";
  }
  return "    " + command.get_name() + ")\n      case $before in\n" + cases + "        *) [[ $now == -* ]] && words='" +
         names + "' ;;\n      esac ;;\n";
}

std::string bash_completions(const CLI::App& program) {
  std::string script =
      "_sinew() {\n"
      "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words='" +
      list_of_commands(program) + " help --help --version'\n  fi\n  case ${COMP_WORDS[1]} in\n    help) words='" +
      list_of_commands(program) + "' ;;\n";
  for (const CLI::App* command : commands_of(program)) script += bash_cases(*command);
  return script +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
         "}\n"
         "complete -o default -o bashdefault -F _sinew sinew\n";
}

/// A text in single quotes, for a shell.
std::string quoted(const std::string& text) {
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

/// Up to the first ". ", ";" or " [".
std::string sentence_of(const std::string& help) {
  const size_t end = std::min({help.find(". "), help.find(';'), help.find(" ["), help.size()});
  return help.substr(0, end);
}

std::string first_sentence(const Row& row) { return row.brief.empty() ? sentence_of(row.help) : row.brief; }

/// Colons and brackets end a text in zsh's descriptions.
std::string zsh_text(std::string text) {
  for (char& c : text) c = c == ':' || c == '[' || c == ']' ? ' ' : c;
  return text;
}

std::string zsh_arguments(const CLI::App& command) {
  std::string lines;
  for (const Row& row : named_rows(command)) {
    const std::string value = row.words.empty() ? ":value:_files" : ":word:(" + row.words + ")";
    for (const std::string& name : row.names)
      lines +=
          " \\\n        " + quoted(name + "[" + zsh_text(first_sentence(row)) + "]" + (row.takes_value ? value : ""));
  }
  return "      " + command.get_name() + ")\n      _arguments" + lines + " \\\n        '*:file:_files' ;;\n";
}

std::string zsh_completions(const CLI::App& program) {
  std::string script = "#compdef sinew\n_sinew() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(help";
  for (const CLI::App* command : commands_of(program))
    script += " " + quoted(command->get_name() + ":" + zsh_text(command->get_description()));
  script += ")\n    _describe command commands\n    _files\n    return\n  fi\n  local command=$words[2]\n" +
            std::string("  shift words; (( CURRENT-- ))\n  case $command in\n");
  for (const CLI::App* command : commands_of(program)) script += zsh_arguments(*command);
  return script + "    *) _files ;;\n  esac\n}\n_sinew \"$@\"\n";
}

std::string fish_completions(const CLI::App& program) {
  std::string script;
  for (const CLI::App* command : commands_of(program)) {
    script += "complete -c sinew -n __fish_use_subcommand -a " + command->get_name() + " -d " +
              quoted(command->get_description()) + "\n";
    for (const Row& row : named_rows(*command)) {
      for (const std::string& name : row.names) {
        if (!name.starts_with("--")) continue;
        script += "complete -c sinew -n '__fish_seen_subcommand_from " + command->get_name() + "' -l " +
                  name.substr(2) + (row.takes_value ? " -r" : "") +
                  (row.words.empty() ? "" : " -f -a " + quoted(row.words)) + " -d " + quoted(first_sentence(row)) +
                  "\n";
      }
    }
  }
  return script;
}

// --- the manual page ---

/// Backslashes and hyphens as they are; no line begins with a request.
std::string roff(const std::string& text) {
  std::string all;
  for (const char c : text) all += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return all.starts_with(".") || all.starts_with("'") ? "\\&" + all : all;
}

std::string roff_options(const CLI::App& command) {
  return by_group(
      command, &Row::help, [](const std::string& group) { return ".PP\n.I " + roff(group) + "\n"; },
      [](const Row& row) { return ".TP\n.B " + roff(row.heading) + "\n" + roff(row.help) + "\n"; });
}

}  // namespace

std::string short_help(const CLI::App& command) {
  const std::string common = command.get_parent() ? option_lines(command, &Row::brief) : "";
  return common.empty() ? long_help(command)
                        : command.get_description() + ".\n" + usage(command) + common + "\nAll options: sinew " +
                              command.get_name() + " --help-all\n";
}

std::string long_help(const CLI::App& command) {
  return command.get_description() + (command.get_description().ends_with(".") ? "\n" : ".\n") + usage(command) +
         command_lines(command) + option_lines(command, &Row::help);
}

std::string completions(const CLI::App& program, std::string_view shell) {
  if (shell == "bash") return bash_completions(program);
  return shell == "zsh" ? zsh_completions(program) : fish_completions(program);
}

std::string manual(const CLI::App& program) {
  std::string page = ".TH SINEW 1\n.SH NAME\nsinew \\- crowds of animated characters in Vulkan\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(program))
    page += ".B sinew " + command->get_name() + "\n" + roff(arguments_of(*command)) + "\n.br\n";
  page += ".SH DESCRIPTION\n" + roff(program.get_description()) + "\n";
  for (const CLI::App* command : commands_of(program))
    page += ".SH SINEW " + roff(command->get_name()) + "\n" + roff(command->get_description()) + ".\n" +
            roff_options(*command);
  return page +
         ".SH EXIT STATUS\n0: success. 2: a wrong command line, or a report that cannot be compared. 130: interrupted. "
         "1: any other failure.\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set, nothing is printed in color.\n.TP\n.B SINEW_CACHE\n"
         "off: no files are kept between runs.\n";
}

}  // namespace sinew::app
