#include "sinew/animation/player.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "asset/exceptions.h"
#include "asset/plain_text.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/clip.h"

namespace sinew {

using namespace internal;
namespace {

// Playback time as whole laps of a loop and the time within one.

inline constexpr size_t kLoopingCount = 3;

/// After how many seconds a clip repeats itself; 0: never.
inline double period_of(const Clip& clip, Looping looping) {
  const double duration = double(clip.end_seconds) - clip.start_seconds;
  if (looping == Looping::kClamp || !(duration > 0)) return 0;
  return looping == Looping::kPingPong ? 2 * duration : duration;
}

struct Lap {
  double laps = 0;     // whole periods before `seconds`; negative before the start
  double seconds = 0;  // within [0, period)
};

/// Rounding never makes `seconds` leave its range: what advances in steps then passes each moment as often as what
/// advances at once.
inline Lap lap_of(double seconds, double period) {
  const double laps = std::floor(seconds / period), rest = seconds - laps * period;
  if (rest >= period) return {laps + 1, 0};
  return {laps, rest > 0 ? rest : 0};
}

/// A step of playback: from a time in lap 0 to a time in another lap.
struct Step {
  double from = 0, to = 0;  // seconds within a lap
  double laps = 0;

  bool is_forward() const { return laps != 0 ? laps > 0 : to > from; }
};

/// The step of `seconds` from the playback time `now`. Without a period, times are those within the clip.
inline Step step_from(double now, double seconds, double period, const Clip& clip) {
  if (period > 0) {
    const double from = lap_of(now, period).seconds;
    const Lap to = lap_of(from + seconds, period);
    return {from, to.seconds, to.laps};
  }
  const double duration = double(clip.end_seconds) - clip.start_seconds;
  return {std::clamp(now, 0.0, duration), std::clamp(now + seconds, 0.0, duration), 0};
}

static_assert(kMaxLayers <= 8, "bits of Player::playing_");

Error refuse_player(const std::string& why) { return {ErrorCode::kInvalidArgument, "player: " + why}; }

Error too_many_instances(uint32_t count) {
  return refuse_player(std::to_string(count) + " instances, but at most " + std::to_string(kMaxPlayerInstances));
}

/// The number of events of instances before `instance`.
size_t events_before(std::span<const MarkerEvent> events, uint32_t instance) {
  const auto is_before = [](const MarkerEvent& event, uint32_t limit) { return event.instance < limit; };
  return size_t(std::lower_bound(events.begin(), events.end(), instance, is_before) - events.begin());
}

/// Calls `pass(moment)` for each moment after the start of a forward step, until a call returns false.
template <class Moments, class Pass>
void for_each_forward(const Moments& moments, const Step& step, Pass pass) {
  for (double lap = 0; lap <= step.laps; ++lap) {
    for (auto moment = moments.begin(); moment != moments.end(); ++moment) {
      if (lap == 0 && moment->seconds <= step.from) continue;
      if (lap == step.laps && moment->seconds > step.to) break;
      if (!pass(*moment)) return;
    }
  }
}

template <class Moments, class Pass>
void for_each_backward(const Moments& moments, const Step& step, Pass pass) {
  for (double lap = 0; lap >= step.laps; --lap) {
    for (auto moment = moments.rbegin(); moment != moments.rend(); ++moment) {
      if (lap == 0 && moment->seconds >= step.from) continue;
      if (lap == step.laps && moment->seconds < step.to) break;
      if (!pass(*moment)) return;
    }
  }
}

}  // namespace

Status validate(const Playback& playback, uint32_t clip_count, uint32_t mask_count) SINEW_TRY {
  const auto wrong = [](size_t layer, const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, "playback: layer " + std::to_string(layer) + why};
  };
  bool any = false;
  for (size_t i = 0; i < kMaxLayers; ++i) {
    const Layer& layer = playback.layers[i];
    if (!(layer.weight >= 0) || !std::isfinite(layer.weight)) return wrong(i, " has a weight that is not 0 or above");
    if (layer.weight == 0) continue;
    any = true;
    if (layer.clip >= clip_count)
      return wrong(i, " names clip " + std::to_string(layer.clip) + " of " + std::to_string(clip_count));
    if (layer.mask > mask_count)
      return wrong(i, " names mask " + std::to_string(layer.mask) + " of " + std::to_string(mask_count));
    if (!std::isfinite(layer.time_seconds)) return wrong(i, " has a time that is not finite");
  }
  if (!any) return Error{ErrorCode::kInvalidArgument, "playback: no layer has any weight"};
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Player::Player(const Character& character, uint32_t instance_count, uint32_t mask_count) noexcept {
  if (instance_count > kMaxPlayerInstances) {
    refused_instances_ = instance_count;
    return;
  }
  SINEW_TRY { *this = Player(character.clips, instance_count, mask_count); }
  SINEW_CATCH_BAD_ALLOC(out_of_memory_ = true;)
}

Player::Player(std::span<const Clip> clips, uint32_t instance_count, uint32_t mask_count)
    : mask_count_(mask_count), tracks_(clips.size()) {
  for (const Clip& clip : clips) {
    clips_.push_back({clip.name, clip.start_seconds, clip.end_seconds, {}, clip.additive});
  }
  const bool any_markers = std::any_of(clips.begin(), clips.end(), [](const Clip& c) { return !c.markers.empty(); });
  for (const Clip& clip : any_markers ? clips : std::span<const Clip>()) {
    for (const Looping looping : {Looping::kClamp, Looping::kLoop, Looping::kPingPong}) {
      moments_.push_back(moments_of(clip, looping));
    }
  }
  set_instance_count(instance_count);
}

/// Calls `visit(array, elements of an instance, their value in a new instance)` for each array of the instances.
template <class Visit>
void Player::visit_state(Visit visit) {
  visit(speeds_, 1, 1.0f);
  visit(playing_, 1, uint8_t(0));
  visit(layer_clips_, kMaxLayers, 0u), visit(layer_masks_, kMaxLayers, 0u);
  visit(layer_seconds_, kMaxLayers, 0.0), visit(seconds_before_, kMaxLayers, 0.0);
  visit(layer_speeds_, kMaxLayers, 0.0f), visit(loopings_, kMaxLayers, Looping());
  visit(weights_, kMaxLayers, 0.0), visit(fade_targets_, kMaxLayers, 0.0), visit(fade_rates_, kMaxLayers, 0.0);
  if (!moments_.empty()) visit(are_started_, kMaxLayers, uint8_t(0));
  visit(playbacks_, 1, Playback());  // last: if memory runs out, those that the host reads have not moved
}

/// First all memory, by at least half as much again: the rest cannot fail, and instances may come one by one.
void Player::set_instance_count(uint32_t instance_count) {
  visit_state([&](auto& array, size_t each, const auto&) {
    const size_t needed = instance_count * each, room = array.capacity();
    if (needed > room) array.reserve(std::max(needed, room + room / 2));
  });
  visit_state([&](auto& array, size_t each, const auto& value) { array.resize(instance_count * each, value); });
}

Status Player::resize(uint32_t instance_count) SINEW_TRY {
  if (auto fault = construction_error()) return *fault;
  if (instance_count > kMaxPlayerInstances) return too_many_instances(instance_count);
  set_instance_count(instance_count);
  events_.resize(events_before(events_, instance_count));
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

/// Events stay where they are: the host may be in a loop over them.
Status Player::reset(uint32_t instance) SINEW_TRY {
  if (auto fault = validate_instance(instance)) return *fault;
  visit_state([&](auto& array, size_t each, const auto& value) {
    std::fill_n(array.begin() + ptrdiff_t(instance * each), each, value);
  });
  for (size_t i = events_before(events_, instance); i < events_.size() && events_[i].instance == instance; ++i) {
    events_[i].weight = 0;
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

std::optional<Error> Player::construction_error() const {
  if (out_of_memory_) return out_of_memory();
  if (refused_instances_ > 0) return too_many_instances(refused_instances_);
  return std::nullopt;
}

std::optional<Error> Player::validate_instance(uint32_t instance) const {
  if (auto fault = construction_error()) return fault;
  if (instance < instance_count()) return std::nullopt;
  return refuse_player("there is no instance " + std::to_string(instance) + ", of " + std::to_string(instance_count()));
}

std::optional<Error> Player::validate_request(uint32_t instance, uint32_t clip, double duration_seconds) const {
  if (auto fault = validate_instance(instance)) return fault;
  if (clip >= clips_.size()) {
    return refuse_player("there is no clip " + std::to_string(clip) + " in this character, which has " +
                         std::to_string(clips_.size()));
  }
  if (!(duration_seconds >= 0) || !std::isfinite(duration_seconds)) {
    return refuse_player("a fade cannot take " + decimal(double(duration_seconds)) + " seconds");
  }
  return std::nullopt;
}

std::optional<Error> Player::validate_request(const PlayOptions& options) const {
  if (!std::isfinite(options.start_seconds)) return refuse_player("the start is not a finite time");
  if (!std::isfinite(options.speed)) return refuse_player("the speed is not finite");
  if (!(options.weight > 0) || !std::isfinite(options.weight)) {
    return refuse_player("a weight of " + decimal(double(options.weight)) + " is not above 0 and finite");
  }
  if (options.mask > mask_count_) {
    return refuse_player("there is no mask " + std::to_string(options.mask) + ", of " + std::to_string(mask_count_));
  }
  return std::nullopt;
}

bool Player::in_layer_group(size_t layer, uint32_t clip, uint32_t mask) const {
  if (!(weights_[layer] > 0 || fade_rates_[layer] > 0)) return false;
  if (layer_masks_[layer] != mask || clips_[layer_clips_[layer]].additive != clips_[clip].additive) return false;
  return !clips_[clip].additive || layer_clips_[layer] == clip;
}

/// A layer that plays no clip, or else the layer of the group with the smallest weight.
std::optional<size_t> Player::layer_for(uint32_t instance, uint32_t clip, uint32_t mask) const {
  std::optional<size_t> lightest;
  for (size_t layer = size_t(instance) * kMaxLayers, end = layer + kMaxLayers; layer < end; ++layer) {
    if (weights_[layer] == 0 && fade_rates_[layer] == 0) return layer;
    if (in_layer_group(layer, clip, mask) && (!lightest || weights_[layer] < weights_[*lightest])) lightest = layer;
  }
  return lightest;
}

/// Starts a fade of a layer's weight to `weight`. Without a duration, the weight changes at once.
void Player::fade(size_t layer, double weight, double duration_seconds) {
  const double change = std::abs(weight - weights_[layer]);
  fade_targets_[layer] = weight;
  fade_rates_[layer] = duration_seconds > 0 ? change / duration_seconds : 0;
  if (!(fade_rates_[layer] > 0) || !std::isfinite(fade_rates_[layer])) weights_[layer] = weight, fade_rates_[layer] = 0;
  show(layer);
}

Status Player::play(uint32_t instance, uint32_t clip, const PlayOptions& options) {
  return cross_fade(instance, clip, 0, options);
}

Status Player::cross_fade(uint32_t instance, uint32_t clip, double duration_seconds,
                          const PlayOptions& options) SINEW_TRY {
  if (auto fault = validate_request(instance, clip, duration_seconds)) return *fault;
  if (auto fault = validate_request(options)) return *fault;
  const std::optional<size_t> chosen = layer_for(instance, clip, options.mask);
  if (!chosen) {
    return refuse_player("instance " + std::to_string(instance) + " has no layer left for clip '" + clips_[clip].name +
                         "'");
  }
  bool alone = true;
  for (size_t layer = size_t(instance) * kMaxLayers, end = layer + kMaxLayers; layer < end; ++layer) {
    if (layer == *chosen || !in_layer_group(layer, clip, options.mask)) continue;
    fade(layer, 0, duration_seconds);
    alone = false;
  }
  layer_clips_[*chosen] = clip, layer_masks_[*chosen] = options.mask;
  layer_seconds_[*chosen] = seconds_before_[*chosen] = options.start_seconds;
  layer_speeds_[*chosen] = options.speed, loopings_[*chosen] = options.looping;
  if (!are_started_.empty()) are_started_[*chosen] = 1;
  weights_[*chosen] = 0;
  // A clip that is alone in its group has no clip to fade from: it gets its weight at once. Masked and additive layers
  // still fade in, over the layers below them.
  const bool cut = alone && options.mask == 0 && !clips_[clip].additive;
  fade(*chosen, options.weight, cut ? 0 : duration_seconds);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Player::stop(uint32_t instance, uint32_t clip, double duration_seconds) SINEW_TRY {
  if (auto fault = validate_request(instance, clip, duration_seconds)) return *fault;
  for (size_t layer = size_t(instance) * kMaxLayers, end = layer + kMaxLayers; layer < end; ++layer) {
    if (layer_clips_[layer] == clip) fade(layer, 0, duration_seconds);
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Player::set_speed(uint32_t instance, float speed) SINEW_TRY {
  if (auto fault = validate_instance(instance)) return *fault;
  if (!std::isfinite(speed)) return refuse_player("the speed is not finite");
  speeds_[instance] = speed;
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status Player::set_root_track(uint32_t clip, RootTrack track) SINEW_TRY {
  if (auto fault = construction_error()) return *fault;
  if (clip >= clips_.size()) return refuse_player("there is no clip " + std::to_string(clip));
  if (track.start_seconds != clips_[clip].start_seconds || track.end_seconds != clips_[clip].end_seconds) {
    return refuse_player("the root track is of another clip than '" + clips_[clip].name + "'");
  }
  tracks_[clip] = std::move(track);
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

/// The seconds of playback of a layer in a step of `seconds`.
double Player::step_of(size_t layer, double seconds) const {
  return seconds * double(layer_speeds_[layer]) * double(speeds_[layer / kMaxLayers]);
}

/// Keeps playback time within one period of its loop before it advances, so that it stays exact over a long time.
void Player::move(size_t layer, double seconds) {
  const double period = period_of(clips_[layer_clips_[layer]], loopings_[layer]);
  double& now = layer_seconds_[layer];
  if (period > 0) now = lap_of(now, period).seconds;
  seconds_before_[layer] = now;
  now += seconds;
}

/// `seconds` is not negative.
double Player::weight_after(size_t layer, double seconds) const {
  if (!(fade_rates_[layer] > 0)) return weights_[layer];
  const double remaining = fade_targets_[layer] - weights_[layer], change = seconds * fade_rates_[layer];
  return change < std::abs(remaining) ? weights_[layer] + std::copysign(change, remaining) : fade_targets_[layer];
}

void Player::advance_fade(size_t layer, double seconds) {
  weights_[layer] = weight_after(layer, seconds);
  if (weights_[layer] == fade_targets_[layer]) fade_rates_[layer] = 0;
}

Status Player::advance(double seconds) SINEW_TRY {
  if (auto fault = construction_error()) return *fault;
  if (!std::isfinite(seconds)) return refuse_player("time cannot advance by what is not finite");
  collect_events(seconds);
  for_each_playing_layer([&](size_t layer) {
    if (!are_started_.empty()) are_started_[layer] = 0;
    move(layer, step_of(layer, seconds));
    if (fade_rates_[layer] > 0) advance_fade(layer, std::abs(seconds));
    show(layer);
  });
  return {};
}
SINEW_CATCH_BAD_ALLOC(events_.clear(); return out_of_memory();)

GroundMotion Player::root_motion(uint32_t instance) const {
  if (instance >= instance_count()) return {};
  GroundMotion sum;
  double weights = 0;
  for (size_t layer = size_t(instance) * kMaxLayers, end = layer + kMaxLayers; layer < end; ++layer) {
    const uint32_t clip = layer_clips_[layer];
    if (!(weights_[layer] > 0) || clips_[clip].additive) continue;
    const GroundMotion motion =
        motion_between(tracks_[clip], seconds_before_[layer], layer_seconds_[layer], loopings_[layer]);
    sum.translation = sum.translation + motion.translation * float(weights_[layer]);
    sum.heading_radians += motion.heading_radians * weights_[layer];
    weights += weights_[layer];
  }
  if (weights > 0) sum = {sum.translation * float(1 / weights), sum.heading_radians / weights};
  return sum;
}

Playback Player::playback(uint32_t instance) const {
  return instance < playbacks_.size() ? playbacks_[instance] : Playback();
}

/// Brings the layer in playbacks_ and playing_ up to date.
void Player::show(size_t layer) {
  const size_t instance = layer / kMaxLayers;
  const auto bit = uint8_t(1u << layer % kMaxLayers);
  const bool plays = weights_[layer] != 0 || fade_rates_[layer] != 0;
  playing_[instance] = uint8_t(plays ? playing_[instance] | bit : playing_[instance] & ~bit);
  Layer& shown = playbacks_[instance].layers[layer % kMaxLayers];
  shown = {.weight = 0};
  if (!(weights_[layer] > 0)) return;
  const uint32_t clip = layer_clips_[layer];
  shown = {clip, clip_time(clips_[clip], layer_seconds_[layer], loopings_[layer]), float(weights_[layer]),
           layer_masks_[layer]};
}

// Markers that clips pass while a player advances.

/// Periods are those of move(): a marker at the end of a loop is at the start of the next one, and a ping-pong passes
/// all but its two ends once on its way and once on its way back.
Player::Moments Player::moments_of(const Clip& clip, Looping looping) {
  const double duration = double(clip.end_seconds) - clip.start_seconds;
  Moments moments;
  for (uint32_t i = 0; i < clip.markers.size(); ++i) {
    const double seconds = double(clip.markers[i].time_seconds) - clip.start_seconds;
    const bool at_end = looping == Looping::kLoop && duration > 0 && seconds >= duration;
    moments.push_back({at_end ? 0 : seconds, i, at_end});
    if (looping == Looping::kPingPong && seconds > 0 && seconds < duration) {
      moments.push_back({2 * duration - seconds, i, false});
    }
  }
  // The end of the last round comes before the start of the next.
  std::stable_sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.at_end > b.at_end;
  });
  return moments;
}

/// Before the layers move: if memory runs out, nothing has changed.
void Player::collect_events(double seconds) {
  events_.clear();
  if (moments_.empty()) return;
  for_each_playing_layer([&](size_t layer) { collect_events(layer, seconds); });
}

void Player::collect_events(size_t layer, double seconds) {
  const uint32_t clip = layer_clips_[layer];
  const Moments& moments = moments_[clip * kLoopingCount + size_t(loopings_[layer])];
  if (moments.empty()) return;
  const double period = period_of(clips_[clip], loopings_[layer]);
  const Step step = step_from(layer_seconds_[layer], step_of(layer, seconds), period, clips_[clip]);
  const float weight = float(weight_after(layer, std::abs(seconds)));
  uint32_t left = kMaxEventsPerLayer;
  const auto pass = [&](const Moment& moment) {
    events_.push_back({uint32_t(layer / kMaxLayers), clip, moment.marker, weight});
    return --left > 0;
  };
  if (are_started_[layer]) {
    for (const Moment& moment : moments) {
      if (moment.seconds == step.from && !moment.at_end && !pass(moment)) return;
    }
  }
  if (step.is_forward()) {
    for_each_forward(moments, step, pass);
  } else {
    for_each_backward(moments, step, pass);
  }
}

}  // namespace sinew
