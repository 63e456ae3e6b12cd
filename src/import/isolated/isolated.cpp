#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asset/file.h"
#include "asset/one_line.h"
#include "asset/read_number.h"
#include "failure.h"
#include "file_type.h"
#include "isolated/child.h"
#include "isolated/worker_command.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/result.h"
#include "sinew/import/import.h"
#include "system.h"

namespace sinew {

using namespace internal;
namespace {

namespace fs = std::filesystem;

/// Where to look, without repetition. Relative paths are left out: the current folder is not trusted.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  for (const fs::path& object : {path_of_this_code(), program_path()}) {
    if (!object.is_absolute()) continue;
    const fs::path place = object.parent_path().lexically_normal() / kWorkerName;
    if (std::find(found.begin(), found.end(), place) == found.end()) found.push_back(place);
  }
  return found;
}

/// The path of the import worker: `named`, unless it is empty. Else the worker is looked for in the folder of the
/// shared library or program that contains this code, then in the folder of the running program. Fails with kUnreadable
/// if it is in neither; the message names both paths. PATH and the current folder are not searched.
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

/// The time of a fixed calculation: the best of three, because something else may run in between.
double seconds_of_fixed_work() {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    std::vector<uint32_t> values(8192);
    uint32_t value = 1;
    const auto start = Clock::now();
    for (uint32_t& v : values) v = value = value * 1664525u + 1013904223u;
    std::sort(values.begin(), values.end());
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

/// How much slower this machine and this build are than those that the limits were chosen on; at least 1. The limits
/// are of work: a slow machine reads what a fast one reads.
double slowness() {
  constexpr double kReferenceSeconds = 0.0006;  // a Xeon with AVX-512 of 2023, Release
  static const double result = std::max(1.0, seconds_of_fixed_work() / kReferenceSeconds);
  return result;
}

constexpr double kMebibyte = 1 << 20;
constexpr double kMinSeconds = 4, kSecondsPerMebibyte = 1;
constexpr double kMinMemory = 2048 * kMebibyte, kMemoryPerByte = 30;
constexpr double kMaxSeconds = 1e6, kMaxMebibytes = 1e9;  // in effect no limit, and in the range of integers
constexpr double kBakeSeconds = 600;                      // more than the largest bake takes; see kMaxBakedPoses
constexpr uint64_t kBakeMebibytes = 4096;
constexpr double kWallPerProcessorSecond = 5;  // of wall time per second of processor time: the machine may be busy

/// The size of all files together. A missing file counts 0: reading it reports the error.
double total_bytes(const std::string& path, const ImportOptions& options) {
  double total = 0;
  const auto add = [&](const std::string& file) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    if (!failed) total += double(size);
  };
  add(path);
  for (const std::string& file : options.animation_files) add(file);
  return total;
}

/// The limit of processor time of the import, not rounded yet.
double import_seconds(double bytes, const IsolationOptions& isolation) {
  const double seconds = slowness() * (kMinSeconds + kSecondsPerMebibyte * bytes / kMebibyte);
  return std::min(isolation.seconds > 0 ? isolation.seconds : seconds, kMaxSeconds);
}

WorkerLimits import_limits(double seconds, double bytes, const IsolationOptions& isolation) {
  const double asked = double(isolation.memory_bytes);
  const double memory = asked > 0 ? asked : std::max(kMinMemory, kMemoryPerByte * bytes);
  return {uint64_t(std::max(1.0, seconds)), uint64_t(std::clamp(memory / kMebibyte, 1.0, kMaxMebibytes))};
}

WorkerLimits with_bake(const WorkerLimits& limits) {
  return {limits.seconds + uint64_t(slowness() * kBakeSeconds), limits.mebibytes + kBakeMebibytes};
}

/// What the worker is to do, and the wall time after which it is killed.
struct Job {
  WorkerCommand command;
  double wall_seconds = 0;
};

Job job_for(const std::string& path, const ImportOptions& options, const IsolationOptions& isolation) {
  const bool bakes = isolation.bake.has_value();
  const double bytes = total_bytes(path, options), seconds = import_seconds(bytes, isolation);
  const WorkerLimits limits = import_limits(seconds, bytes, isolation);
  return {{path, options, bakes, isolation.bake.value_or(BakeOptions()), limits, bakes ? with_bake(limits) : limits},
          kWallPerProcessorSecond * (seconds + (bakes ? slowness() * kBakeSeconds : 0))};
}

Error cannot_read(const std::string& path, const std::string& reason, ErrorCode code = ErrorCode::kInvalidData) {
  return {code, one_line("cannot read '" + path + "': " + reason)};
}

/// True if a file needs an importer, and so a process of its own. Fails for unsupported or unreadable files, before a
/// process is started.
Result<bool> needs_importer(const std::string& path, const ImportOptions& options) {
  std::vector<std::string> files = options.animation_files;
  files.insert(files.begin(), path);
  bool needed = false;
  for (const std::string& file : files) {
    try {
      needed = file_type(file) != FileType::kSinew || needed;
    } catch (const ImportFailure& failure) {
      return cannot_read(file, failure.reason, failure.code);
    }
    if (Status readable = check_readable(file); !readable) {
      return cannot_read(file, readable.error().message, readable.error().code);
    }
  }
  return needed;
}

/// The worker's last error message, without kErrorMark. Empty if there is none.
std::string last_message(const std::string& errors) {
  const std::string mark = kErrorMark;
  const size_t found =
      errors.starts_with(mark) && errors.find("\n" + mark) == std::string::npos ? 0 : errors.rfind("\n" + mark);
  if (found == std::string::npos) return {};
  const size_t begin = errors.find(mark, found) + mark.size();
  return errors.substr(begin, errors.find('\n', begin) - begin);
}

