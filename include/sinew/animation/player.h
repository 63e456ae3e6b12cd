// The player: keeps what each instance of a crowd plays while time advances.
//
// Calls such as play(), cross_fade() and stop() change the layers of an instance; playback() gives the Playback for
// CrowdEvaluator and evaluate_exact(), playbacks() those of all instances. State is a structure of arrays with
// kMaxLayers layers per instance. Instances come and go: resize() changes their number, reset() empties a place for the
// next one.
//
// A clip that starts replaces the clips of its instance that play with the same mask: they fade out. Clips with other
// masks and additive clips go on. An additive clip replaces only itself.
//
// Clips with markers report events: after advance(), events() has each marker that an instance passed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/root_motion.h"
#include "sinew/api.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew {

/// Checks a Playback that the host fills itself: clips and masks in range, times finite, weights finite, not negative
/// and not all 0. Errors: kInvalidArgument with the layer in the message, kOutOfMemory.
SINEW_API Status validate(const Playback& playback, uint32_t clip_count, uint32_t mask_count = 0);

/// How a clip plays.
struct PlayOptions {
  double start_seconds = 0;  // playback time at the start, counted from the clip's start
  float speed = 1;           // clip seconds per second; negative: backward, 0: the clip stands still
  Looping looping = Looping::kLoop;
  float weight = 1;   // relative to the other layers; additive: the share of the clip that is added
  uint32_t mask = 0;  // number of a mask, see CrowdEvaluator::add_mask(); 0: all joints
};

/// An instance passed a marker of a clip.
struct MarkerEvent {
  uint32_t instance = 0, clip = 0;
  uint32_t marker = 0;  // in Clip::markers
  float weight = 0;     // of the clip's layer after the step: small or 0 while it fades out
};

/// The most events of one layer in one advance(): of a longer step the first ones.
inline constexpr uint32_t kMaxEventsPerLayer = 256;

/// The most instances of a player, which then has 5 GB of state.
inline constexpr uint32_t kMaxPlayerInstances = 1u << 24;

/// Plays the clips of one character on many instances. Calls of const functions may run in parallel.
///
/// There is no player of several models, because clips, masks, markers and root tracks are those of one character. A
/// crowd of several models has a player for each, and copies playback(i) to the instance's place; the others of a
/// player's instances rest, which costs next to nothing. Playbacks of another character's player are safe: see
/// Playback.
///
/// A call with a wrong argument changes nothing and returns kInvalidArgument: an instance, clip or mask out of range; a
/// time, speed or duration that is not finite; a negative duration; a weight that is not above 0; more than
/// kMaxPlayerInstances. kOutOfMemory is the only other error. A player without a character, or that was moved from, has
/// no instances and no clips.
class SINEW_API Player {
 public:
  /// Makes a player with `instance_count` instances in the rest pose. Keeps no reference to `character`. Masks 1 to
  /// `mask_count` may be used. If memory runs out, or `instance_count` is above kMaxPlayerInstances, there are no
  /// instances, and every call that can fail returns that error.
  Player(const Character& character, uint32_t instance_count, uint32_t mask_count = 0) noexcept;
  Player() noexcept = default;

  uint32_t instance_count() const { return uint32_t(playbacks_.size()); }

  /// Changes the number of instances. New ones are as reset() leaves them, those that stay keep everything, those
  /// beyond the end are gone with their events(). Takes time for those that are new, and where memory grows for all;
  /// memory is kept for the most instances that there were. Nothing changes if it fails.
  Status resize(uint32_t instance_count);

  /// Ends an instance, for the next one in its place: rest pose, speed 1, no fades, no root motion. Its events() of the
  /// last advance() stay where they are, with weight 0.
  Status reset(uint32_t instance);

  /// Plays `clip` at once: cross_fade() with a duration of 0.
  Status play(uint32_t instance, uint32_t clip, const PlayOptions& options = {});

  /// Starts `clip`, fades it in over `duration_seconds` and fades out the clips that it replaces. If it replaces none,
  /// has no mask and is not additive, it has full weight at once. If all layers are in use, it takes the layer with the
  /// least weight among the replaced clips; kInvalidArgument if there is none.
  Status cross_fade(uint32_t instance, uint32_t clip, double duration_seconds, const PlayOptions& options = {});

  /// Fades out `clip` in every layer of the instance that plays it. Weights are relative: the only layer of an instance
  /// shows its full pose until the fade ends, then the rest pose appears.
  Status stop(uint32_t instance, uint32_t clip, double duration_seconds = 0);

  /// Sets the speed of the instance; it multiplies the speed of each of its clips. At first 1; negative is backward.
  Status set_speed(uint32_t instance, float speed);

