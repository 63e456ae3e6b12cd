// Parses the arguments and runs one command. Exit codes: 0 success, 2 a wrong command line, 130 interrupted, 1 any
// other failure.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "options/help.h"
#include "sinew/asset/result.h"
#include "sinew/version.h"
#include "system/output.h"
#include "system/paths.h"
#include "system/platform.h"
#include "system/text.h"

namespace {

constexpr const char* kIntroduction =
    "sinew draws crowds of animated characters with Vulkan: it skins every vertex once, in a compute shader.\n"
    "\n"
    "Try first:\n"
    "  sinew crowd --screenshot crowd.png         1,000 characters: a picture and a table of times\n"
    "  sinew crowd --window                       the same in a window\n"
    "  sinew view FILE.glb                        one character: its clips, joints and weights, in a window\n"
    "  sinew info FILE.glb                        the content of a character file\n"
    "  sinew pose FILE.glb --output pose.ply      its skinned vertices at one time of a clip\n"
    "  sinew devices                              the Vulkan devices, and which can be used\n"
    "sinew help and sinew help COMMAND list the rest.\n";

void print_error(const std::string& message) {
  const bool colored = sinew::app::shows_colors(stderr);
  std::fprintf(stderr, "%ssinew:%s %s\n", colored ? "\x1b[31m" : "", colored ? "\x1b[0m" : "",
               sinew::app::printable(message).c_str());
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names{"help"};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// The names of a command's options that its help has.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// "; did you mean WORD?", or nothing.
std::string hint(const std::vector<std::string>& words, const std::string& written) {
  return sinew::app::did_you_mean(std::vector<std::string_view>(words.begin(), words.end()), written);
}

// CLI11 reports a missing option before an unknown one. The unknown one may be the missing one, misspelled: it goes
// first here.
std::string usage_error_text(const CLI::App& command, const CLI::ParseError& error) {
  for (const std::string& argument : command.remaining()) {
    if (!argument.starts_with("-")) continue;
    return "unknown option " + argument + hint(option_names(command), argument);
  }
  if (!command.get_parent() && !command.remaining().empty()) {
    const std::string word = command.remaining().front();
    return "there is no command '" + word + "'" + hint(command_names(command), word);
  }
  return error.what();
}

// CLI11's own report takes several lines. This report is one line and names the command whose help says more.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::string name = command == &app ? "sinew" : "sinew " + command->get_name();
  print_error(usage_error_text(*command, error) + " (see " + name + " --help)");
  return 2;
}

/// Prints an error and returns the exit code. A warning that could not be written to standard error is a failure too.
int report(const sinew::Status& status, int failure_code = 1) {
  if (status && sinew::app::InterruptFlag::is_set()) return sinew::app::kInterruptedCode;
  if (status) return std::ferror(stderr) != 0 ? 1 : 0;
  const char* cause = status.error().code == sinew::ErrorCode::kDeviceLost ? "the device was lost: " : "";
  print_error(cause + status.error().message);
  return failure_code;
}

/// CLI11 throws an "error" of exit code 0 for --help, --help-all and --version.
int print_help(const CLI::App& app, const CLI::ParseError& request) {
  if (!app.remaining().empty()) return report_usage(app, request);
  const CLI::App& command = app.get_subcommands().empty() ? app : *app.get_subcommands().front();
  if (dynamic_cast<const CLI::CallForHelp*>(&request))
    return report(sinew::app::write_output(sinew::app::short_help(command)));
  if (dynamic_cast<const CLI::CallForAllHelp*>(&request))
    return report(sinew::app::write_output(sinew::app::long_help(command)));
  return report(sinew::app::write_output("sinew " SINEW_VERSION_STRING "\n"));
}

/// `sinew help COMMAND` is `sinew COMMAND --help`, and `sinew FILE` is `sinew view FILE`.
std::vector<std::string> complete_words(const CLI::App& app, std::vector<std::string> words) {
  if (words.empty()) return words;
  if (words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  const std::string& first = words.front();
  const auto names = command_names(app);
  std::error_code failed;
  const bool is_file =
      std::filesystem::is_regular_file(sinew::app::path_of(first), failed) || first.find('.') != first.npos;
  if (!first.starts_with("-") && is_file && std::find(names.begin(), names.end(), first) == names.end())
    words.insert(words.begin(), "view");
  return words;
}

/// Commands for the build and for shells. The help does not have them.
void add_texts(CLI::App& app, sinew::Status& status) {
  CLI::App* manual = app.add_subcommand("manual", "Prints the manual page: sinew manual | man -l -")->group("");
  manual->callback([&] { status = sinew::app::print(sinew::app::manual(app)); });
  CLI::App* completions = app.add_subcommand("completions", "Prints the completions of bash, zsh or fish")->group("");
  completions
      ->add_option_function<std::string>(
          "SHELL", [&](const std::string& shell) { status = sinew::app::print(sinew::app::completions(app, shell)); })
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
}

}  // namespace

int main(int argc, char** argv) {
  sinew::app::reserve_standard_streams();
  CLI::App app("Draws crowds of animated characters with Vulkan, and inspects character files.", "sinew");
  app.set_version_flag("-V,--version", "sinew " SINEW_VERSION_STRING, "Print the version");
  app.set_help_flag("-h,--help", "Print what is used most");
  app.set_help_all_flag("--help-all", "Print all options");
  app.allow_windows_style_options(false);  // a path may begin with a slash, on Windows too; subcommands inherit it
  app.require_subcommand(0, 1);
  sinew::Status status;
  int failure_code = 1;
  sinew::app::add_crowd_command(app, status, failure_code);
  sinew::app::add_view_command(app, status);
  sinew::app::add_info_command(app, status);
  sinew::app::add_pose_command(app, status);
  sinew::app::add_bake_command(app, status);
  sinew::app::add_devices_command(app, status);
  add_texts(app, status);
  try {
    std::vector<std::string> words = complete_words(app, sinew::app::arguments_of(argc, argv));
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? print_help(app, error) : report_usage(app, error);
  } catch (const std::bad_alloc&) {
    status = sinew::Error{sinew::ErrorCode::kOutOfMemory, "out of memory"};
  }
  if (app.get_subcommands().empty()) status = sinew::app::print(kIntroduction);
  return report(status, failure_code);
}
