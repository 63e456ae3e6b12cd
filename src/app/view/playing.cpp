#include "view/playing.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>

#include "view/ground_motion.h"

namespace sinew::app {
namespace {

Error refuse(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

bool takes_time(double fade_seconds) { return fade_seconds > 0 && std::isfinite(fade_seconds); }

/// `value` after `seconds` of a fade to `target` that takes `fade_seconds` for a full change.
float faded(float value, float target, double seconds, double fade_seconds) {
  if (!takes_time(fade_seconds)) return target;
  const double change = seconds / fade_seconds;
  return float(target > value ? std::min<double>(target, value + change) : std::max<double>(target, value - change));
}

/// Whether playback is at another place than before, by a seek or another range.
bool differs(const TimeLine& a, const TimeLine& b) {
  return a.seconds != b.seconds || a.start_seconds != b.start_seconds || a.end_seconds != b.end_seconds ||
         a.looping != b.looping;
}

}  // namespace

Playing::Playing(Character& character) : character_(character), derived_(character) {
  rest_pose_ = character.clips.empty();
  ground_.up = normalize(character.space.up);
  for (std::vector<float>& mask : masks_) mask.resize(character.skeleton.joint_count());
  bases_.emplace_back();
  if (!rest_pose_) fit_to(time_line(), character.clips[0]);
  followed_ = time_line();
}

std::optional<uint32_t> Playing::clip() const { return rest_pose_ ? std::nullopt : std::optional(bases_.back().clip); }

/// Sets which clip a base plays with root motion treated as `mode` says.
Status Playing::find_played(Base& base, RootMotion mode, int32_t joint) {
  base.played = base.clip;
  base.in_place = false;
  if (rest_pose_ || mode == RootMotion::kKept || character_.clips[base.clip].additive) return {};
  const uint32_t root = joint == kNoJoint ? default_root_joint(character_, base.clip) : uint32_t(joint);
  const auto in_place = derived_.in_place(base.clip, root);
  if (!in_place) return in_place.error();
  base.played = *in_place;
  base.in_place = true;
  return {};
}

/// Additive clips have no share of a pose that could fade.
bool Playing::can_cross_fade(uint32_t clip) const {
  return !character_.clips[clip].additive && !character_.clips[bases_.back().clip].additive;
}

/// Removes what fades out, from the oldest, until there are enough layers for the rest.
void Playing::make_room() {
  while (bases_.size() + layers_.size() > kMaxLayers) {
    if (bases_.size() > 1) {
      bases_.erase(bases_.begin());
      continue;
    }
    const auto dropped = std::find_if(layers_.begin(), layers_.end(), [](auto& layer) { return layer.dropped; });
    assert(dropped != layers_.end());
    layers_.erase(dropped);
  }
}

Status Playing::choose(uint32_t clip, double fade_seconds) {
  if (clip >= clip_count()) return refuse("there is no clip " + std::to_string(clip));
  follow_seeks();
  Base next;
  next.clip = clip;
  if (Status found = find_played(next, root_motion_, root_joint_); !found) return found;
  next.line = time_line();
  next.line.playing = time_line().playing || is_at_end(time_line());
  fit_to(next.line, character_.clips[clip]);
  restart(next.line);
  const bool fades = next.line.playing && takes_time(fade_seconds) && can_cross_fade(clip);
  if (fades) {
    next.share = 0;
    next.fade_seconds = fade_seconds;
  } else {
    bases_.clear();
  }
  bases_.push_back(next);
  make_room();
  followed_ = time_line();
  return {};
}

Status Playing::choose_neighbor(int offset, double fade_seconds) {
  const uint32_t count = clip_count();
  if (count == 0) return {};
  return choose(uint32_t(int64_t(bases_.back().clip) + offset + count) % count, fade_seconds);
}

Status Playing::add_layer(const ViewLayer& layer, double fade_seconds) {
  const auto kept = std::count_if(layers_.begin(), layers_.end(), [](auto& each) { return !each.dropped; });
  if (uint32_t(kept) + 1 >= kMaxLayers) {
    return refuse("at most " + std::to_string(kMaxLayers) + " layers, the base included");
  }
  if (layer.clip >= clip_count()) return refuse("there is no clip " + std::to_string(layer.clip));
  if (layer.joint >= int64_t(character_.skeleton.joint_count()) || layer.joint < kNoJoint) {
    return refuse("there is no joint " + std::to_string(layer.joint));
  }
  if (layer.mode == LayerMode::kAdditive) {
    if (const auto additive = derived_.additive(layer.clip); !additive) return additive.error();
  }
  ViewLayer& added = layers_.emplace_back(layer);
  const bool fades = time_line().playing && takes_time(fade_seconds);
  added.presence = fades ? 0 : 1;
  added.fade_seconds = fades ? fade_seconds : 0;
  added.dropped = false;
  make_room();
  return {};
}

void Playing::drop_layer(size_t index, double fade_seconds) {
  if (index >= layers_.size() || layers_[index].dropped) return;
  layers_[index].dropped = true;
  layers_[index].fade_seconds = fade_seconds;
  if (!time_line().playing || !takes_time(fade_seconds)) layers_.erase(layers_.begin() + std::ptrdiff_t(index));
}

Status Playing::set_root_motion(RootMotion mode, int32_t joint) {
  std::vector<Base> bases = bases_;
  for (Base& base : bases) {
    if (Status found = find_played(base, mode, joint); !found) return found;
  }
  bases_ = std::move(bases);
  root_motion_ = mode;
  root_joint_ = joint;
  followed_.seconds = std::nan("");  // differs from any time line: the motion begins at the start of the range
  follow_seeks();
  return {};
}

void Playing::follow_seeks() {
  const Base& base = bases_.back();
  if (!differs(base.line, followed_)) return;
  moved_ =
      base.in_place ? ground_motion(derived_.track_of(base.played), base.line, 0, base.line.seconds) : GroundMotion();
  followed_ = base.line;
}

Matrix3x4d Playing::model_from_moved() {
  follow_seeks();
  return root_motion_ == RootMotion::kApplied ? to_matrix(ground_, moved_) : Matrix3x4d();
}

/// The mean of the bases' motions, by their shares of the pose.
GroundMotion Playing::motion_of_bases(std::span<const double> seconds_before) const {
  GroundMotion sum;
  double rest = 1;  // the share of this base and those before it
  for (size_t i = bases_.size(); i-- > 0;) {
    const Base& base = bases_[i];
    const double share = i > 0 ? rest * base.share : rest;
    rest -= share;
    if (!base.in_place) continue;
    const GroundMotion motion =
        ground_motion(derived_.track_of(base.played), base.line, seconds_before[i], base.line.seconds);
    sum.translation = sum.translation + motion.translation * float(share);
    sum.heading_radians += motion.heading_radians * share;
  }
  return sum;
}

void Playing::advance_fades(double seconds) {
  for (Base& base : bases_) base.share = faded(base.share, 1, seconds, base.fade_seconds);
  for (ViewLayer& layer : layers_) {
    layer.presence = faded(layer.presence, layer.dropped ? 0 : 1, seconds, layer.fade_seconds);
  }
}

void Playing::finish_fades() {
  bases_.back().share = 1;
  for (ViewLayer& layer : layers_) layer.presence = layer.dropped ? 0 : 1;
}

/// A base that has faded in hides those before it.
void Playing::remove_faded() {
  const auto shown = std::find_if(bases_.rbegin(), bases_.rend() - 1, [](auto& base) { return base.share == 1; });
  bases_.erase(bases_.begin(), shown.base() - 1);
  std::erase_if(layers_, [](const ViewLayer& layer) { return layer.dropped && !(layer.presence > 0); });
}

void Playing::advance(double seconds) {
  if (!time_line().playing || !(seconds > 0) || !std::isfinite(seconds)) return;
  follow_seeks();
  const float speed = float(limited_speed(time_line()));
  double seconds_before[kMaxLayers];
  for (size_t i = 0; i < bases_.size(); ++i) {
    TimeLine& line = bases_[i].line;
    line.speed = speed;
    wrap(line);
    seconds_before[i] = line.seconds;
    app::advance(line, seconds);
  }
  for (ViewLayer& layer : layers_) layer.seconds += seconds * speed;
  advance_fades(seconds);
  moved_ = compose(ground_, moved_, motion_of_bases({seconds_before, bases_.size()}));
  if (!time_line().playing) finish_fades();
  remove_faded();
  followed_ = time_line();
}

/// Fails for a layer that cannot be shown.
bool Playing::stack_layer(const ViewLayer& layer, StackedClip& stacked) {
  if (layer.clip >= clip_count()) return false;
  stacked.clip = layer.clip;
  stacked.time_seconds = clip_time(character_.clips[layer.clip], layer.seconds, Looping::kLoop);
  stacked.weight = limited_weight(layer.weight) * limited_weight(layer.presence);
  stacked.joint = layer.joint;
  if (layer.mode == LayerMode::kOverride && !character_.clips[layer.clip].additive) return true;
  stacked.mode = LayerMode::kAdditive;
  const auto additive = derived_.additive(layer.clip);
  if (additive) stacked.clip = *additive;
  return bool(additive);
}

std::vector<StackedClip> Playing::stack() {
  std::vector<StackedClip> stack;
  for (const Base& base : bases_) {
    if (rest_pose_) break;
    const bool additive = character_.clips[base.played].additive;
    stack.push_back({base.played, clip_seconds(base.line), stack.empty() ? 1 : base.share, kNoJoint,
                     additive ? LayerMode::kAdditive : LayerMode::kOverride});
  }
  for (const ViewLayer& layer : layers_) {
    StackedClip stacked;
    if (stack_layer(layer, stacked)) stack.push_back(stacked);
  }
  return stack;
}

Playback Playing::playback() { return playback_of(character_.skeleton, stack(), masks_); }

std::span<const std::vector<float>> Playing::masks() {
  playback();
  return masks_;
}

}  // namespace sinew::app
