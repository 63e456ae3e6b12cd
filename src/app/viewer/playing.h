// What one character of the viewer plays: a base clip on a time line, cross-fades, layers, and root motion.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/animation/root_motion.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"
#include "viewer/layers.h"
#include "viewer/time_line.h"

namespace sinew::app {

/// Appends derived clips to Character::clips, each once. References to clips are invalid after a call that appends one.
class DerivedClips {
 public:
  /// `character` must be valid, outlive this object, and get clips from nothing else.
  explicit DerivedClips(Character& character)
      : character_(character), source_count_(uint32_t(character.clips.size())) {}
  DerivedClips(DerivedClips&&) = default;  // no copies: each would append clips that the other does not know

  /// The number of clips of the file. They come first.
  uint32_t source_count() const { return source_count_; }

  // `clip` is an index in Character::clips.

  /// The additive version of a clip: its differences from its own first pose. An additive clip is its own version.
  /// Errors: those of make_additive().
  Result<uint32_t> additive(uint32_t clip);

  /// A clip without the root motion of its find_moved_root(), and that motion.
  struct InPlace {
    uint32_t clip = 0;  // in Character::clips
    RootTrack track;
  };
  /// Valid as long as this object. Errors: those of extract_root_motion().
  Result<const InPlace*> in_place(uint32_t clip);

 private:
  Character& character_;
  uint32_t source_count_;
  std::map<uint32_t, uint32_t> additive_;  // by the clip that it was made from, as the next one
  std::map<uint32_t, InPlace> in_place_;
};

/// What happens to the motion over the ground that the base clip contains.
enum class RootMotion : uint8_t {
  kKept,     // the clip plays as in the file
  kRemoved,  // the character stays in place
  kApplied,  // the character is moved by model_from_moved(), and goes on where a loop ended
};

/// What a character plays, without how far it has got.
struct PlaySettings {
  std::optional<uint32_t> clip;
  float speed = 1;
  Looping looping = Looping::kLoop;
  float start_seconds = 0, end_seconds = 0;  // of the range
  RootMotion root_motion = RootMotion::kKept;
  std::vector<ViewLayer> layers;  // those that are not dropped, without time and presence

  /// Where the clip is, to go back to it. It is not compared: time passes without being set.
  struct Moment {
    float clip_seconds = 0;
    friend bool operator==(Moment, Moment) { return true; }
  };
  Moment moment;

  friend bool operator==(const PlaySettings&, const PlaySettings&) = default;
};

/// The state changes in advance() only, and by calls. While the time line is paused nothing moves, and changes of clips
/// and layers take no time. A time line that plays once and comes to its end finishes all fades.
class Playing {
 public:
  /// Plays the first clip of the file, or the rest pose if there is none. `character` must be valid and outlive this
  /// object; derived clips are appended to it.
  explicit Playing(Character& character);

  /// The number of clips that choose() and layers may name.
  uint32_t clip_count() const { return derived_.source_count(); }

  /// The base clip, and what is evaluated for it: the same, or its version in place. Nothing in the rest pose.
  std::optional<uint32_t> clip() const;
  std::optional<uint32_t> played() const;

  /// Makes `clip` the base clip, from its start (with negative speed: its end). The base clip before it plays on while
  /// it fades out, if kMaxLayers leaves a layer for it; additive clips change at once. Errors, with nothing changed:
  /// kInvalidArgument (no such clip), those of DerivedClips::in_place().
  Status choose(uint32_t clip, double fade_seconds);

  /// The time line of the base clip; see time_line.h for functions that change it.
  TimeLine& time_line() { return bases_.back().line; }

  /// Adds a layer on top and fades it in. Ignores presence, fade_seconds and dropped of `layer`. Errors:
  /// kInvalidArgument (too many layers, no such clip), those of DerivedClips::additive().
  Status add_layer(const ViewLayer& layer, double fade_seconds = 0);

  /// The clip that the base clip is blended with: the lowest layer, if it replaces the pose of all joints. Null: none.
  ViewLayer* blend();

  /// Blends the base clip with another one, by half and in phase; where there is a blend already, only its clip
  /// changes. Errors: those of add_layer().
  ///
  /// In phase both clips are played in the same time, which goes from the duration of the base clip to that of the
  /// other one as the weight goes from 0 to 1, so that feet that step together do so at any weight.
  Status blend_with(uint32_t clip, double fade_seconds = 0);

  /// Fades a layer out and removes it. Nothing happens if there is no such layer, or it is dropped already.
  void drop_layer(size_t index, double fade_seconds = 0);

  /// The layers from the lowest, dropped ones included.
  std::span<ViewLayer> layers() { return layers_; }

  /// Chooses what happens to root motion, of each clip's find_moved_root(). Errors, with nothing changed: those of
  /// DerivedClips::in_place().
  Status set_root_motion(RootMotion mode);
  RootMotion root_motion() const { return root_motion_; }

  PlaySettings settings() const;

  /// Makes these the settings, without fades. The clip goes on where it is, or if it is another one, from
  /// PlaySettings::moment; so do layers whose clip stays. Errors: those of choose() and set_root_motion().
  Status set(const PlaySettings& settings);

  /// The motion applied so far, with RootMotion::kApplied; else the identity. It follows advance() through loops and
  /// cross-fades. After any other change of the time line it is the motion from the start of the range.
  Matrix3x4d model_from_moved();

  /// Advances time, fades and motion by a positive time. Time lines and layers follow the speed of the time line, fades
  /// do not.
  void advance(double seconds);

  /// What to evaluate now. It may name derived clips: a bake must contain all of Character::clips, also those appended
  /// later. Writes the masks that it names, mask m in masks[m - 1]: kMaxLayers vectors of joint_count factors; the
  /// others have no meaning.
  Playback playback(std::span<NamedMask> masks);

 private:
  /// A base clip; all but the last fade out.
  struct Base {
    uint32_t clip = 0;                                // of the file
    const DerivedClips::InPlace* in_place = nullptr;  // what plays instead; null: the clip itself
    TimeLine line;
    float share = 1;  // of the pose; the bases before it have the rest, the first all of it
    double fade_seconds = 0;

    uint32_t played() const { return in_place ? in_place->clip : clip; }
  };

  bool is_additive(uint32_t clip) const { return character_.clips[clip].additive; }
  Status check_clip(uint32_t clip) const;
  bool replaces_pose(const ViewLayer& layer) const;
  Status find_played(Base& base, RootMotion mode);
  Status insert_layer(const ViewLayer& layer, size_t index, double fade_seconds);
  void make_room();
  void advance_fades(double seconds);
  TimeLine line_of(const ViewLayer& layer, const TimeLine& base) const;
  double pace();
  GroundMotion motion_of_newest(double from_seconds, double to_seconds);
  GroundMotion motion_of_bases(std::span<const double> seconds_before);
  void follow_seeks();

  Character& character_;
  DerivedClips derived_;
  std::vector<Base> bases_;  // from the oldest; never empty
  std::vector<ViewLayer> layers_;
  RootMotion root_motion_ = RootMotion::kKept;
  RootTrack ground_;    // without motions: its up axis only
  GroundMotion moved_;  // up to `followed_`
  TimeLine followed_;   // the time line as advance() has left it
};

}  // namespace sinew::app
