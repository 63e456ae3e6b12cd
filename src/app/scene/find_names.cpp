#include "scene/find_names.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/text.h"

namespace sinew::app {
namespace {

constexpr size_t kNamesShown = 3;

using Names = std::span<const std::string_view>;

std::string lower(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return result;
}

std::optional<uint32_t> find(Names names, std::string_view name) {
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (lower(names[i]) == lower(name)) return i;
  }
  return {};
}

/// The number of bytes to insert, remove or replace. Wagner and Fischer, "The String-to-String Correction Problem",
/// 1974; one row at a time.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// As a share of the longer name: else short names that have nothing in common with `b` would be nearer than long ones.
double distance(std::string_view a, std::string_view b) {
  return double(edit_distance(lower(a), lower(b))) / double(std::max({a.size(), b.size(), size_t(1)}));
}

/// Lists the nearest names, each once and in quotes.
Error not_found(const char* kind, Names names, std::string_view name) {
  const auto nearer = [&](std::string_view a, std::string_view b) { return distance(a, name) < distance(b, name); };
  std::vector<std::string_view> nearest;
  for (const std::string_view each : names) {
    if (std::find(nearest.begin(), nearest.end(), each) != nearest.end()) continue;
    nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), each, nearer), each);
    if (nearest.size() > kNamesShown) nearest.pop_back();
  }
  std::string message = std::string("no ") + kind + " \"" + printable(std::string(name)) + "\"; ";
  for (const std::string_view each : nearest)
    message += (each == nearest.front() ? "nearest: \"" : ", \"") + printable(std::string(each)) + "\"";
  return {ErrorCode::kNotFound, message + (nearest.empty() ? "it has none" : "")};
}

}  // namespace

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
