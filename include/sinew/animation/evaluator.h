// The crowd: what many instances of a character play becomes their palettes.
//
// There are two evaluators. CrowdEvaluator reads baked clips, several instances per SIMD vector, within the bake's
// error. evaluate_crowd() runs the exact stages for one instance after the other: the reference.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/parallel.h"
#include "sinew/asset/character.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew {

/// One clip of what an instance plays. Two layers make a cross-fade.
struct Layer {
  uint32_t clip = 0;       // in Character::clips
  float time_seconds = 0;  // the clip's own time; see clip_time()
  float weight = 0;        // 0: not evaluated; of an additive clip at most 1 counts
  uint32_t mask = 0;       // which joints, as add_mask() numbers them; 0: all of them
};

/// An instance blends at most this many.
inline constexpr uint32_t kMaxLayers = 4;

/// What one instance plays now: the weighted mean of its layers, and on top of it, in their order, those of additive
/// clips. A joint that no layer has weight for follows the first. Nothing to blend, as at first, gives the rest pose.
struct Playback {
  Layer layers[kMaxLayers];
};

/// Room for one instance's evaluation; reuse it to avoid allocation. Not to be shared between threads.
struct EvaluationScratch {
  std::vector<Transform> poses[kMaxLayers];
  std::vector<Matrix3x4d> model_from_joint;
};

/// Writes each instance's palette: instance i at `palettes[i * palette_stride]`, palette_size matrices in order.
///
/// `palette_stride` is at least the skin's palette_size; what lies between is left alone. `palettes` is written once,
/// in order, and never read: it may be mapped memory. `masks` are those of the layers, the first is number 1, each of
/// joint_count factors. Calls may run in parallel, each with its own scratch. Fails with nothing written where
/// `palette_stride` or `palettes` is too small (kInvalidArgument) or the scratch cannot grow (kOutOfMemory).
Status evaluate_crowd(const Character& character, std::span<const Playback> instances, uint32_t palette_stride,
                      std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                      std::span<const std::vector<float>> masks = {});

inline constexpr float kMaxMaskFactor = 1e6f;

/// How palettes are written. Streaming goes past the caches: faster for more than they hold, slower for less.
enum class StoreMode : uint8_t { kAuto, kCached, kStreaming };

/// Evaluates crowds of one character from its bake. Holds no instance's state: share it between threads.
class CrowdEvaluator {
 public:
  /// `baked` must be valid and outlive the evaluator. `instruction_set` is one that instruction_set()
  /// names, to compare them. Empty, or one that the machine lacks: the fastest it has. Where memory runs out here,
  /// add_mask() and evaluate() return kOutOfMemory.
  explicit CrowdEvaluator(const BakedCharacter& baked, std::string_view instruction_set = {}) noexcept;
  explicit CrowdEvaluator(const BakedCharacter&& baked, std::string_view instruction_set = {}) = delete;
  ~CrowdEvaluator();
  CrowdEvaluator(CrowdEvaluator&&) noexcept;
  CrowdEvaluator& operator=(CrowdEvaluator&&) noexcept;

  /// Takes a mask for layers to name: a factor of their weight for each joint of the skeleton. Returns its number, the
  /// first is 1. Refuses other lengths and factors that are negative, above kMaxMaskFactor or not a number; after any
  /// failure the masks are as before. Not while evaluate() runs.
  Result<uint32_t> add_mask(std::span<const float> joint_weights);

  /// Writes each instance's palette: instance i at `palettes[i * palette_stride]`. Palettes are never read, so that
  /// they may be mapped memory. Each is written from front to back, instances in no fixed order.
  ///
  /// `palette_stride` is at least palette_size. Fast where it is a multiple of four and `palettes` begins on 64 bytes:
  /// whole cache lines are written then, and what lies between palettes is overwritten up to the next multiple of four.
  /// Any other stride and any other address get the same matrices by way of a copy, and nothing between palettes is
  /// touched. Any time, clip, weight and mask is safe: what is out of range is clamped or rests. The result does not
  /// depend on `parallel_for`. Fails with nothing written where `palette_stride` or `palettes` is too small
  /// (kInvalidArgument). Fails for want of memory (kOutOfMemory); then some palettes may be as they were.
  Status evaluate(std::span<const Playback> instances, uint32_t palette_stride, std::span<Matrix3x4> palettes,
                  const ParallelFor& parallel_for = {}, StoreMode store_mode = StoreMode::kAuto) const;

  /// Of the instructions in use: avx3, avx2, sse4, neon or scalar; none where memory ran out.
  const char* instruction_set() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