  /// Sets the track of `clip` for root_motion(), from extract_root_motion(). Start and end must be those of the clip,
  /// else kInvalidArgument.
  Status set_root_track(uint32_t clip, RootTrack track);

  /// Advances the time of every instance; `seconds` may be negative. Fades advance by its absolute value. Takes time
  /// for each layer that plays; an instance that rests costs a nanosecond. Collects events(): allocates if there are
  /// more than ever before.
  Status advance(double seconds);

  /// The markers that the last advance() passed: by instance, then by layer, then in the order in which they were
  /// passed. Valid until the next advance(), resize() or move of the player.
  ///
  /// A marker is passed when the clip's own time reaches it, forward or backward: once per loop, twice per round of
  /// kPingPong. A clip that starts on a marker passes it in the next advance(). Every layer reports, one that fades out
  /// as well. The end of a loop is the start of the next: markers at either are passed together, but a clip that starts
  /// there passes only that at the start. Markers are those that the character had when the player was made.
  std::span<const MarkerEvent> events() const { return events_; }

  /// The root motion of the instance in the last advance(), in model space and units: the weighted mean over its layers
  /// that are not additive. A clip without a track has no motion. No motion if `instance` is out of range.
  GroundMotion root_motion(uint32_t instance) const;

  /// What the instance plays now. Without any layer if `instance` is out of range.
  Playback playback(uint32_t instance) const;

  /// What every instance plays now, by instance: for crowd::Instances::playbacks, or for CrowdEvaluator::evaluate(),
  /// whole or a subspan. Valid until the next resize() or move of the player; other calls change the elements.
  std::span<const Playback> playbacks() const { return playbacks_; }

 private:
  /// When a marker is passed: playback time within one period.
  struct Moment {
    double seconds = 0;
    uint32_t marker = 0;
    bool at_end = false;  // of a loop: the start of the next one
  };
  using Moments = std::vector<Moment>;  // ascending

  static Moments moments_of(const Clip& clip, Looping looping);
  Player(std::span<const Clip> clips, uint32_t instance_count, uint32_t mask_count);  // may throw std::bad_alloc

  template <class Visit>
  void visit_state(Visit visit);
  /// Calls `visit(layer)` for each layer that has weight or fades, ascending.
  template <class Visit>
  void for_each_playing_layer(Visit visit) const {
    for (size_t instance = 0; instance < playing_.size(); ++instance) {
      for (uint32_t layers = playing_[instance]; layers != 0; layers &= layers - 1) {
        visit(instance * kMaxLayers + size_t(std::countr_zero(layers)));
      }
    }
  }
  void set_instance_count(uint32_t instance_count);  // may throw std::bad_alloc
  std::optional<Error> construction_error() const;
  std::optional<Error> validate_instance(uint32_t instance) const;
  std::optional<Error> validate_request(uint32_t instance, uint32_t clip, double duration_seconds) const;
  std::optional<Error> validate_request(const PlayOptions& options) const;
  std::optional<size_t> layer_for(uint32_t instance, uint32_t clip, uint32_t mask) const;
  bool in_layer_group(size_t layer, uint32_t clip, uint32_t mask) const;
  void fade(size_t layer, double weight, double duration_seconds);
  double step_of(size_t layer, double seconds) const;
  void collect_events(double seconds);
  void collect_events(size_t layer, double seconds);
  void move(size_t layer, double seconds);
  double weight_after(size_t layer, double seconds) const;
  void advance_fade(size_t layer, double seconds);
  void show(size_t layer);

  uint32_t mask_count_ = 0;
  bool out_of_memory_ = false;       // in the constructor
  uint32_t refused_instances_ = 0;   // a number that the constructor was given, and is too large
  std::vector<Clip> clips_;          // without their tracks
  std::vector<RootTrack> tracks_;    // per clip; without motions if not set
  std::vector<Moments> moments_;     // of markers, per clip and Looping; empty if no clip has any
  std::vector<float> speeds_;        // per instance
  std::vector<Playback> playbacks_;  // per instance
  std::vector<uint8_t> playing_;     // per instance; bit l: layer l has weight or fades
  // Per layer of each instance:
  std::vector<uint32_t> layer_clips_, layer_masks_;
  std::vector<double> layer_seconds_, seconds_before_;  // playback time now, and before the last advance()
  std::vector<float> layer_speeds_;
  std::vector<Looping> loopings_;
  std::vector<double> weights_, fade_targets_;
  std::vector<double> fade_rates_;    // weight per second; 0: no fade
  std::vector<uint8_t> are_started_;  // 1: no advance() since the clip started; empty if no clip has markers
  std::vector<MarkerEvent> events_;
};

}  // namespace sinew