Error error_of(const ChildResult& end, const WorkerCommand& command) {
  const std::string& path = command.path;
  const bool baking = end.errors.find(kBakingMark) != std::string::npos;
  const WorkerLimits& limits = baking ? command.total_limits : command.import_limits;
  const std::string takes_more = std::string(baking ? "baking" : "importing") + " it takes more than ";
  if (end.timed_out) {
    return cannot_read(path, takes_more + std::to_string(limits.seconds) + " s (--import-seconds allows more)");
  }
  if (!end.crash.empty()) return cannot_read(path, "the importer crashed on it (" + end.crash + ")");
  std::string reason = last_message(end.errors);
  if (reason.ends_with("out of memory")) {
    return cannot_read(path, takes_more + std::to_string(limits.mebibytes) + " MiB (--import-memory allows more)",
                       ErrorCode::kOutOfMemory);
  }
  if (reason.empty()) {
    return cannot_read(path, "the importer failed on it (exit code " + std::to_string(end.exit_code) + ")");
  }
  return {ErrorCode::kInvalidData, one_line(reason)};
}

/// What the worker wrote. It is not trusted: whether it has a report or a bake is decided by what was requested.
Result<CharacterFile> decode_result(std::span<const std::byte> bytes, const WorkerCommand& command) {
  Result<CharacterFile> file = decode_character(bytes);
  if (!file) return cannot_read(command.path, "the importer's result: " + file.error().message, file.error().code);
  if (!file->report) file->report.emplace();
  if (!command.bakes) file->baked.reset();
  if (command.bakes && !(file->baked && file->baked->options == command.bake)) {
    return cannot_read(command.path, "the importer's result has no such bake");
  }
  return file;
}

/// The progress in the last complete line of the worker that has one; empty if there is none.
std::optional<double> last_progress(std::string_view errors) {
  const std::string_view mark = kBakingMark;
  const size_t line = errors.substr(0, errors.rfind('\n') + 1).rfind(mark);
  if (line == std::string_view::npos) return {};
  double share = 0;
  const char* const begin = errors.data() + line + mark.size();
  if (read_number(begin, errors.data() + errors.size(), share).ec != std::errc()) return {};
  return share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

/// The lines of the worker that are neither its error nor its progress: its sandbox first, whose line is kept apart
/// because what libraries print may push it out of what is kept.
class Log {
 public:
  explicit Log(std::string* out) : out_(out) {}

  void read_sandbox(std::string_view errors) {
    if (out_ == nullptr || !out_->empty() || !errors.starts_with(kSandboxMark)) return;
    const size_t end = errors.find('\n');
    if (end != errors.npos) add("sandbox: " + std::string(errors.substr(0, end).substr(kMarkBytes)));
  }
  void read_all(std::string_view errors) {
    if (out_ == nullptr) return;
    read_sandbox(errors);
    while (!errors.empty()) {
      const std::string_view line = errors.substr(0, errors.find('\n'));
      errors.remove_prefix(std::min(errors.size(), line.size() + 1));
      const bool of_worker =
          line.starts_with(kSandboxMark) || line.starts_with(kErrorMark) || line.starts_with(kBakingMark);
      if (!line.empty() && !of_worker) add(line);
    }
  }

 private:
  static constexpr size_t kMarkBytes = std::string_view(kSandboxMark).size();
  void add(std::string_view line) { *out_ += one_line(line) + "\n"; }

  std::string* out_;
};

ErrorsCallback callback_for(const BakeProgress& progress, Log& log) {
  return [&progress, &log](std::string_view errors) {
    log.read_sandbox(errors);
    if (!progress.report) return;
    if (const std::optional<double> share = last_progress(errors)) progress.report(progress.user_data, *share);
  };
}

Result<CharacterFile> run_job(const Job& job, const IsolationOptions& isolation) {
  const WorkerCommand& command = job.command;
  const auto refused = [&](const Error& error) { return cannot_read(command.path, error.message, error.code); };
  const Result<std::string> worker = find_worker(isolation.program);
  if (!worker) return refused(worker.error());
  const Result<TemporaryFile> output = TemporaryFile::create();
  if (!output) return refused(output.error());
  std::vector<std::string> words = arguments_of(command);
  words.insert(words.begin(), *worker);
  Log log(isolation.log);
  const Result<ChildResult> end = run_child(words, *output, job.wall_seconds, callback_for(isolation.progress, log));
  if (!end) return refused(end.error());
  log.read_all(end->errors);
  const Result<FileBytes> bytes = read_open_file(output->descriptor());
  if (end->exit_code > 0 || !end->crash.empty() || end->timed_out || !bytes) return error_of(*end, command);
  return decode_result(bytes->bytes(), command);
}

Result<CharacterFile> load_here(const std::string& path, const ImportOptions& options) {
  ImportReport report;
  Result<Character> character = load_character(path, options, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

}  // namespace

Result<CharacterFile> import_isolated(const std::string& path, const ImportOptions& options,
                                      const IsolationOptions& isolation) try {
  if (isolation.log != nullptr) isolation.log->clear();
  const Result<bool> needed = needs_importer(path, options);
  if (!needed) return needed.error();
  if (!*needed && !isolation.bake) return load_here(path, options);
  return run_job(job_for(path, options, isolation), isolation);
} catch (const std::bad_alloc&) {
  return out_of_memory(path);
} catch (const std::exception& exception) {
  return cannot_read(path, exception.what(), ErrorCode::kUnreadable);
}

}  // namespace sinew
