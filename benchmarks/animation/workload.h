// The workload of every row: a synthetic character of human size, and instances of it, each at its own time.
//
// Not the program's scene: all instances of a row have equally many layers, and no file is imported.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"

namespace sinew::bench {

inline constexpr uint32_t kClipCount = 2;
inline constexpr float kClipSeconds = 1.5f;
inline constexpr float kKeysPerSecond = 30;
inline constexpr float kFrameSeconds = 1.0f / 60;

/// A usual humanoid rig with fingers, eyes and end joints. Every joint has a palette entry; the bind pose is the rest
/// pose. Every joint has translation and rotation keys on smooth random curves, and scale keys if `scales` is set.
Character make_character(bool scales);

/// The number of joints on the longest path from a root to a leaf.
uint32_t depth_of(const Skeleton& skeleton);

/// `count` instances that play `layers` clips, 1 or 2 (then with weights 0.7 and 0.3), each at a random time.
std::vector<Playback> make_playbacks(uint32_t count, uint32_t layers);

/// Two masks whose sum is 1: hips and legs, and the upper body. The first joint of the spine has 0.5 in both.
std::vector<std::vector<float>> make_masks(const Skeleton& skeleton);

/// make_playbacks() with two layers of weight 1, the first with mask 1 and the second with mask 2.
std::vector<Playback> make_masked_playbacks(uint32_t count);

/// Targets for the legs and the head of one instance in `every`: the feet near where the rest pose has them, on slopes,
/// and a point in front of the head. `chains` as find_chains() returns them.
std::vector<ChainTarget> make_targets(const Character& character, std::span<const Chain> chains, uint32_t count,
                                      uint32_t every);

/// Advances every instance by one frame, looping.
void advance_times(std::span<Playback> playbacks, uint32_t layers);

/// Sets every layer of every instance to a random time. `state` is the random generator's, never 0.
void seek_times(std::span<Playback> playbacks, uint32_t layers, uint32_t& state);

/// Memory for palettes, aligned to a cache line. All rows write to the same buffer.
class PaletteBuffer {
 public:
  explicit PaletteBuffer(size_t matrix_count) : lines_((matrix_count * sizeof(Matrix3x4) + 63) / 64) {}
  std::span<Matrix3x4> first(size_t matrix_count) {
    return {reinterpret_cast<Matrix3x4*>(lines_.data()), matrix_count};
  }

 private:
  struct alignas(64) Line {
    float floats[16] = {};
  };
  std::vector<Line> lines_;
};

}  // namespace sinew::bench
