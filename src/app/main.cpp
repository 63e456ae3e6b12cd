// Parses the arguments and runs one command. Exit codes: 0 success, 2 a wrong command line, 1 any other failure.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>

#include "commands.h"
#include "sinew/asset/result.h"
#include "sinew/version.h"
#include "system/print.h"
#include "system/text.h"
#include "viewer/command.h"

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
    "sinew --help and sinew COMMAND --help list the rest.\n";

// CLI11 reports a missing option before an unknown one. The unknown one may be the missing one, misspelled: it goes
// first here.
std::string usage_error_text(const CLI::App& command, const CLI::ParseError& error) {
  for (const std::string& argument : command.remaining()) {
    if (argument.starts_with("-")) return "unknown option " + argument;
  }
  return error.what();
}

// CLI11's own report takes several lines. This report is one line and names the command whose help says more.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::string name = command == &app ? "sinew" : "sinew " + command->get_name();
  const std::string message = sinew::app::printable(usage_error_text(*command, error));
  fprintf(stderr, "sinew: %s (see %s --help)\n", message.c_str(), name.c_str());
  return 2;
}

/// Prints an error and returns the exit code. A warning that could not be written to standard error is a failure too.
int report(const sinew::Status& status, int failure_code = 1) {
  if (status) return std::ferror(stderr) != 0 ? 1 : 0;
  const char* cause = status.error().code == sinew::ErrorCode::kDeviceLost ? "the device was lost: " : "";
  fprintf(stderr, "sinew: %s%s\n", cause, sinew::app::printable(status.error().message).c_str());
  return failure_code;
}

/// CLI11 throws an "error" of exit code 0 for --help and --version; `app` writes the text.
int print_help(const CLI::App& app, const CLI::ParseError& request) {
  std::ostringstream help;
  app.exit(request, help, help);
  return report(sinew::app::print(help.str()));
}

}  // namespace

int main(int argc, char** argv) {
  sinew::app::reserve_standard_streams();
  CLI::App app("Draws crowds of animated characters with Vulkan, and inspects character files.", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION_STRING);
  app.require_subcommand(0, 1);
  sinew::Status status;
  int failure_code = 1;
  sinew::app::add_crowd_command(app, status, failure_code);
  sinew::app::add_view_command(app, status);
  sinew::app::add_info_command(app, status);
  sinew::app::add_pose_command(app, status);
  sinew::app::add_bake_command(app, status);
  sinew::app::add_devices_command(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? print_help(app, error) : report_usage(app, error);
  } catch (const std::bad_alloc&) {
    status = sinew::Error{sinew::ErrorCode::kOutOfMemory, "out of memory"};
  }
  if (app.get_subcommands().empty()) status = sinew::app::print(kIntroduction);
  return report(status, failure_code);
}
