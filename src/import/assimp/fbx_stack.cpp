#include "assimp/fbx_stack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "assimp/fbx_objects.h"
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
  std::vector<std::string> names;
  for (FbxObject& stack : find_fbx_objects(file, "AnimStack", "")) names.push_back(std::move(stack.name));
  return names;
}

}  // namespace sinew::internal
