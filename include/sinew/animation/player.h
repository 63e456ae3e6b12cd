// The player: what each instance of a crowd plays as time goes by.
//
// It turns wishes (play this, fade to that, wave with the arms) into the Playback of each instance and moment, which
// CrowdEvaluator and evaluate_crowd() take. State is kept as structure of arrays, four layers to an instance.
//
// Layers with the same mask are a group: what is played takes the place of what plays in its group. An additive clip
// takes only its own place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/root_motion.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

namespace sinew {

/// For hosts that fill a Playback by themselves: refuses a clip or mask that is not there, a time that is not finite,
/// and weights that are negative, not finite or all zero.
Status validate(const Playback& playback, uint32_t clip_count, uint32_t mask_count = 0);

struct PlayOptions {
  double start_seconds = 0;  // of playback, counted from the clip's start
  float speed = 1;           // also negative; 0 holds the time
  Looping looping = Looping::kLoop;
  float weight = 1;   // against other groups; of an additive clip, how much of it
  uint32_t mask = 0;  // as CrowdEvaluator::add_mask() numbers them; 0: all joints
};

/// Plays the clips of one character. Calls that only read may run in parallel.
///
/// What is wrong is refused when it is set, with a message, and changes nothing: an instance, clip or mask that is not
/// there; times, speeds and durations that are not finite; weights that are not positive.
class Player {
 public:
  /// All instances rest. Keeps no reference to `character`. Layers may name masks up to `mask_count`. Where memory runs
  /// out there are no instances, and every call that may fail says kOutOfMemory.
  Player(const Character& character, uint32_t instance_count, uint32_t mask_count = 0) noexcept;

  uint32_t instance_count() const { return instance_count_; }

  /// Plays from now on, at once.
  Status play(uint32_t instance, uint32_t clip, const PlayOptions& options = {});

  /// Fades `clip` in for so long, and the other clips of its group out. Where its group is empty, a clip without a mask
  /// that is not additive has full weight at once. Where all layers are taken, the lightest of the group gives way;
  /// refuses where none can.
  Status cross_fade(uint32_t instance, uint32_t clip, double duration_seconds, const PlayOptions& options = {});

  /// Stops a clip wherever the instance plays it. Weights are relative to each other: an
  /// instance's only layer shows its full pose until the fade ends, then the rest pose.
  Status stop(uint32_t instance, uint32_t clip, double duration_seconds = 0);

  /// Speeds up, slows down or reverses all that the instance plays.
  Status set_speed(uint32_t instance, float speed);

  /// The motion that extract_root_motion() took out of `clip`, for root_motion(). Its times must be the clip's.
  Status set_root_track(uint32_t clip, RootTrack track);

  /// Time goes by, for every instance.
  Status advance(double seconds);

  /// The motion of the last advance(), in the model's units and space: the mean of its layers by weight, without
  /// additive ones. None for an instance that is not there.
  GroundMotion root_motion(uint32_t instance) const;

  /// What the instance plays now; one that is not there plays nothing.
  Playback playback(uint32_t instance) const;

  /// The same for those that are seen: playbacks[i] is of instances[i].
  void playbacks(std::span<const uint32_t> instances, std::span<Playback> playbacks) const;

 private:
  Player(std::span<const Clip> clips, uint32_t instance_count, uint32_t mask_count);  // may throw

  std::optional<Error> find_fault(uint32_t instance, uint32_t clip, double duration_seconds) const;
  std::optional<Error> find_fault(const PlayOptions& options) const;
  std::optional<size_t> layer_for(uint32_t instance, uint32_t clip, uint32_t mask) const;
  bool in_group(size_t layer, uint32_t clip, uint32_t mask) const;
  void fade(size_t layer, double weight, double duration_seconds);
  void move(size_t layer, double seconds);
  void move_fade(size_t layer, double seconds);
  float clip_time_of(size_t layer) const;

  uint32_t instance_count_ = 0, mask_count_ = 0;
  bool out_of_memory_ = false;
  std::vector<Clip> clips_;        // without their tracks
  std::vector<RootTrack> tracks_;  // of each clip; without motions where none was set
  std::vector<float> speeds_;      // of each instance
  // Of each layer of each instance:
  std::vector<uint32_t> layer_clips_, layer_masks_;
  std::vector<double> layer_seconds_, seconds_before_;  // of playback, and at the advance before
  std::vector<float> layer_speeds_;
  std::vector<Looping> loopings_;
  std::vector<double> weights_, fade_targets_;
  std::vector<double> fade_rates_;  // weight a second; 0: no fade
};

}  // namespace sinew
