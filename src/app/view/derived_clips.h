// Clips made from those of the file: additive versions, and versions that stay in place.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "sinew/animation/root_motion.h"
#include "sinew/asset/character.h"
#include "sinew/asset/result.h"

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

  /// The additive version of a clip: its differences from its own first pose. An additive clip is its own version.
  /// Errors: kInvalidArgument (no such clip), those of make_additive().
  Result<uint32_t> additive(uint32_t clip);

  /// The version of a clip without the root motion of `joint`. Errors: those of extract_root_motion().
  Result<uint32_t> in_place(uint32_t clip, uint32_t joint);

  /// The root motion of a clip that in_place() has returned. Valid as long as this object.
  const RootTrack& track_of(uint32_t derived) const;

 private:
  struct InPlace {
    uint32_t clip = 0, joint = 0, derived = 0;
    RootTrack track;
  };

  Character& character_;
  uint32_t source_count_;
  std::map<uint32_t, uint32_t> additive_;  // from a clip to its additive version
  std::deque<InPlace> in_place_;           // a deque: references stay valid
};

/// The joint whose root motion is taken out of a clip unless another is named: the first that at least half of the
/// palette follows and that the clip moves over the ground by kMovingShare of the skeleton's size; else joint 0.
uint32_t default_root_joint(const Character& character, uint32_t clip);

/// Hips swing by less than this share in a step on the spot.
inline constexpr float kMovingShare = 0.05f;

}  // namespace sinew::app
