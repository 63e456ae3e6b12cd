// Clips made from those of the file: additive versions, and versions that stay in place.
#pragma once

#include <cstdint>
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

  // `clip` is an index in Character::clips.

  /// The additive version of a clip: its differences from its own first pose. An additive clip is its own version.
  /// Errors: those of make_additive().
  Result<uint32_t> additive(uint32_t clip);

  /// A clip without the root motion of its default_root_joint(), and that motion.
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

/// The joint whose root motion is taken out of a clip: the first that at least half of the palette follows and that the
/// clip moves over the ground by 5 % of the skeleton's size; else joint 0.
uint32_t default_root_joint(const Character& character, uint32_t clip);

}  // namespace sinew::app
