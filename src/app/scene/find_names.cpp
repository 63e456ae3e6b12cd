#include "scene/find_names.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/similar_words.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr size_t kNamesShown = 3;

using Names = std::span<const std::string_view>;

std::optional<uint32_t> find(Names names, std::string_view name) {
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (lower(names[i]) == lower(name)) return i;
  }
  return {};
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
