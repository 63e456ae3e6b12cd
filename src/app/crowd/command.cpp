#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "crowd/against.h"
#include "crowd/run.h"
#include "options/parser.h"
#include "scene/scenes/scenes.h"
#include "system/output.h"

namespace sinew::app {

void add_crowd_command(CLI::App& app, Status& status, int& failure_code) {
  CLI::App* command =
      app.add_subcommand("crowd", "Draws a crowd, measures each stage, and can validate the result against the CPU");
  const auto options = std::make_shared<CrowdOptions>();
  options->load = default_load();
  add_options(*command, option_rows(*options));
  add_quiet(*command);
  command->callback([options, &status, &failure_code] {
    if (options->list_scenes) {
      status = write_output(list_scenes());
      return;
    }
    require(complete(*options));
    print_beside(options->outputs());
    status = options->against.empty() ? run_crowd(*options, failure_code) : run_against(*options, failure_code);
  });
}

}  // namespace sinew::app
