#include "isolated/worker_command.h"

#include <array>
#include <charconv>
#include <string_view>

#include "asset/read_number.h"

namespace sinew::internal {
namespace {

constexpr std::string_view kAnimation = "--animation=", kEndOfOptions = "--";

/// Calls `visit(option, value)` for every option that has one value: the one list for writing and reading.
template <class Command, class Visit>
void visit_values(Command& command, Visit visit) {
  visit("--import-seconds=", command.import_limits.seconds);
  visit("--import-mebibytes=", command.import_limits.mebibytes);
  visit("--total-seconds=", command.total_limits.seconds);
  visit("--total-mebibytes=", command.total_limits.mebibytes);
  visit("--max-influences=", command.import.max_influences);
  visit("--tangents=", command.import.tangents);
  visit("--normal-map-tangents=", command.import.normal_map_tangents);
  visit("--ticks-per-second=", command.import.ticks_per_second);
  visit("--images=", command.import.images);
  visit("--allow-no-mesh=", command.import.allow_no_mesh);
  visit("--bakes=", command.bakes);
  visit("--max-error=", command.bake.max_error);
  visit("--error-radius=", command.bake.error_radius);
  visit("--min-rate=", command.bake.min_frames_per_second);
  visit("--max-rate=", command.bake.max_frames_per_second);
}

std::string text_of(bool value) { return value ? "1" : "0"; }

/// The shortest text that parse() turns into the same number, in any locale.
template <class Number>
std::string text_of(Number value) {
  std::array<char, 32> letters;
  const auto written = std::to_chars(letters.data(), letters.data() + letters.size(), value);
  return std::string(letters.data(), written.ptr);
}

bool parse(std::string_view text, bool& value) {
  value = text == "1";
  return text == "0" || text == "1";
}

template <class Number>
bool parse(std::string_view text, Number& value) {
  const char* const end = text.data() + text.size();
  const auto read = read_number(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

bool parse_option(std::string_view argument, WorkerCommand& command) {
  if (argument.starts_with(kAnimation)) {
    command.import.animation_files.emplace_back(argument.substr(kAnimation.size()));
    return true;
  }
  bool parsed = false;
  visit_values(command, [&](std::string_view option, auto& value) {
    if (argument.starts_with(option)) parsed = parse(argument.substr(option.size()), value);
  });
  return parsed;
}

Error wrong(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

std::vector<std::string> arguments_of(const WorkerCommand& command) {
  std::vector<std::string> arguments;
  visit_values(command, [&](const char* option, auto value) { arguments.push_back(option + text_of(value)); });
  for (const std::string& file : command.import.animation_files) arguments.push_back(std::string(kAnimation) + file);
  arguments.insert(arguments.end(), {std::string(kEndOfOptions), command.path});
  return arguments;
}

Result<WorkerCommand> parse_arguments(std::span<const char* const> arguments) {
  WorkerCommand command;
  size_t read = 0;
  for (; read < arguments.size() && arguments[read] != kEndOfOptions; ++read) {
    if (!parse_option(arguments[read], command)) {
      return wrong("unknown argument '" + std::string(arguments[read]) + "': only import_isolated() runs this program");
    }
  }
  if (arguments.size() - read != 2)
    return wrong("it takes one file after --: only import_isolated() runs this program");
  for (const WorkerLimits& limits : {command.import_limits, command.total_limits}) {
    if (limits.seconds == 0 || limits.mebibytes == 0) return wrong("a limit of time or memory is missing");
  }
  command.path = arguments[read + 1];
  return command;
}

}  // namespace sinew::internal
