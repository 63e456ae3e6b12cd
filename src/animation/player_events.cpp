// Markers that clips pass while a player advances.
#include <algorithm>
#include <cmath>

#include "playback_lap.h"
#include "sinew/animation/player.h"

namespace sinew {

using namespace internal;
namespace {

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
