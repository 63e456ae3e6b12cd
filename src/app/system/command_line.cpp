#include "system/command_line.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace sinew::app {
namespace {

/// A word quoted for a shell, where it needs quotes.
std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t'\"\\$&;|<>()*?[]#~`!{}") == word.npos) return word;
  std::string text = "'";
  for (char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

}  // namespace

std::string command_line() {
  std::error_code error;
  std::string line = quoted(std::filesystem::read_symlink("/proc/self/exe", error).string());
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words(std::istreambuf_iterator<char>(file), {});
  for (size_t start = words.find('\0') + 1; start < words.size(); start = words.find('\0', start) + 1)
    line += " " + quoted(words.c_str() + start);
  return line;
}

}  // namespace sinew::app
