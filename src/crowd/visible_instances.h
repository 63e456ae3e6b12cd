// The visible instances of a frame, before they are sorted into a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "motion_paths.h"
#include "pose_sharing.h"
#include "sinew/animation/evaluator.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// A visible instance, and what was decided for it.
struct VisibleInstance {
  uint32_t instance = 0;
  uint32_t mesh = 0;          // counted over the levels of all models in turn
  float pixels_per_unit = 0;  // where it is, of an instance of scale 1: for levels of detail and shared poses
  uint8_t level = 0;          // of detail
  uint8_t group = 0;          // update group
  bool host_posed : 1 = false;
  bool has_playback : 1 = false;  // in Task::playbacks
  bool shadow_only : 1 = false;
};
static_assert(sizeof(VisibleInstance) == 16);  // lists of them are written and read several times in a frame

/// What update rates decide for a visible instance.
struct UpdateChoice {
  uint32_t previous_mesh = kNoPosedMesh;  // posed mesh of the previous plan that it keeps
  float pixels_per_unit = -1;             // of the model, upper bound; below 0: not known
  PathPoint now;                          // what it plays; where a group was chosen
};

/// What a visible instance plays at the time of an update group, for a frame that may be planned again.
struct PlaybackAhead {
  PathPoint point;
  uint8_t group = 0;      // 0: the host was not asked
  bool is_shown = false;  // Task::playbacks has it in place of what the instance plays now
};

/// Instances that a thread takes at once, and the visible ones among them.
struct Task {
  uint32_t first_instance = 0, instance_count = 0;
  std::vector<VisibleInstance> visible;
  std::vector<UpdateChoice> updates;  // of each of `visible`, with update rates
  std::vector<PlaybackAhead> ahead;   // of each of `visible`, with update rates and a memory budget
  std::vector<uint32_t> buckets;      // of each of `visible`, where poses are shared: of the model's PoseBuckets
  std::vector<Playback> playbacks;    // of each of `visible` that has one here, and perhaps some more: what it plays
  uint32_t new_slots = 0;    // visible instances without a posed mesh to keep, in a group that is not updated now
  uint32_t shadow_only = 0;  // visible instances that are
  uint32_t occluded = 0;     // instances that would be visible without the host's occlusion
};

/// Sets the playback of a visible instance. The list never gets shorter, because clearing it would cost as much as
/// writing it.
inline void set_playback(Task& task, size_t visible, const Playback& playback) {
  if (task.playbacks.size() <= visible) task.playbacks.resize(visible + visible / 2 + 16);
  task.playbacks[visible] = playback;
  task.visible[visible].has_playback = true;
}

/// The posed mesh of the previous plan that a visible instance keeps.
inline uint32_t kept_mesh_of(const Task& task, size_t visible) {
  return task.updates.empty() ? kNoPosedMesh : task.updates[visible].previous_mesh;
}

// A key is a place in the order of the plan: group 0, group 0 posed by the host, group 1 and on; each by mesh.
inline uint32_t key_of(const VisibleInstance& visible, uint32_t mesh_count) {
  const uint32_t place = visible.host_posed ? 1 : visible.group == 0 ? 0 : visible.group + 1u;
  return place * mesh_count + visible.mesh;
}

/// Makes room for `count` items and some more, so that counts that vary a little do not allocate in each frame.
template <class T>
void reserve_with_margin(std::vector<T>& items, size_t count) {
  if (items.capacity() < count) items.reserve(count + count / 2);
}

template <class T>
void resize_with_margin(std::vector<T>& items, size_t count) {
  reserve_with_margin(items, count);
  items.resize(count);
}

template <class T>
void fill_with_margin(std::vector<T>& items, size_t count, T value) {
  reserve_with_margin(items, count);
  items.assign(count, value);
}

/// Clears a list that will be filled again with about as many items.
template <class T>
void clear_with_margin(std::vector<T>& items) {
  const size_t count = items.size();
  items.clear();
  if (items.capacity() < count + count / 4) items.reserve(count + count / 2);
}

}  // namespace sinew::crowd::internal
