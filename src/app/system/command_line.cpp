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

std::string program_path() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

std::vector<std::string> command_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string command_line() {
  std::string line = shell_quoted(program_path());
  const std::vector<std::string> words = command_words();
  for (size_t i = 1; i < words.size(); ++i) line += " " + shell_quoted(words[i]);
  return line;
}

}  // namespace sinew::app
