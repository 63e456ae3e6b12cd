// The player: keeps what each instance of a crowd plays while time advances.
//
//   sinew_player_create()          once per character
//   sinew_player_cross_fade()      when an instance starts another clip
//   sinew_player_advance()         each frame
//   sinew_player_playbacks()       each frame: input of sinew_evaluator_evaluate() and sinew_planner_plan()
//
// Instances come and go: sinew_player_resize() changes their number, sinew_player_reset() empties a place for the next
// one.
//
// A clip that starts replaces the clips of its instance that play with the same mask: they fade out. Clips with other
// masks and additive clips go on. An additive clip replaces only itself.
#pragma once

#include "sinew/c/root_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Plays the clips of one character on many instances.
typedef struct SinewPlayer SinewPlayer;

/// An instance passed a marker of a clip. The element of an array.
typedef struct SinewMarkerEvent {
  uint32_t instance, clip;
  uint32_t marker;  // see sinew_character_marker()
  float weight;     // of the clip's layer after the step: small or 0 while it fades out
} SinewMarkerEvent;

/// How a clip plays. 0 is the default of each.
typedef struct SinewPlayOptions {
  uint32_t size;
  uint32_t looping;      // SINEW_LOOP, SINEW_CLAMP or SINEW_PING_PONG
  double start_seconds;  // finite; playback time at the start, counted from the clip's start
  float speed;           // finite; clip seconds per second; negative: backward; 0: 1
  float weight;   // finite, above 0; relative to the other layers; additive: the share of the clip that is added; 0: 1
  uint32_t mask;  // number of a mask of the evaluator; 0: all joints
  uint32_t paused;  // 1: the clip stands still, whatever `speed` is
} SinewPlayOptions;

/// Makes a player with `instance_count` instances in the rest pose, which keeps no reference to the character; a bake
/// is not needed. Masks 1 to `mask_count` may be used. Errors: INVALID_ARGUMENT (more than 16,777,216 instances),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_create(const SinewCharacter* character, uint32_t instance_count,
                                            uint32_t mask_count, SinewPlayer** out, SinewError* error);

/// Destroys a player. NULL is ignored.
SINEW_C_API void sinew_player_destroy(SinewPlayer* player);

/// Changes the number of instances. New ones are as sinew_player_reset() leaves them, those that stay keep everything,
/// those beyond the end are gone with their events. Memory is kept for the most instances that there were. Pointers to
/// playbacks and events are invalid then. Errors, with nothing changed: INVALID_ARGUMENT (more than 16,777,216),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_resize(SinewPlayer* player, uint32_t instance_count, SinewError* error);

/// Ends an instance, for the next one in its place: rest pose, speed 1, no fades, no root motion. Its events of the
/// last sinew_player_advance() stay where they are, with weight 0. Errors: INVALID_ARGUMENT (no such `instance`),
/// OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_reset(SinewPlayer* player, uint32_t instance, SinewError* error);

/// Plays a clip at once: sinew_player_cross_fade() with a duration of 0. `options` may be NULL. Errors as there:
/// INVALID_ARGUMENT (no such `instance`, no such `clip`, options), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_play(SinewPlayer* player, uint32_t instance, uint32_t clip,
                                          const SinewPlayOptions* options, SinewError* error);

/// Starts a clip, fades it in over `duration_seconds` and fades out the clips that it replaces. If it replaces none,
/// has no mask and is not additive, it has full weight at once. If all layers are in use, it takes the layer with the
/// least weight among the replaced clips. `options` may be NULL. `duration_seconds` must be finite and not negative.
/// Errors, with nothing changed: INVALID_ARGUMENT (no such `instance`, no such `clip`, no such mask; a number that is
/// none; no layer is left), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_cross_fade(SinewPlayer* player, uint32_t instance, uint32_t clip,
                                                double duration_seconds, const SinewPlayOptions* options,
                                                SinewError* error);

