#include "system/process.h"

#include <iostream>
#include <utility>

#include "system/output.h"
#include "system/paths.h"
#include "system/text.h"

namespace sinew::app {
std::string command_line() {
  std::string line = quoted_for_shell(utf8_of(program_path()));
  const std::vector<std::string> words = command_words();
  for (size_t i = 1; i < words.size(); ++i) line += " " + quoted_for_shell(words[i]);
  return line;
}

namespace {

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

}  // namespace

Status pass_turn() {
  if (Status printed = write_output(std::string(kTurnEnd) + "\n"); !printed) return printed;
  std::string line;
  if (std::getline(std::cin, line)) return {};
  return Error{ErrorCode::kUnsupported, "--wait-between-repeats waits for a line on standard input, but it ended"};
}

ChildProgram::ChildProgram(std::string name, ChildProcess process)
    : name_(std::move(name)), process_(std::move(process)) {}

Result<ChildProgram> ChildProgram::start(const std::vector<std::string>& command) {
  auto started = ChildProcess::start(command);
  if (!started) return started.error();
  return ChildProgram(command.front(), std::move(*started));
}

void ChildProgram::give_turn() { process_.write("\n"); }  // one that has ended is seen when its output ends

Result<bool> ChildProgram::wait_for_turn_end() {
  std::string line;
  char bytes[1024];
  while (true) {
    while (take_line(unread_, line)) {
      if (line == kTurnEnd) return true;
    }
    const size_t count = process_.read(bytes);
    if (count == 0) break;
    unread_.append(bytes, count);
  }
  const std::string end = process_.wait();
  if (end.empty()) return false;
  const std::string said = last_line(process_.end_of_errors());
  return Error{ErrorCode::kUnsupported, name_ + " ended with " + end + (said.empty() ? "" : ": " + printable(said))};
}

}  // namespace sinew::app
