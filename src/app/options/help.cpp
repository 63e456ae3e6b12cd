#include "options/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "system/output.h"

namespace sinew::app {
namespace {

constexpr size_t kNameWidth = 28, kLineWidth = 100;

struct Texts {
  std::string brief, help;
};

Texts texts_of(const CLI::Option& option) {
  const std::string& all = option.get_description();
  const size_t end = all.find(kEndOfBrief);
  return end == all.npos ? Texts{"", all} : Texts{all.substr(0, end), all.substr(end + 1)};
}

bool is_positional(const CLI::Option& option) { return option.get_positional(); }

bool takes_value(const CLI::Option& option) { return option.get_type_size() > 0 && !option.get_type_name().empty(); }

/// "--size WxH", "FILE...".
std::string heading_of(const CLI::Option& option) {
  if (is_positional(option)) return option.get_single_name() + (option.get_expected_max() > 1 ? "..." : "");
  std::string names;
  for (const std::string& letter : option.get_snames()) names += (names.empty() ? "-" : ", -") + letter;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return names + (takes_value(option) ? " " + option.get_type_name() : "");
}

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

/// The groups of a command in the order of their first options; that of --help comes last.
std::vector<std::string> groups_of(const CLI::App& command) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : command.get_options()) {
    const std::string& group = option->get_group();
    if (!is_hidden(*option) && std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
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
  std::string line;
  for (const CLI::Option* option : command.get_options()) {
    if (!is_hidden(*option) && !is_positional(*option) && option->get_required()) line += heading_of(*option) + " ";
  }
  line += "[OPTIONS]";
  for (const CLI::Option* option : command.get_options()) {
    if (!is_positional(*option)) continue;
    line += option->get_required() ? " " + heading_of(*option) : " [" + heading_of(*option) + "]";
  }
  return line;
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

/// One text of each option that has it, under the names of groups.
std::string option_lines(const CLI::App& command, std::string Texts::*which) {
  std::string lines;
  for (const std::string& group : groups_of(command)) {
    std::string of_group;
    for (const CLI::Option* option : command.get_options()) {
      const std::string text = texts_of(*option).*which;
      if (option->get_group() == group && !text.empty())
        of_group += wrapped("  " + heading_of(*option), text, kNameWidth);
    }
    if (!of_group.empty()) lines += "\n" + emphasized(group) + "\n" + of_group;
  }
  return lines;
}

bool has_more(const CLI::App& command) {
  const auto& options = command.get_options();
  return std::any_of(options.begin(), options.end(),
                     [](const CLI::Option* option) { return !is_hidden(*option) && texts_of(*option).brief.empty(); });
}

// --- completions ---

/// The words that an option takes, where its type lists them: on|off.
std::string choices_of(const CLI::Option& option) {
  std::string words = option.get_type_name();
  if (words.find('|') == words.npos || words.find_first_of(".[< ") != words.npos) return {};
  if (std::any_of(words.begin(), words.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return {};
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& letter : option.get_snames()) names.push_back("-" + letter);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

template <class Take>
void for_each_option(const CLI::App& command, Take take) {
  for (const CLI::Option* option : command.get_options()) {
    if (!is_hidden(*option) && !is_positional(*option)) take(*option);
  }
}

std::string list_of_commands(const CLI::App& program) {
  std::string list;
  for (const CLI::App* command : commands_of(program)) list += (list.empty() ? "" : " ") + command->get_name();
  return list;
}

/// The words for what is written now, by the option before it.
std::string bash_cases(const CLI::App& command) {
  std::string names, cases;
  for_each_option(command, [&](const CLI::Option& option) {
    std::string pattern;
    for (const std::string& name : names_of(option)) {
      names += (names.empty() ? "" : " ") + name;
      pattern += (pattern.empty() ? "" : "|") + name;
    }
    if (const std::string words = choices_of(option); !words.empty())
      cases += "        " + pattern + ") words='" + words + "' ;;\n";
  });
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

std::string first_sentence(const CLI::Option& option) {
  const auto [brief, help] = texts_of(option);
  return brief.empty() ? sentence_of(help) : brief;
}

/// Colons and brackets end a text in zsh's descriptions.
std::string zsh_text(std::string text) {
  for (char& c : text) c = c == ':' || c == '[' || c == ']' ? ' ' : c;
  return text;
}

std::string zsh_arguments(const CLI::App& command) {
  std::string lines;
  for_each_option(command, [&](const CLI::Option& option) {
    const std::string words = choices_of(option);
    const std::string value = !takes_value(option) ? "" : (words.empty() ? ":value:_files" : ":word:(" + words + ")");
    for (const std::string& name : names_of(option))
      lines += " \\\n        " + quoted(name + "[" + zsh_text(first_sentence(option)) + "]" + value);
  });
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
    for_each_option(*command, [&](const CLI::Option& option) {
      const std::string words = choices_of(option);
      for (const std::string& name : option.get_lnames())
        script += "complete -c sinew -n '__fish_seen_subcommand_from " + command->get_name() + "' -l " + name +
                  (takes_value(option) ? " -r" : "") + (words.empty() ? "" : " -f -a " + quoted(words)) + " -d " +
                  quoted(first_sentence(option)) + "\n";
    });
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
  std::string page;
  for (const std::string& group : groups_of(command)) {
    std::string of_group;
    for (const CLI::Option* option : command.get_options()) {
      const std::string help = texts_of(*option).help;
      if (option->get_group() == group && !help.empty())
        of_group += ".TP\n.B " + roff(heading_of(*option)) + "\n" + roff(help) + "\n";
    }
    if (!of_group.empty()) page += ".PP\n.I " + roff(group) + "\n" + of_group;
  }
  return page;
}

}  // namespace

std::string short_help(const CLI::App& command) {
  if (!has_more(command) || !command.get_parent()) return long_help(command);
  std::string text = command.get_description() + ".\n" + usage(command);
  const std::string common = option_lines(command, &Texts::brief);
  return common.empty() ? long_help(command)
                        : text + common + "\nAll options: sinew " + command.get_name() + " --help-all\n";
}

std::string long_help(const CLI::App& command) {
  return command.get_description() + (command.get_description().ends_with(".") ? "\n" : ".\n") + usage(command) +
         command_lines(command) + option_lines(command, &Texts::help);
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
         ".SH EXIT STATUS\n0: success. 2: a wrong command line. 130: interrupted. 1: any other failure.\n"
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set, nothing is printed in color.\n.TP\n.B SINEW_CACHE\n"
         "off: no files are kept between runs.\n";
}

}  // namespace sinew::app