/// Fades out a clip in every layer of the instance that plays it. Weights are relative: the only layer of an instance
/// shows its full pose until the fade ends, then the rest pose appears. `duration_seconds` must be finite and not
/// negative. Errors as above: INVALID_ARGUMENT (no such `instance`, no such `clip`), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_stop(SinewPlayer* player, uint32_t instance, uint32_t clip,
                                          double duration_seconds, SinewError* error);

/// Sets the speed of an instance; it multiplies the speed of each of its clips. At first 1; negative is backward; 0:
/// the instance stands still. `speed` must be finite. Errors: INVALID_ARGUMENT (no such `instance`), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_set_speed(SinewPlayer* player, uint32_t instance, float speed, SinewError* error);

/// Sets the track of a clip for sinew_player_root_motion(). It is copied. Errors: INVALID_ARGUMENT (no such `clip`;
/// start and end are not those of the clip), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_set_root_track(SinewPlayer* player, uint32_t clip, const SinewRootTrack* track,
                                                    SinewError* error);

/// Advances the time of every instance; `seconds` may be negative. Fades advance by its absolute value. Takes time for
/// each layer that plays; an instance that rests costs a nanosecond. `seconds` must be finite. Errors:
/// INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_player_advance(SinewPlayer* player, double seconds, SinewError* error);

/// Sets `*out` to the markers that the last sinew_player_advance() passed, [*count]: by instance, in the order in which
/// a layer passed them; at most 256 of a layer. The pointer is valid until the next sinew_player_advance() or
/// sinew_player_resize(). A marker is passed when the clip's own time reaches it, forward or backward; a clip that
/// starts on it passes it in the next advance. Markers are those that the character had when the player was made.
SINEW_C_API SinewResult sinew_player_events(const SinewPlayer* player, const SinewMarkerEvent** out, uint32_t* count,
                                            SinewError* error);

/// Replaces the markers of a clip by copies of `markers`, [count], ascending by time. Call it before
/// sinew_player_create(). Errors, with the character unchanged: INVALID_DATA (outside the clip, out of order),
/// INVALID_ARGUMENT (no such `clip`; an evaluator or a planner uses the character), OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_set_markers(SinewCharacter* character, uint32_t clip,
                                                    const SinewMarker* markers, uint32_t count, SinewError* error);

// Which moments of a step are found.
enum { SINEW_STEPS_DOWN = 0, SINEW_STEPS_DOWN_AND_UP = 1 };

/// Finds when joints are set down in a clip, lowest and still, and for SINEW_STEPS_DOWN_AND_UP when they are lifted;
/// adds a marker for each time. `joints` has [joint_count]; `moments` is one of SINEW_STEPS_...; of none, the feet are
/// found by their names: markers "left foot down", "left foot up" and so on. Markers of other joints have the name of
/// the joint, and " up" after it. Cost: 120 exact poses per second of the clip. Errors, with the character unchanged:
/// INVALID_ARGUMENT (no such `clip` or joint; more joints than there are; clip additive or too long; no feet; no such
/// moments; an evaluator or a planner uses the character), INVALID_DATA, OUT_OF_MEMORY.
SINEW_C_API SinewResult sinew_character_add_footsteps(SinewCharacter* character, uint32_t clip, const uint32_t* joints,
                                                      uint32_t joint_count, uint32_t moments, SinewError* error);

/// The root motion of an instance in the last sinew_player_advance(): the weighted mean over its layers that are not
/// additive. A clip without a track has no motion. Error: INVALID_ARGUMENT (no such `instance`).
SINEW_C_API SinewResult sinew_player_root_motion(const SinewPlayer* player, uint32_t instance, SinewGroundMotion* out,
                                                 SinewError* error);

/// Sets `*out` to what every instance plays now, [instance_count]. The pointer is valid until sinew_player_resize(),
/// else as long as the player; other calls change the elements.
SINEW_C_API SinewResult sinew_player_playbacks(const SinewPlayer* player, const SinewPlayback** out, SinewError* error);

#ifdef __cplusplus
}
#endif
