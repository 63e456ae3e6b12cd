#include "crowd/against.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

#include "crowd/report/comparison.h"
#include "crowd/report/report_html.h"
#include "system/output.h"
#include "system/paths.h"
#include "system/platform.h"
#include "system/process.h"
#include "system/progress.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr uint32_t kTurns = 3;  // repeats of a program in one start: their median counts

/// A folder for the reports of the children, removed at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto folder = std::filesystem::temp_directory_path(error_);
    const std::filesystem::path path = folder / text("sinew-against-%08x%08x", random_(), random_());
    if (error_ || !std::filesystem::create_directory(path, error_)) return;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, error_);  // as mkdtemp() has it
    path_ = utf8_of(path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_of(path_), ignored);
  }
  const std::string& path() const { return path_; }
  std::string problem() const { return error_ ? error_.message() : "its name is taken"; }

 private:
  std::random_device random_;
  std::error_code error_;
  std::string path_;
};

/// The words of this process's command line without those of --against and of what a pair must not repeat.
std::vector<std::string> arguments_for_pairs() {
  constexpr const char* kLeftOut[] = {"--against", "--repeat", "--fail-above", "--html"};
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

std::string last_line(std::string lines) {
  while (lines.ends_with('\n')) lines.pop_back();
  const size_t end = lines.rfind('\n');
  return end == lines.npos ? lines : lines.substr(end + 1);
}

/// Removes the first line from `bytes`. False: there is no whole line.
bool take_line(std::string& bytes, std::string& line) {
  const size_t end = bytes.find('\n');
  if (end == bytes.npos) return false;
  line = bytes.substr(0, end);
  bytes.erase(0, end + 1);
  return true;
}

/// One of the two programs. Its destructor ends it.
class Contender {
 public:
  Contender(const std::string& program, const std::vector<std::string>& arguments, std::string json)
      : command_{program}, json_(std::move(json)) {
    command_.insert(command_.end(), arguments.begin(), arguments.end());
    command_.insert(command_.end(), {"--wait-between-repeats", "--json", json_});
  }

  bool has_ended() const { return has_ended_; }
  Result<StoredReport> report() const { return read_report(json_); }
  const std::string& report_file() const { return json_; }

  /// Runs it for one turn. The first turn starts it. Fails where it ends with another exit code than 0; the message
  /// then has its last line of standard error.
  Status take_turn() {
    if (process_) {
      process_->write("\n");  // one that has ended is seen when its output ends
    } else {
      auto started = ChildProcess::start(command_);
      if (!started) return started.error();
      process_.emplace(std::move(*started));
    }
    std::string line;
    char bytes[1024];
    for (size_t count = 0; (count = process_->read(bytes)) > 0;) {
      unread_.append(bytes, count);
      while (take_line(unread_, line)) {
        if (line == kTurnEnd) return {};
      }
    }
    has_ended_ = true;
    const std::string end = process_->wait();
    if (end.empty()) return {};
    const std::string said = last_line(process_->end_of_errors());
    return Error{ErrorCode::kUnsupported,
                 command_.front() + " ended with " + end + (said.empty() ? "" : ": " + printable(said))};
  }

 private:
  std::vector<std::string> command_;
  std::string json_;
  std::optional<ChildProcess> process_;
  std::string unread_;  // of its standard output: an incomplete last line
  bool has_ended_ = false;
};

/// Runs both in turns until both have ended. The one that drew last draws first in the next pair of turns.
Status take_turns(Contender& first, Contender& second, const std::function<void()>& on_pair) {
  Contender* order[] = {&first, &second};
  while (!first.has_ended() || !second.has_ended()) {
    for (Contender* contender : order) {
      if (contender->has_ended()) continue;
      if (Status taken = contender->take_turn(); !taken) return taken;
    }
    std::swap(order[0], order[1]);
    on_pair();
  }
  return {};
}

size_t run_count(const CrowdOptions& options) {
  return options.character_counts.size() * options.shadow_maps.size() * options.skinning.size();
}

/// The page of a comparison, with the report of one start of the new program. While that measured, the other program
/// waited, so what it says of the load of the machine is of no use.
Status write_page(const CrowdOptions& options, const std::string& report_file,
                  const Result<ReportComparison>& comparison) {
  if (options.html.empty() || !comparison) return {};
  Json report = Json::parse(std::ifstream(path_of(report_file)), nullptr, false);
  if (!report.is_object()) return Error{ErrorCode::kUnreadable, report_file + ": cannot be read"};
  report["machine"] = nullptr;
  return write_file(options.html, to_html(std::move(report), {{}, &*comparison, "another build"}));
}

}  // namespace

Status run_against(const CrowdOptions& options, int& failure_code) {
  if (Status writable = check_writable(options.outputs()); !writable) return writable;
  const TemporaryFolder folder;
  if (folder.path().empty())
    return Error{ErrorCode::kUnreadable, "cannot make a temporary folder: " + folder.problem()};
  std::vector<std::string> arguments = arguments_for_pairs();
  arguments.insert(arguments.end(), {"--repeat", std::to_string(kTurns)});
  const uint32_t launches = 2 * options.repeats.value_or(pairs_for(run_count(options)));
  const size_t runs = options.character_counts.size() * options.shadow_maps.size();
  const double all = double(launches) * double(kTurns * runs);
  double done = 0;
  std::vector<StoredReport> older, newer;
  std::string last_report;
  ProgressLine line("turns of both programs");
  for (uint32_t launch = 0; launch < launches; ++launch) {
    Contender old_program(options.against, arguments, folder.path() + "/old.json");
    Contender new_program(utf8_of(program_path()), arguments, folder.path() + "/new.json");
    Contender& first = launch % 2 == 0 ? old_program : new_program;
    Contender& second = launch % 2 == 0 ? new_program : old_program;
    line.show(done / all);
    if (Status taken = take_turns(first, second, [&] { line.show(++done / all); }); !taken) return taken;
    auto old_report = old_program.report(), new_report = new_program.report();
    if (!old_report)
      return Error{old_report.error().code, options.against + " wrote no report: is it a build of sinew?"};
    if (!new_report) return new_report.error();
    last_report = new_program.report_file();
    older.push_back(std::move(*old_report)), newer.push_back(std::move(*new_report));
  }
  const auto comparison = compare_pairs(older, newer);
  const Status written = write_page(options, last_report, comparison);
  Status concluded = conclude_comparison(comparison, options.against, options, failure_code);
  return concluded ? written : concluded;
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
