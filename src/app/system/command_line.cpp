#include "system/command_line.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace sinew::app {
namespace {

/// The characters that mean themselves in every shell.
constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+=%@";

/// A word quoted for a shell, where it needs quotes.
std::string shell_quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string text = "'";
  for (char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

}  // namespace

std::string command_line() {
  std::error_code error;
  std::string line = shell_quoted(std::filesystem::read_symlink("/proc/self/exe", error).string());
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string word;
  std::getline(file, word, '\0');  // the program, as it was called
  while (std::getline(file, word, '\0')) line += " " + shell_quoted(word);
  return line;
}

}  // namespace sinew::app
