// Characters made of random numbers, and how far apart two evaluations of one stand.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/evaluator.h"
#include "sinew/asset/character.h"

namespace sinew::test {

enum class Scaling { kNone, kUniform, kPerAxis };

struct RigOptions {
  uint32_t joints = 20;
  uint32_t clips = 3;
  float start_seconds = 0, duration_seconds = 1;
  float keys_per_second = 10;
  bool even_keys = true;     // else each is up to 0.4 of a key away, where no frame falls on it
  float swing = 0.4f;        // radians a key's rotation may be from rest
  uint32_t branching = 3;    // one in so many joints is a step back towards the root; 0: a chain
  float bone_length = 0.2f;  // meters
  Scaling scaling = Scaling::kNone;
  Interpolation interpolation = Interpolation::kLinear;
  uint32_t seed = 1;
};

/// A tree of joints with a palette entry each, no mesh: a unit of length is a meter. Bound at another pose than it
/// rests in, with a root transform above.
Character random_rig(const RigOptions& options);

/// Palettes on whole lines, filled with NaN: what is not written can be told.
class Palettes {
 public:
  Palettes(size_t instances, uint32_t palette_size);
  uint32_t stride() const { return stride_; }
  std::span<Matrix3x4> all() { return {&blocks_.data()->matrices[0], blocks_.size() * 4}; }
  std::span<Matrix3x4> of(size_t instance) { return all().subspan(instance * stride_, palette_size_); }

 private:
  struct alignas(64) Block {
    Matrix3x4 matrices[4];
  };
  uint32_t palette_size_, stride_;
  std::vector<Block> blocks_;
};

/// Both evaluators.
Palettes evaluate_exact(const Character& character, std::span<const Playback> instances,
                        std::span<const std::vector<float>> masks = {});
Palettes evaluate_baked(const BakedCharacter& baked, std::span<const Playback> instances);

/// The larger number; not a number where either is not.
double larger(double a, double b);

/// The largest distance, in model units, between where two palettes put points `reach` around each entry's joint.
double largest_distance(const Character& character, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b,
                        double reach);

/// The largest extent of the mesh at rest, 1.8 where there is none: what BakeOptions' meters are relative to.
double extent_of(const Character& character);

/// Times of a clip: its ends, a little outside, random ones between, but none in a frame of the bake that a step or
/// jump takes.
std::vector<float> times_to_compare(const Clip& clip, const BakedClip& baked, size_t count, std::mt19937& random);

/// The largest distance between both evaluators over `count` times of a clip, in the bake's meters.
double largest_error(const Character& character, const BakedCharacter& baked, uint32_t clip, size_t count);

}  // namespace sinew::test
