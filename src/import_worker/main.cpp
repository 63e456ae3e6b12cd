// The import worker, `sinew-import`: import_isolated() runs it, so that a malformed file can only end this process.
// worker_command.h describes its arguments, output and exit codes.
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "asset/one_line.h"
#include "import/isolated/worker_command.h"
#include "process_limits.h"
#include "sandbox.h"
#include "sinew/animation/bake.h"
#include "sinew/asset/character_file.h"
#include "sinew/import/import.h"

namespace sinew::internal {
namespace {

/// Prints an error as one line, whatever the names in it contain, and returns `exit_code`.
int refuse(const std::string& message, int exit_code) {
  std::fprintf(stderr, "%s%s\n", kErrorMark, one_line(message).c_str());
  return exit_code;
}

/// Ends what a library has printed, so that a message of the worker begins a line.
void end_lines_of_libraries() {
  std::fflush(stdout);
  std::fputc('\n', stderr);
}

/// An error whose message begins with the name of the model's file.
Error about(const std::string& path, const Error& error) { return {error.code, path + ": " + error.message}; }

Result<CharacterFile> import_file(const WorkerCommand& command) {
  ImportReport report;
  Result<Character> character = load_character(command.path, command.import, &report);
  if (!character) return character.error();
  return CharacterFile{std::move(*character), {}, std::move(report)};
}

/// Writes the progress of a bake, at most ten lines per second.
void print_progress(void* next_line, double share) {
  using Clock = std::chrono::steady_clock;
  auto& next = *static_cast<Clock::time_point*>(next_line);
  if (Clock::now() < next) return;
  next = Clock::now() + std::chrono::milliseconds(100);
  std::fprintf(stderr, "%s%.3f\n", kBakingMark, share);
}

Status bake_clips(const WorkerCommand& command, CharacterFile& file) {
  std::chrono::steady_clock::time_point next_line;
  print_progress(&next_line, 0);
  limit_process(command.total_limits, command.total_limits);
  Result<BakedCharacter> baked = bake(file.character, command.bake, {&next_line, print_progress});
  if (!baked) return about(command.path, baked.error());
  file.baked = std::move(*baked);
  return {};
}

Status write_result(const WorkerCommand& command, const CharacterFile& file, std::FILE* output) {
  const Result<std::vector<std::byte>> bytes = encode_character(file);
  if (!bytes) return about(command.path, bytes.error());
  const size_t written = std::fwrite(bytes->data(), 1, bytes->size(), output);
  if (written == bytes->size() && std::fflush(output) == 0) return {};
  return Error{ErrorCode::kUnreadable, command.path + ": cannot write its character: " + std::strerror(errno)};
}

void limit_to(const WorkerCommand& command) {
  limit_process(command.import_limits, command.total_limits);
  std::vector<std::string> files = command.import.animation_files;
  files.push_back(command.path);
  std::fprintf(stderr, "%s%s\n", kSandboxMark, enter_sandbox(files).c_str());
}

Status run(const WorkerCommand& command) {
  std::FILE* const output = take_standard_output();
  if (output == nullptr) return Error{ErrorCode::kUnreadable, command.path + ": cannot write its character"};
  limit_to(command);
  Result<CharacterFile> file = import_file(command);
  if (!file) return file.error();
  if (command.bakes) {
    if (Status baked = bake_clips(command, *file); !baked) return baked;
  }
  return write_result(command, *file, output);
}

int run_worker(const std::vector<std::string>& arguments) {
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const Result<WorkerCommand> command = parse_arguments(words);
  if (!command) return refuse(command.error().message, 2);
  const Status done = run(*command);
  if (done) return 0;
  end_lines_of_libraries();
  return refuse(done.error().message, 1);
}

}  // namespace
}  // namespace sinew::internal

int main(int argc, char** argv) try {
  return sinew::internal::run_worker(sinew::internal::prepare_process(argc, argv));
} catch (const std::bad_alloc&) {
  sinew::internal::end_lines_of_libraries();
  return sinew::internal::refuse("out of memory", 1);
}
