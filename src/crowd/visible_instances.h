// The visible instances of a frame, before they are sorted into a plan.
#pragma once

#include <cstdint>
#include <vector>

#include "pose_sharing.h"
#include "sinew/animation/evaluator.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// A visible instance, and what was decided for it.
struct VisibleInstance {
  uint32_t instance = 0, character = 0, level = 0;
  uint32_t bucket = kNoBucket;            // of the character's PoseBuckets, where the pose is shared
  uint32_t group = 0;                     // update group
  uint32_t previous_mesh = kNoPosedMesh;  // posed mesh of the previous plan that it keeps
  float pixels_per_unit = 0;              // of the model, upper bound; where update rates are chosen
  bool shadow_only = false;               // only its shadow may be visible
  bool host_posed = false;
  Playback playback;
};

/// Instances that a thread takes at once, and the visible ones among them.
struct Task {
  uint32_t first_instance = 0, instance_count = 0;
  std::vector<VisibleInstance> visible;
  uint32_t new_slots = 0;    // visible instances without a posed mesh to keep, in a group that is not updated now
  uint32_t shadow_only = 0;  // visible instances that are
};

/// Makes room for `count` items and some more, so that counts that vary a little do not allocate in each frame.
template <class T>
void reserve_with_margin(std::vector<T>& items, size_t count) {
  if (items.capacity() < count) items.reserve(count + count / 2);
}

/// Clears a list that will be filled again with about as many items.
template <class T>
void clear_with_margin(std::vector<T>& items) {
  const size_t count = items.size();
  items.clear();
  if (items.capacity() < count + count / 4) items.reserve(count + count / 2);
}

}  // namespace sinew::crowd::internal
