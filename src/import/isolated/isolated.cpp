#include <signal.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>

#include "asset/file.h"
#include "failure.h"
#include "file_type.h"
#include "isolated/child.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew {

using namespace internal;
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlowdown = 8;  // a program with a sanitizer is this much slower
#else
constexpr double kSlowdown = 1;
#endif

constexpr double kMebibyte = 1 << 20;
constexpr double kMinSeconds = 4, kSecondsPerMebibyte = 0.25;
constexpr double kMinMemory = 960 * kMebibyte, kMemoryPerByte = 30;
constexpr double kMaxSeconds = 1e6;            // in effect no limit, and in the range of integers
constexpr double kWallPerProcessorSecond = 5;  // of wall time per second of processor time: the machine may be busy

/// The limits of the program.
struct Limits {
  double seconds = 0;  // of processor time; passed on in whole seconds
  uint64_t mebibytes = 0;
};

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

Limits limits_for(double bytes, const IsolationOptions& isolation) {
  const double seconds = kSlowdown * (kMinSeconds + kSecondsPerMebibyte * bytes / kMebibyte);
  const double memory = std::max(kMinMemory, kMemoryPerByte * bytes);
  const double asked = double(isolation.memory_bytes);
  return {std::min(isolation.seconds > 0 ? isolation.seconds : seconds, kMaxSeconds),
          uint64_t(std::max(1.0, (asked > 0 ? asked : memory) / kMebibyte))};
}

std::string whole_seconds(const Limits& limits) { return std::to_string(int64_t(std::max(1.0, limits.seconds))); }

std::vector<std::string> command_for(const std::string& path, const ImportOptions& options, const std::string& program,
                                     const Limits& limits) {
  std::vector<std::string> command = {program,
                                      "bake",
                                      "--output=-",
                                      "--plain",
                                      "--isolate=off",
                                      "--limit-seconds=" + whole_seconds(limits),
                                      "--limit-memory=" + std::to_string(limits.mebibytes)};
  if (options.max_influences > 0) command.push_back("--max-influences=" + std::to_string(options.max_influences));
  if (options.tangents) command.push_back("--tangents");
  if (options.allow_no_mesh) command.push_back("--allow-no-mesh");
  for (const std::string& file : options.animation_files) command.push_back("--animation=" + file);
  command.insert(command.end(), {"--", path});
  return command;
}

Error cannot_read(const std::string& path, const std::string& reason, ErrorCode code = ErrorCode::kInvalidData) {
  return {code, "cannot read '" + path + "': " + reason};
}

/// True if a file needs an importer, and so a process of its own. Fails for unsupported or unreadable files, before a
/// process is started.
Result<bool> needs_importer(const std::string& path, const ImportOptions& options) {
  std::vector<std::string> files = options.animation_files;
  files.insert(files.begin(), path);
  bool needed = false;
  for (const std::string& file : files) {
    try {
      needed = file_type(file) != FileType::kStored || needed;
    } catch (const ImportFailure& failure) {
      return cannot_read(file, failure.reason, failure.code);
    }
    if (Status readable = check_readable(file); !readable) {
      return cannot_read(file, readable.error().message, readable.error().code);
    }
  }
  return needed;
}

/// The program's last error message, a line that begins with "sinew: ", without that. Empty if there is none.
std::string last_message(const std::string& errors) {
  const std::string mark = "sinew: ";
  const size_t found =
      errors.starts_with(mark) && errors.find("\n" + mark) == std::string::npos ? 0 : errors.rfind("\n" + mark);
  if (found == std::string::npos) return {};
  const size_t begin = errors.find(mark, found) + mark.size();
  return errors.substr(begin, errors.find('\n', begin) - begin);
}

Error error_of(const std::string& path, const ChildResult& end, const Limits& limits) {
  if (end.timed_out || end.signal == SIGXCPU) {
    return cannot_read(path,
                       "importing it takes more than " + whole_seconds(limits) + " s (--import-seconds allows more)");
  }
  if (end.signal != 0) {
    return cannot_read(path, std::string("the importer crashed on it (") + strsignal(end.signal) + ")");
  }
  std::string reason = last_message(end.errors);
  if (reason.ends_with("out of memory")) {
    const std::string mebibytes = std::to_string(limits.mebibytes);
    return cannot_read(path, "importing it takes more than " + mebibytes + " MiB (--import-memory allows more)",
                       ErrorCode::kOutOfMemory);
  }
  if (reason.empty()) {
    return cannot_read(path, "the importer failed on it (exit code " + std::to_string(end.exit_code) + ")");
  }
  return {ErrorCode::kInvalidData, std::move(reason)};
}

}  // namespace

Result<Character> import_isolated(const std::string& path, const ImportOptions& options,
                                  const IsolationOptions& isolation, ImportReport* report) try {
  if (report != nullptr) *report = {};
  const Result<bool> needed = needs_importer(path, options);
  if (!needed) return needed.error();
  if (!*needed) return load_character(path, options, report);

  const Result<TemporaryFile> output = TemporaryFile::create();
  if (!output) return cannot_read(path, output.error().message, output.error().code);
  const Limits limits = limits_for(total_bytes(path, options), isolation);
  const Result<ChildResult> end = run_child(command_for(path, options, isolation.program, limits), *output,
                                         limits.seconds * kWallPerProcessorSecond);
  if (!end) return cannot_read(path, end.error().message, end.error().code);
  const Result<FileBytes> bytes = read_open_file(output->descriptor());
  if (end->exit_code > 0 || end->signal != 0 || end->timed_out || !bytes) return error_of(path, *end, limits);

  Result<CharacterFile> file = decode_character(bytes->bytes());
  if (!file) return cannot_read(path, "the importer's result: " + file.error().message, file.error().code);
  if (report != nullptr && file->report) *report = std::move(*file->report);
  return std::move(file->character);
} catch (const std::bad_alloc&) {
  return out_of_memory(path);
}

}  // namespace sinew
