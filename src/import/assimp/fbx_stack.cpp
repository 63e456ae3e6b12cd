#include "assimp/fbx_stack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

#include "linear_keys.h"

namespace sinew::internal {
namespace {

constexpr float kSameTime = 1e-4f;  // seconds; less than a frame

/// True if the rotation at the start of the stack may be inexact. Of the rotation keys before the start, Assimp keeps
/// only the first. The value at the start is then interpolated between that key and the first key inside.
bool start_may_be_inexact(const Track<Quat>& track) {
  if (track.values.size() < 2 || track.times_seconds.front() >= -kSameTime) return false;
  return std::memcmp(&track.values[0], &track.values[1], sizeof(Quat)) != 0;
}

template <class Value>
void cut(Track<Value>& track, float end) {
  const std::vector<float>& times = track.times_seconds;
  if (times.empty() || (times.front() >= 0 && times.back() <= end)) return;
  Track<Value> inside;
  const auto add = [&](float time, const Value& value) {
    inside.times_seconds.push_back(time);
    inside.values.push_back(value);
  };
  if (times.front() < 0) add(0, value_at(track, 0, {}));
  for (size_t key = 0; key < times.size(); ++key) {
    const bool is_inside = (times[key] > 0 || times.front() >= 0) && (times[key] < end || times.back() <= end);
    if (is_inside) add(times[key], track.values[key]);
  }
  if (times.back() > end) add(end, value_at(track, end, {}));
  track = std::move(inside);
}

bool has_keys(const SceneClip& clip) {
  if (std::any_of(clip.weights.begin(), clip.weights.end(), [](const auto& w) { return !w.weight.values.empty(); })) {
    return true;
  }
  return std::any_of(clip.tracks.begin(), clip.tracks.end(), [](const SceneTracks& tracks) {
    return !tracks.translation.values.empty() || !tracks.rotation.values.empty() || !tracks.scale.values.empty();
  });
}

/// The binary string whose characters end before `end`, without a suffix of `suffix` bytes. Before the characters are
/// an S and the string's length in four bytes, little-endian.
std::optional<std::string> binary_string(std::string_view file, size_t end, size_t suffix) {
  for (size_t length = 0; length < 256 && length + 5 <= end; ++length) {
    const size_t begin = end - length;
    uint32_t stored = 0;
    for (size_t i = 0; i < 4; ++i) stored |= uint32_t(uint8_t(file[begin - 4 + i])) << (8 * i);
    if (file[begin - 5] == 'S' && stored == length + suffix) return std::string(file.substr(begin, length));
  }
  return std::nullopt;
}

std::vector<std::string> binary_names(std::string_view file) {
  constexpr std::string_view kSuffix("\0\1AnimStack", 11);
  std::vector<std::string> names;
  for (size_t at = 0; (at = file.find(kSuffix, at)) != file.npos; at += kSuffix.size()) {
    if (auto name = binary_string(file, at, kSuffix.size())) names.push_back(std::move(*name));
  }
  return names;
}

std::vector<std::string> text_names(std::string_view file) {
  constexpr std::string_view kPrefix = "\"AnimStack::";
  std::vector<std::string> names;
  for (size_t at = 0; (at = file.find(kPrefix, at)) != file.npos;) {
    at += kPrefix.size();
    const size_t line = file.rfind('\n', at), end = file.find('"', at);
    if (end == file.npos) break;
    // Comments in the section of connections name stacks too.
    if (file.substr(line + 1, at - line).find("AnimationStack:") != file.npos) {
      names.emplace_back(file.substr(at, end - at));
    }
  }
  return names;
}

}  // namespace

void fit_to_stack(SceneClip& clip, double duration_seconds) {
  const float end = float(duration_seconds);
  if (!std::isfinite(end) || end < 0) return;
  clip.end_seconds = end;
  uint32_t inexact = 0;
  for (SceneTracks& tracks : clip.tracks) {
    inexact += start_may_be_inexact(tracks.rotation);
    cut(tracks.translation, end);
    cut(tracks.rotation, end);
    cut(tracks.scale, end);
  }
  for (SceneWeightTrack& track : clip.weights) cut(track.weight, end);
  if (inexact == 0) return;
  clip.repairs.push_back("nodes with rotations keyed before its start: " + std::to_string(inexact) +
                         "; of such keys Assimp reads the first alone, so that it may begin a little off");
}

void drop_clips_without_keys(Scene& scene, std::vector<std::string>& warnings) {
  std::erase_if(scene.clips, [&](const SceneClip& clip) {
    if (has_keys(clip)) return false;
    warnings.push_back("clip '" + clip.name + "' has no keys, left out");
    return true;
  });
}

std::vector<std::string> fbx_stack_names(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return text.starts_with("Kaydara FBX Binary") ? binary_names(text) : text_names(text);
}

}  // namespace sinew::internal
