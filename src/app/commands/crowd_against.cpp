#include "commands/crowd_against.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <vector>

#include "report/stored_report.h"
#include "system/child_program.h"
#include "system/command_line.h"
#include "system/print.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

/// A folder for the reports of the children, removed at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "sinew-against-XXXXXX").string();
    if (!error && mkdtemp(pattern.data())) path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The words of this process's command line without those of --against and of what a pair must not repeat.
std::vector<std::string> arguments_for_pairs() {
  constexpr const char* kLeftOut[] = {"--against", "--repeat", "--fail-above"};
  const std::vector<std::string> words = command_words();
  std::vector<std::string> kept;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (std::find(std::begin(kLeftOut), std::end(kLeftOut), name) == std::end(kLeftOut)) {
      kept.push_back(words[i]);
    } else if (name == words[i]) {
      ++i;  // its value
    }
  }
  return kept;
}

Result<StoredReport> run_once(const std::string& program, const std::vector<std::string>& arguments,
                              const std::string& json) {
  std::vector<std::string> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.push_back("--json"), command.push_back(json);
  if (Status ended = run_program(command); !ended) return ended.error();
  return read_report(json);
}

}  // namespace

Status run_against(const CrowdOptions& options, int& failure_code) {
  const TemporaryFolder folder;
  if (folder.path().empty())
    return Error{ErrorCode::kUnreadable, std::string("cannot make a temporary folder: ") + std::strerror(errno)};
  const std::vector<std::string> arguments = arguments_for_pairs();
  const std::string json = folder.path() + "/report.json", self = program_path();
  const uint32_t pairs = options.repeats.value_or(kPairs);
  std::vector<StoredReport> older, newer;
  {
    ProgressLine line("pairs of runs");
    for (uint32_t run = 0; run < 2 * pairs; ++run) {
      line.show(run / (2.0 * pairs));
      const bool is_old = run % 4 == 0 || run % 4 == 3;
      auto report = run_once(is_old ? options.against : self, arguments, json);
      if (!report) return report.error();
      (is_old ? older : newer).push_back(std::move(*report));
    }
  }
  return conclude_comparison(compare_pairs(older, newer), options.against, options, failure_code);
}

Status conclude_comparison(const Result<ReportComparison>& comparison, const std::string& old_name,
                           const CrowdOptions& options, int& failure_code) {
  if (!comparison) {
    failure_code = kIncomparable;
    return comparison.error();
  }
  if (Status printed = print(comparison_table(*comparison, old_name)); !printed) return printed;
  if (!options.fail_above || !is_slower_by(*comparison, *options.fail_above)) return {};
  return Error{ErrorCode::kInvalidData, text("frames are slower than those of %s by more than %g %%", old_name.c_str(),
                                             *options.fail_above * 100)};
}

}  // namespace sinew::app
