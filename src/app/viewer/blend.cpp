// The blend of two clips: what Playing does with its lowest layer.
#include <algorithm>
#include <cmath>

#include "viewer/playing.h"

namespace sinew::app {

bool Playing::replaces_pose(const ViewLayer& layer) const {
  return layer.joint == kNoJoint && layer.mode == LayerMode::kOverride && !is_additive(layer.clip);
}

ViewLayer* Playing::blend() {
  const auto lowest = std::ranges::find(layers_, false, &ViewLayer::dropped);
  return lowest != layers_.end() && replaces_pose(*lowest) ? &*lowest : nullptr;
}

Status Playing::blend_with(uint32_t clip, double fade_seconds) {
  if (Status exists = check_clip(clip); !exists) return exists;
  if (ViewLayer* now = blend(); now && !is_additive(clip)) {
    now->clip = clip, now->seconds = 0;
    return {};
  }
  return insert_layer({.clip = clip, .weight = 0.5f, .in_phase = true}, 0, fade_seconds);
}

/// The time line of a layer while that of the base clip is as given.
TimeLine Playing::line_of(const ViewLayer& layer, const TimeLine& base) const {
  TimeLine line;
  fit_to(line, character_.clips[layer.clip]);
  line.seconds = layer.seconds;
  if (!layer.in_phase) return line;
  line.looping = base.looping;
  follow_phase(line, phase(base));
  return line;
}

/// How fast the base clip is played because of the clip that it is blended with.
double Playing::pace() {
  const ViewLayer* second = blend();
  if (!second || !second->in_phase) return 1;
  const double own = duration_seconds(time_line());
  const double other = double(character_.clips[second->clip].duration_seconds());
  const double both = std::lerp(own, other, double(second->weight * second->presence));
  return own > 0 && other > 0 ? own / both : 1;
}

/// The motion of the newest base, with that of the clip that it is blended with.
GroundMotion Playing::motion_of_newest(double from_seconds, double to_seconds) {
  const Base& base = bases_.back();
  GroundMotion motion;
  if (!base.in_place) return motion;
  motion = ground_motion(base.in_place->track, base.line, from_seconds, to_seconds);
  const ViewLayer* second = blend();
  if (!second) return motion;
  const auto other = derived_.in_place(second->clip);
  if (!other) return motion;
  TimeLine from = base.line, to = base.line;
  from.seconds = from_seconds, to.seconds = to_seconds;
  const TimeLine line = line_of(*second, to);
  const double before = second->in_phase ? line_of(*second, from).seconds : line.seconds - (to_seconds - from_seconds);
  const GroundMotion added = ground_motion((*other)->track, line, before, line.seconds);
  const float share = second->weight * second->presence;
  motion.translation = motion.translation * (1 - share) + added.translation * share;
  motion.heading_radians = std::lerp(motion.heading_radians, added.heading_radians, double(share));
  return motion;
}

}  // namespace sinew::app
