#include "scene/names.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "system/text.h"

namespace sinew::app {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c) || (c & 0x80) != 0; }  // high bit: UTF-8 beyond ASCII

/// Whether a new word begins at `i`. The character before it belongs to a word.
bool begins_word(std::string_view name, size_t i) {
  const char before = name[i - 1], here = name[i];
  if (is_digit(before) != is_digit(here)) return true;
  const bool next_is_lower = i + 1 < name.size() && is_lower(name[i + 1]);
  return is_upper(here) && (is_lower(before) || (is_upper(before) && next_is_lower));
}

constexpr size_t kNamesShown = 3;

using Names = std::span<const std::string_view>;

std::optional<uint32_t> find(Names names, std::string_view name) {
  auto found = std::ranges::find(names, name);
  if (found == names.end()) found = std::ranges::find(names, lower(name), lower);
  return found == names.end() ? std::nullopt : std::optional(uint32_t(found - names.begin()));
}

/// Lists the nearest names, each once and in quotes.
Error not_found(const char* kind, Names names, std::string_view name) {
  std::string message = std::string("no ") + kind + " \"" + printable(std::string(name)) + "\"; ";
  const char* before = "nearest: ";
  for (const std::string_view each : most_alike(names, name, kNamesShown))
    message += std::exchange(before, ", ") + ("\"" + printable(std::string(each)) + "\"");
  return {ErrorCode::kNotFound, message + (names.empty() ? "it has none" : "")};
}

}  // namespace

std::string words_of(std::string_view name) {
  std::string words = " ";
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (is_letter(c) || is_digit(c)) {
      if (words.back() != ' ' && begins_word(name, i)) words += ' ';
      words += is_upper(c) ? char(c - 'A' + 'a') : c;
    } else if (words.back() != ' ') {
      words += ' ';
    }
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

bool has_word(std::string_view name, std::string_view words) {
  const std::string own = words_of(name);
  for (size_t begin = 0, end = 0; end < words.size(); begin = end + 1) {
    end = std::min(words.find('|', begin), words.size());
    if (own.find(words.substr(begin, end - begin)) != own.npos) return true;
  }
  return false;
}

bool has_excluded_name(std::string_view name) {
  return has_word(name, " t pose | tpose | death | dead | die | lie | bind ");
}

Result<uint32_t> find_clip_by_name(std::span<const Clip> clips, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Clip& clip : clips) names.push_back(clip.name);
  if (const auto found = find(names, name)) return *found;
  if (const auto number = find_clip(clips, name)) return *number;
  return not_found("clip", names, name);
}

Result<uint32_t> find_joint_by_name(const Skeleton& skeleton, std::string_view name) {
  const std::vector<std::string_view> names(skeleton.joint_names.begin(), skeleton.joint_names.end());
  if (const auto found = find(names, name)) return *found;
  return not_found("joint", names, name);
}

}  // namespace sinew::app
