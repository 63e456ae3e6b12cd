// The player.
#include "sinew/c/player.h"

#include <span>

#include "character.h"
#include "playback.h"
#include "sinew/animation/player.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewMarkerEvent, MarkerEvent, instance, clip, marker, weight);

namespace {

PlayOptions play_options(const SinewPlayOptions* given) {
  const SinewPlayOptions known = read_optional(given, "options");
  PlayOptions options;
  options.start_seconds = known.start_seconds;
  options.looping = choice(known.looping, kLoopings, "options->looping");
  if (known.speed != 0) options.speed = known.speed;
  if (known.paused != 0) options.speed = 0;
  if (known.weight != 0) options.weight = known.weight;
  options.mask = known.mask;
  return options;
}

}  // namespace
}  // namespace sinew::c

struct SinewPlayer {
  sinew::Player player;
};

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_player_create(const SinewCharacter* character, uint32_t instance_count, uint32_t mask_count,
                                SinewPlayer** out, SinewError* error) {
  return create(out, error, __func__, [&](SinewPlayer& handle) {
    handle.player = Player(content_of(character).character, instance_count, mask_count);
    check(handle.player.advance(0));  // of one that could not be made: out of memory
  });
}

void sinew_player_destroy(SinewPlayer* player) { delete player; }

SinewResult sinew_player_resize(SinewPlayer* player, uint32_t instance_count, SinewError* error) {
  return call(error, __func__, [&] { check(required(player, "player").player.resize(instance_count)); });
}

SinewResult sinew_player_reset(SinewPlayer* player, uint32_t instance, SinewError* error) {
  return call(error, __func__, [&] { check(required(player, "player").player.reset(instance)); });
}

SinewResult sinew_player_play(SinewPlayer* player, uint32_t instance, uint32_t clip, const SinewPlayOptions* options,
                              SinewError* error) {
  return call(error, __func__,
              [&] { check(required(player, "player").player.play(instance, clip, play_options(options))); });
}

SinewResult sinew_player_cross_fade(SinewPlayer* player, uint32_t instance, uint32_t clip, double duration_seconds,
                                    const SinewPlayOptions* options, SinewError* error) {
  return call(error, __func__, [&] {
    check(required(player, "player").player.cross_fade(instance, clip, duration_seconds, play_options(options)));
  });
}

SinewResult sinew_player_stop(SinewPlayer* player, uint32_t instance, uint32_t clip, double duration_seconds,
                              SinewError* error) {
  return call(error, __func__,
              [&] { check(required(player, "player").player.stop(instance, clip, duration_seconds)); });
}

SinewResult sinew_player_set_speed(SinewPlayer* player, uint32_t instance, float speed, SinewError* error) {
  return call(error, __func__, [&] { check(required(player, "player").player.set_speed(instance, speed)); });
}

SinewResult sinew_player_set_root_track(SinewPlayer* player, uint32_t clip, const SinewRootTrack* track,
                                        SinewError* error) {
  return call(error, __func__,
              [&] { check(required(player, "player").player.set_root_track(clip, required(track, "track").track)); });
}

SinewResult sinew_player_advance(SinewPlayer* player, double seconds, SinewError* error) {
  return call(error, __func__, [&] { check(required(player, "player").player.advance(seconds)); });
}

SinewResult sinew_player_events(const SinewPlayer* player, const SinewMarkerEvent** out, uint32_t* count,
                                SinewError* error) {
  return call(error, __func__, [&] {
    const std::span<const MarkerEvent> events = required(player, "player").player.events();
    required(out, "out"), required(count, "count");
    *out = seen_as<SinewMarkerEvent>(events.data());
    *count = uint32_t(events.size());
  });
}

SinewResult sinew_player_root_motion(const SinewPlayer* player, uint32_t instance, SinewGroundMotion* out,
                                     SinewError* error) {
  return call(error, __func__, [&] {
    const Player& of = required(player, "player").player;
    const std::span<const Playback> instances = of.playbacks();
    element(instances, instance, "instance");
    required(out, "out") = motion_of(of.root_motion(instance));
  });
}

SinewResult sinew_player_playbacks(const SinewPlayer* player, const SinewPlayback** out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = seen_as<SinewPlayback>(required(player, "player").player.playbacks().data());
  });
}
