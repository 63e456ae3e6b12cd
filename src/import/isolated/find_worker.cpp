#include "isolated/find_worker.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "asset/path.h"
#include "isolated/worker_command.h"
#include "system.h"

namespace sinew::internal {
namespace {

namespace fs = std::filesystem;

/// Where to look, without repetition. Relative paths are left out: the current folder is not trusted.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  for (const fs::path& object : {path_of_this_code(), path_of_the_program()}) {
    if (!object.is_absolute()) continue;
    const fs::path place = object.parent_path().lexically_normal() / kWorkerName;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
  }
  return found;
}

}  // namespace

Result<std::string> find_worker(const std::string& named) {
  if (!named.empty()) return named;
  std::string looked_at;
  for (const fs::path& place : places()) {
    std::error_code failed;
    if (fs::is_regular_file(place, failed)) return utf8_of(place);
    looked_at += (looked_at.empty() ? "" : " nor ") + utf8_of(place);
  }
  return Error{ErrorCode::kUnreadable, "the import worker is not at " + looked_at};
}

}  // namespace sinew::internal
