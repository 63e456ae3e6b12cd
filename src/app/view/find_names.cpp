#include "view/find_names.h"

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

std::string lower(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return result;
}

std::optional<uint32_t> find_in_any_case(std::span<const std::string_view> names, std::string_view name) {
  const std::string wanted = lower(name);
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (lower(names[i]) == wanted) return i;
  }
  return {};
}

/// The number of bytes to insert, remove or replace. Wagner and Fischer, "The String-to-String Correction Problem",
/// 1974; one row at a time.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The nearest names, each once and in quotes. Distances are shares of the longer name: without that, short names that
/// have nothing in common with `name` would be nearer than long ones.
std::string nearest(std::span<const std::string_view> names, std::string_view name) {
  std::vector<std::pair<double, std::string_view>> candidates;
  for (const std::string_view each : names) {
    const auto is_listed = [&](auto& candidate) { return candidate.second == each; };
    if (std::any_of(candidates.begin(), candidates.end(), is_listed)) continue;
    const double longer = double(std::max({each.size(), name.size(), size_t(1)}));
    candidates.emplace_back(double(edit_distance(lower(each), lower(name))) / longer, each);
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::string list;
  for (size_t i = 0; i < std::min(candidates.size(), kNamesShown); ++i)
    list += (i > 0 ? ", \"" : "\"") + printable(std::string(candidates[i].second)) + "\"";
  return list;
}

Error not_found(const char* kind, std::span<const std::string_view> names, std::string_view name) {
  const std::string found = names.empty() ? "it has none" : "nearest: " + nearest(names, name);
  return {ErrorCode::kNotFound, std::string("no ") + kind + " \"" + printable(std::string(name)) + "\"; " + found};
}

}  // namespace

Result<uint32_t> find_clip_by_name(std::span<const Clip> clips, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Clip& clip : clips) names.push_back(clip.name);
  const auto exact = std::find(names.begin(), names.end(), name);
  if (exact != names.end()) return uint32_t(exact - names.begin());
  if (const auto found = find_in_any_case(names, name)) return *found;
  if (const auto number = find_clip(clips, name)) return *number;
  return not_found("clip", names, name);
}

Result<uint32_t> find_joint_by_name(const Skeleton& skeleton, std::string_view name) {
  if (const auto exact = find_joint(skeleton, name)) return *exact;
  const std::vector<std::string_view> names(skeleton.joint_names.begin(), skeleton.joint_names.end());
  if (const auto found = find_in_any_case(names, name)) return *found;
  return not_found("joint", names, name);
}

}  // namespace sinew::app
