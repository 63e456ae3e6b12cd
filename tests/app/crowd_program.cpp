#include "crowd_program.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace sinew::test {

using ::testing::UnorderedElementsAre;

CrowdRun crowd(std::vector<std::string> arguments, const Environment& environment) {
  const Folder folder;
  if (std::ranges::find(arguments, "--scene") == arguments.end())
    arguments.insert(arguments.begin(), {"--scene", "crowd"});  // one model, and quickly made
  arguments.insert(arguments.begin(), "crowd");
  arguments.insert(arguments.end(), {"--size", "320x180", "--json", folder.path("crowd.json"), "--screenshot",
                                     folder.path("crowd.png")});
  CrowdRun run{sinew(arguments, environment), {}, {}};
  if (run.outcome.exit_code != 0) return run;
  EXPECT_THAT(folder.files(), UnorderedElementsAre("crowd.json", "crowd.png"));
  run.json = nlohmann::json::parse(read(folder.path("crowd.json")));
  run.picture = read_png(folder.path("crowd.png"));
  return run;
}

}  // namespace sinew::test
