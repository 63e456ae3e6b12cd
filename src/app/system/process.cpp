#include "system/process.h"

#include <iostream>
#include <vector>

#include "system/output.h"
#include "system/paths.h"
#include "system/platform.h"

namespace sinew::app {

std::string command_line() {
  std::string line = quoted_for_shell(utf8_of(program_path()));
  const std::vector<std::string> words = command_words();
  for (size_t i = 1; i < words.size(); ++i) line += " " + quoted_for_shell(words[i]);
  return line;
}

std::string without_folders(const std::string& word) {
  const size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
  const size_t begin = equals == word.npos ? 0 : equals + 1;
  const size_t name_end = word.find_last_not_of('/');
  const size_t slash = name_end == word.npos ? word.npos : word.rfind('/', name_end);
  if (slash == word.npos || slash < begin) return word;
  return word.substr(0, begin) + word.substr(slash + 1);
}

std::string shared_command(std::span<const std::string> words) {
  std::string line = "sinew";
  for (const std::string& word : words.subspan(words.empty() ? 0 : 1))
    line += " " + quoted_for_shell(without_folders(word));
  return line;
}

Status pass_turn() {
  if (Status printed = write_output(std::string(kTurnEnd) + "\n"); !printed) return printed;
  std::string line;
  if (std::getline(std::cin, line)) return {};
  return Error{ErrorCode::kUnsupported, "--wait-between-repeats waits for a line on standard input, but it ended"};
}

}  // namespace sinew::app
