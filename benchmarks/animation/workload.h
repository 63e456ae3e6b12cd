// What every row evaluates: a synthetic character of human size, and instances of it with times of their own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"

namespace sinew::bench {

inline constexpr uint32_t kClipCount = 2;
inline constexpr float kClipSeconds = 1.5f;
inline constexpr float kKeysPerSecond = 30;
inline constexpr float kFrameSeconds = 1.0f / 60;

/// The rig most humanoids have: fingers, eyes, ends; every joint is an entry of the palette, at rest where it was
/// bound. Every joint has translation and rotation keys, and where `scales` is set scale keys, of smooth random curves.
Character make_character(bool scales);

/// The most joints from a root to a leaf.
uint32_t depth_of(const Skeleton& skeleton);

/// Matrices from one instance's palette to the next: whole cache lines.
uint32_t palette_stride(const Character& character);

/// Instances that play `layers` clips (weights 0.7 and 0.3 where two), each from a time of its own.
std::vector<Playback> make_playbacks(uint32_t count, uint32_t layers);

/// Two masks that add to 1: hips and legs, and what is above them, the first joint of the spine between both.
std::vector<std::vector<float>> make_masks(const Skeleton& skeleton);

/// As make_playbacks() of two layers, of equal weight, the first with mask 1 and the second with mask 2.
std::vector<Playback> make_masked_playbacks(uint32_t count);

/// Moves every instance on by a frame, looping.
void advance_times(std::span<Playback> playbacks, uint32_t layers);

/// Moves every instance to a random time. `state` is the generator's, any number but 0.
void seek_times(std::span<Playback> playbacks, uint32_t layers, uint32_t& state);

/// Room for palettes, beginning on a cache line. All rows write the same one.
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
