// Update rate by distance: who is so far that it does not show is sampled and skinned in every second or fourth frame
// only, and drawn in each. What makes that safe is how far a clip carries any vertex in a time.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "crowd/clip_path.h"
#include "scene/camera.h"
#include "scene/model.h"
#include "scene/scene.h"
#include "system/thread_pool.h"

namespace sinew::app {

/// So much may a vertex be drawn off for being held, in pixels.
inline constexpr float kMaxUpdateErrorPixels = 1;

// Those of one rate are divided by chance into as many update groups as it counts frames, so that each frame has its
// share: group 0 is updated in every frame, 1 and 2 in every second, 3 to 6 in every fourth.
inline constexpr uint32_t kSlowestRate = 4, kUpdateGroups = 1 + 2 + 4;

inline uint32_t group_of_rate(uint32_t rate, uint64_t chance) { return rate - 1 + uint32_t(chance % rate); }
inline uint32_t rate_of_group(uint32_t group) { return std::bit_floor(group + 1); }

/// In how many frames a group is updated next; 0: in this one.
inline uint32_t frames_until_update(uint32_t group, uint64_t frame) {
  const uint64_t rate = rate_of_group(group), turn = group - (rate - 1);
  return uint32_t((turn + rate - frame % rate) % rate);
}

/// How the clips that a model plays move its vertices, in the model's units. A skinned vertex lies between the places
/// that its palette entries put it to: it moves no further than the furthest corner of any entry's box of vertices.
class MotionPaths {
 public:
  MotionPaths(const Model& model, ThreadPool& pool);

  /// How far any vertex can be apart in two poses. Infinite where not both play the same clip and nothing else.
  float between(const Playback& a, const Playback& b) const;

  /// How far a pose that is shown for a time is off at most, if it is that of the middle of it; likewise.
  float not_updated(const Playback& begin, float clip_seconds) const;

  /// Pixels that one of the model's units is large at most, around an instance that plays a clip alone.
  float max_pixels_per_unit(const View& view, const CrowdInstance& instance) const;

 private:
  const ClipPath* path_of(const Playback& playback) const;

  std::vector<ClipPath> paths_;  // of each clip of the character; empty where the model does not play it
  Vec3 middle_;                  // of the model
  float reach_ = 0;              // of any vertex from there
};

}  // namespace sinew::app
