#include "viewer/playing.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "scene/clip_motion.h"
#include "sinew/animation/pose.h"

namespace sinew::app {
namespace {

Error refuse(std::string why) { return {ErrorCode::kInvalidArgument, std::move(why)}; }

/// `value` after `seconds` of a fade to `target` that takes `fade_seconds` for a full change.
float faded(float value, float target, double seconds, double fade_seconds) {
  const double change = fade_seconds > 0 ? seconds / fade_seconds : INFINITY;
  return float(target > value ? std::min<double>(target, value + change) : std::max<double>(target, value - change));
}

/// Whether playback is at another place than before, by a seek or another range.
bool differs(const TimeLine& a, const TimeLine& b) {
  return a.seconds != b.seconds || a.start_seconds != b.start_seconds || a.end_seconds != b.end_seconds ||
         a.looping != b.looping;
}

uint32_t append(Character& character, Clip clip, const char* suffix) {
  clip.name += suffix;
  character.clips.push_back(std::move(clip));
  return uint32_t(character.clips.size() - 1);
}

}  // namespace

Playing::Playing(Character& character) : character_(character), derived_(character), bases_(1) {
  ground_.up = normalize(character.space.up);
  if (clip()) fit_to(time_line(), character.clips[0]);
  followed_ = time_line();
}

std::optional<uint32_t> Playing::clip() const {
  return clip_count() > 0 ? std::optional(bases_.back().clip) : std::nullopt;
}

std::optional<uint32_t> Playing::played() const {
  return clip() ? std::optional(bases_.back().played()) : std::nullopt;
}

Status Playing::check_clip(uint32_t clip) const {
  return clip < clip_count() ? Status() : refuse("there is no clip " + std::to_string(clip));
}

/// Sets which clip a base plays with root motion treated as `mode` says.
Status Playing::find_played(Base& base, RootMotion mode) {
  base.in_place = nullptr;
  if (!clip() || mode == RootMotion::kKept || is_additive(base.clip)) return {};
  const auto in_place = derived_.in_place(base.clip);
  if (!in_place) return in_place.error();
  base.in_place = *in_place;
  return {};
}

/// Removes what fades out, from the oldest, until there are enough layers for the rest.
void Playing::make_room() {
  while (bases_.size() + layers_.size() > kMaxLayers) {
    if (bases_.size() > 1) {
      bases_.erase(bases_.begin());
    } else {
      layers_.erase(std::find_if(layers_.begin(), layers_.end(), [](auto& layer) { return layer.dropped; }));
    }
  }
}

Status Playing::choose(uint32_t clip, double fade_seconds) {
  if (Status exists = check_clip(clip); !exists) return exists;
  follow_seeks();
  Base next{.clip = clip, .line = time_line()};
  if (Status found = find_played(next, root_motion_); !found) return found;
  next.line.playing = time_line().playing || is_at_end(time_line());
  fit_to(next.line, character_.clips[clip]);
  restart(next.line);
  const ViewLayer* second = blend();
  if (second && second->in_phase && !is_at_end(time_line())) follow_phase(next.line, phase(time_line()));
  // Additive clips have no share of a pose that could fade.
  if (next.line.playing && fade_seconds > 0 && !is_additive(clip) && !is_additive(bases_.back().clip)) {
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

Status Playing::add_layer(const ViewLayer& layer, double fade_seconds) {
  return insert_layer(layer, layers_.size(), fade_seconds);
}

Status Playing::insert_layer(const ViewLayer& layer, size_t index, double fade_seconds) {
  const auto kept = std::count_if(layers_.begin(), layers_.end(), [](auto& each) { return !each.dropped; });
  if (uint32_t(kept) + 1 >= kMaxLayers)
    return refuse("at most " + std::to_string(kMaxLayers) + " layers, the base included");
  if (Status exists = check_clip(layer.clip); !exists) return exists;
  if (layer.mode == LayerMode::kAdditive) {
    if (const auto additive = derived_.additive(layer.clip); !additive) return additive.error();
  }
  ViewLayer& added = *layers_.insert(layers_.begin() + std::ptrdiff_t(index), layer);
  added.fade_seconds = fade_seconds;
  added.presence = time_line().playing && fade_seconds > 0 ? 0 : 1;
  added.dropped = false;
  make_room();
  return {};
}

void Playing::drop_layer(size_t index, double fade_seconds) {
  if (index >= layers_.size() || layers_[index].dropped) return;
  layers_[index].dropped = true;
  layers_[index].fade_seconds = fade_seconds;
  if (!time_line().playing || !(fade_seconds > 0)) layers_.erase(layers_.begin() + std::ptrdiff_t(index));
}

Status Playing::set_root_motion(RootMotion mode) {
  std::vector<Base> bases = bases_;
  for (Base& base : bases) {
    if (Status found = find_played(base, mode); !found) return found;
  }
  bases_ = std::move(bases);
  root_motion_ = mode;
  followed_.seconds = std::nan("");  // differs from any time line: the motion begins at the start of the range
  follow_seeks();
  return {};
}

void Playing::follow_seeks() {
  const Base& base = bases_.back();
  if (!differs(base.line, followed_)) return;
  moved_ = motion_of_newest(0, base.line.seconds);
  followed_ = base.line;
}

Matrix3x4d Playing::model_from_moved() {
  follow_seeks();
  return root_motion_ == RootMotion::kApplied ? to_matrix(ground_, moved_) : Matrix3x4d();
}

/// The mean of the bases' motions, by their shares of the pose.
GroundMotion Playing::motion_of_bases(std::span<const double> seconds_before) {
  GroundMotion sum;
  double rest = 1;  // the share of this base and those before it
  for (size_t i = bases_.size(); i-- > 0;) {
    const Base& base = bases_[i];
    const double share = i > 0 ? rest * base.share : rest;
    rest -= share;
    if (!base.in_place) continue;
    const bool newest = i + 1 == bases_.size();
    const GroundMotion motion =
        newest ? motion_of_newest(seconds_before[i], base.line.seconds)
               : ground_motion(base.in_place->track, base.line, seconds_before[i], base.line.seconds);
    sum.translation = sum.translation + motion.translation * float(share);
    sum.heading_radians += motion.heading_radians * share;
  }
  return sum;
}

void Playing::advance_fades(double seconds) {
  for (Base& base : bases_) base.share = faded(base.share, 1, seconds, base.fade_seconds);
  for (ViewLayer& layer : layers_)
    layer.presence = faded(layer.presence, layer.dropped ? 0 : 1, seconds, layer.fade_seconds);
}

void Playing::advance(double seconds) {
  if (!time_line().playing || !(seconds > 0)) return;
  follow_seeks();
  const float speed = time_line().speed;
  const double newest_seconds = seconds * pace();
  double seconds_before[kMaxLayers];
  for (size_t i = 0; i < bases_.size(); ++i) {
    TimeLine& line = bases_[i].line;
    line.speed = speed;
    wrap(line);
    seconds_before[i] = line.seconds;
    app::advance(line, i + 1 == bases_.size() ? newest_seconds : seconds);
  }
  for (ViewLayer& layer : layers_) layer.seconds += seconds * double(speed);
  advance_fades(seconds);
  moved_ = compose(ground_, moved_, motion_of_bases({seconds_before, bases_.size()}));
  if (!time_line().playing) advance_fades(INFINITY);
  const auto shown = std::find_if(bases_.rbegin(), bases_.rend() - 1, [](auto& base) { return base.share == 1; });
  bases_.erase(bases_.begin(), shown.base() - 1);  // a base that has faded in hides those before it
  std::erase_if(layers_, [](const ViewLayer& layer) { return layer.dropped && !(layer.presence > 0); });
  followed_ = time_line();
}

Playback Playing::playback(std::span<NamedMask> masks) {
  std::vector<StackedClip> stack;
  for (const Base& base : bases_) {
    if (!clip()) break;
    stack.push_back({base.played(), clip_seconds(base.line), stack.empty() ? 1 : base.share, kNoJoint,
                     is_additive(base.played()) ? LayerMode::kAdditive : LayerMode::kOverride});
  }
  for (const ViewLayer& layer : layers_) {
    stack.push_back({layer.clip, clip_seconds(line_of(layer, time_line())), layer.weight * layer.presence, layer.joint,
                     layer.mode});
    if (replaces_pose(layer) && root_motion_ != RootMotion::kKept) {
      if (const auto in_place = derived_.in_place(layer.clip)) stack.back().clip = (*in_place)->clip;
    }
    if (layer.mode == LayerMode::kOverride && !is_additive(layer.clip)) continue;
    const auto additive = derived_.additive(layer.clip);
    if (!additive) {  // it cannot be shown
      stack.pop_back();
      continue;
    }
    stack.back().clip = *additive;
    stack.back().mode = LayerMode::kAdditive;
  }
  return playback_of(character_.skeleton, stack, masks);
}

// The blend of two clips: what Playing does with its lowest layer.

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

Result<uint32_t> DerivedClips::additive(uint32_t clip) {
  const Clip& source = character_.clips[clip];
  if (source.additive) return clip;
  if (const auto made = additive_.find(clip); made != additive_.end()) return made->second;
  std::vector<Transform> first_pose(character_.skeleton.joint_count());
  sample_clip(source, character_.skeleton, source.start_seconds, first_pose);
  auto additive = make_additive(source, character_.skeleton, first_pose);
  if (!additive) return additive.error();
  return additive_[clip] = append(character_, *std::move(additive), " (additive)");
}

Result<const DerivedClips::InPlace*> DerivedClips::in_place(uint32_t clip) {
  if (const auto made = in_place_.find(clip); made != in_place_.end()) return &made->second;
  auto extracted = extract_root_motion(character_, clip, find_moved_root(character_, clip).joint);
  if (!extracted) return extracted.error();
  const uint32_t derived = append(character_, std::move(extracted->clip), " (in place)");
  return &(in_place_[clip] = {derived, std::move(extracted->track)});
}

}  // namespace sinew::app
