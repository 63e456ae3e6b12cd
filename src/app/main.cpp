// Arguments in, one command, an exit code out: 0; 2 where the command line itself is wrong; 1 for all else.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <new>
#include <sstream>
#include <string>

#include "commands/bake.h"
#include "commands/crowd.h"
#include "commands/devices.h"
#include "commands/info.h"
#include "commands/pose.h"
#include "sinew/asset/result.h"
#include "sinew/version.h"
#include "system/print.h"
#include "system/text.h"

namespace {

constexpr const char* kIntroduction =
    "sinew draws crowds of animated characters with Vulkan: it skins every vertex once, in a compute shader.\n"
    "\n"
    "Try first:\n"
    "  sinew crowd --screenshot crowd.png         1,000 characters: a picture, and a table of times\n"
    "  sinew crowd --window                       the same in a window\n"
    "  sinew info FILE.glb                        what is in a character file\n"
    "  sinew pose FILE.glb --output pose.ply      its skinned vertices at a moment of a clip\n"
    "  sinew bake FILE.glb --output FILE.sinew    the same character, quick to load\n"
    "  sinew devices                              the Vulkan devices, and which will do\n"
    "sinew --help and sinew COMMAND --help tell the rest.\n";

// CLI11 tells of a missing option before one that is misspelt, and that may be the one.
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& error) {
  for (const std::string& argument : command.remaining()) {
    if (argument.starts_with("-")) return "unknown option " + argument;
  }
  return error.what();
}

// CLI11's own report takes several lines; ours is one, and names the command whose help says more.
int report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
  const std::string name = command == &app ? "sinew" : "sinew " + command->get_name();
  const std::string wrong = sinew::app::printable(what_is_wrong(*command, error));
  fprintf(stderr, "sinew: %s (see %s --help)\n", wrong.c_str(), name.c_str());
  return 2;
}

/// Warnings that could not be written count as a failure too.
int report(const sinew::Status& status) {
  if (status) return std::ferror(stderr) != 0 ? 1 : 0;
  fprintf(stderr, "sinew: %s\n", sinew::app::printable(status.error().message).c_str());
  return 1;
}

int print_help(const CLI::App& app, const CLI::ParseError& asked) {
  std::ostringstream help;
  app.exit(asked, help, help);
  return report(sinew::app::print(help.str()));
}

}  // namespace

int main(int argc, char** argv) {
  sinew::app::reserve_standard_streams();
  CLI::App app("Draws crowds of animated characters with Vulkan, and looks into character files.", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION_STRING);
  app.require_subcommand(0, 1);
  sinew::Status status;
  sinew::app::add_crowd_command(app, status);
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
  return report(status);
}
