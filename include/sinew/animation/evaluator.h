// Evaluation: the playbacks of many instances of one character become their palettes.
//
// There are two evaluators. CrowdEvaluator reads baked clips and evaluates several instances per SIMD vector; palettes
// are within the bake's error. evaluate_exact() runs the exact stages of sinew/animation/pose.h, one instance after the
// other; it is the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/animation/inverse_kinematics.h"
#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/character.h"
#include "sinew/asset/compact_matrix.h"
#include "sinew/asset/math.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"

namespace sinew {

/// One clip at one time, and its weight in the blend. A cross-fade has two layers. {.weight = 0} is a layer that is
/// off, as all layers of a new Playback are.
struct Layer {
  uint32_t clip = 0;       // in Character::clips
  float time_seconds = 0;  // in the clip's own time, see clip_time()
  float weight = 1;        // not above 0: the layer is off; additive clips: more than 1 counts as 1
  uint32_t mask = 0;       // number of a mask, see CrowdEvaluator::add_mask(); 0: all joints
};

/// The number of layers of an instance.
inline constexpr uint32_t kMaxLayers = 4;

/// What one instance plays at one moment: the weighted mean of its layers; then the additive layers are added in order.
/// A joint whose masked weights are all 0 follows the first layer. Without any layer, which is the default, the
/// instance shows the rest pose. Layers with a weight that is not above 0, or a clip out of range, are ignored: what is
/// meant for another character is safe, and shows what its numbers mean here.
struct Playback {
  Layer layers[kMaxLayers] = {{.weight = 0}, {.weight = 0}, {.weight = 0}, {.weight = 0}};

  constexpr Playback() = default;

  /// Plays `given`, as in {{{walk, seconds, 0.5f}, {run, seconds, 0.5f}}}; the other layers are off.
  template <size_t kCount>
  requires(kCount <= kMaxLayers) constexpr Playback(const Layer (&given)[kCount]) {
    for (size_t i = 0; i < kCount; ++i) layers[i] = given[i];
  }

  /// Plays one clip alone, at `time_seconds` of its own time, see clip_time().
  static constexpr Playback of(uint32_t clip, float time_seconds) { return {{{clip, time_seconds}}}; }
};

/// Memory for the evaluation of one instance. Reuse it to avoid allocation. Each thread needs its own. After
/// evaluate_exact() poses[0] is the local pose of the last instance, and model_from_joint its joints in model space.
struct EvaluationScratch {
  std::vector<Transform> poses[kMaxLayers];
  std::vector<Matrix3x4d> model_from_joint;
};

/// Evaluates `instances` exactly. Writes the palette of instance i to `palettes[i * palette_stride]` and on:
/// palette_size matrices model_from_mesh in the order of the skin.
///
/// `palette_stride` is in matrices and at least palette_size; matrices between palettes are not touched. `palettes` is
/// written once, in order, and never read: it may be mapped memory. `masks[m - 1]` holds mask m: one factor per joint,
/// or none for all joints. `targets` move the chains of instances that have any. `character` must be valid. Calls may
/// run in parallel, each with its own `scratch`. Errors, with nothing written: kInvalidArgument (`palette_stride` or
/// `palettes` too small; a mask of another length; a target out of order, or of an instance or a chain that does not
/// exist), kOutOfMemory (`scratch` cannot grow).
SINEW_API Status evaluate_exact(const Character& character, std::span<const Playback> instances,
                                uint32_t palette_stride, std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                                std::span<const std::vector<float>> masks = {}, const ChainTargets& targets = {});

/// The same for the palette of a level of detail: `skin` in place of that of the character.
SINEW_API Status evaluate_exact(const Character& character, const Skin& skin, std::span<const Playback> instances,
                                uint32_t palette_stride, std::span<Matrix3x4> palettes, EvaluationScratch& scratch,
                                std::span<const std::vector<float>> masks = {}, const ChainTargets& targets = {});

/// A socket on a joint; `joint_from_socket` is its offset from the joint. Errors: kInvalidArgument (no such joint),
/// kUnsupported: the joint has no palette entry, because it moves no vertex; see add_palette_entry().
SINEW_API Result<Socket> make_socket(const Character& character, uint32_t joint,
                                     const Matrix3x4& joint_from_socket = {});

/// Gives a joint that moves no vertex an entry in the palette, so that a socket can follow it. Call it before bake()
/// and make_levels(). The influences of the mesh are renumbered. Does nothing if the joint has an entry. Errors, with
/// the character unchanged: kInvalidArgument (no such joint), kUnsupported (too many entries), kOutOfMemory.
SINEW_API Status add_palette_entry(Character& character, uint32_t joint);

/// How palettes are stored. Streaming stores bypass the caches: faster if the palettes of a frame do not fit the
/// caches, slower if they do. The palettes are the same. kAuto streams above 8 MiB of palettes per call.
enum class StoreMode : uint8_t { kAuto, kCached, kStreaming };

/// All that one call of CrowdEvaluator::evaluate() takes. What is not needed stays empty: without palettes it writes
/// the sockets alone, as a server wants them that draws nothing. Only one kind of palettes may be given, each with
/// sockets or without.
struct EvaluationInfo {
  std::span<const Playback> instances = {};
  std::span<const ChainTarget> targets = {};  // of the chains of set_chains(), ascending by instance
  uint32_t palette_stride = 0;                // in elements of the palettes
  std::span<Matrix3x4> palettes = {};
  std::span<CompactMatrix> compact_palettes = {};
  std::span<Matrix3x4> sockets = {};
  StoreMode store_mode = StoreMode::kAuto;  // a frame of many calls knows better than each: it adds their sizes up
};

/// Evaluates instances of one character from its baked clips. It keeps no state of instances: threads may share it. An
/// evaluator without a bake, or that was moved from, is empty: calls that can fail return kInvalidArgument.
class SINEW_API CrowdEvaluator {
 public:
  CrowdEvaluator() noexcept;
  /// `baked` must be valid and outlive the evaluator. `instruction_set` is for comparisons: a name as instruction_set()
  /// returns it. If it is empty, or the machine lacks it, the fastest one is used. If memory runs out here, add_mask(),
  /// set_mask() and evaluate() return kOutOfMemory.
  explicit CrowdEvaluator(const BakedCharacter& baked, std::string_view instruction_set = {}) noexcept;
  explicit CrowdEvaluator(const BakedCharacter&& baked, std::string_view instruction_set = {}) = delete;
  ~CrowdEvaluator();
  CrowdEvaluator(CrowdEvaluator&&) noexcept;
  CrowdEvaluator& operator=(CrowdEvaluator&&) noexcept;

  /// Copies a mask and returns its number, which is 1 for the first. A mask has one factor per joint of the skeleton;
  /// the weight of a layer with the mask is multiplied by it. Not allowed while evaluate() runs. Errors, with the masks
  /// unchanged: kInvalidArgument (wrong length; a factor that is negative, above kMaxMaskFactor or NaN), kOutOfMemory.
  Result<uint32_t> add_mask(std::span<const float> joint_weights);

  /// Replaces the factors of a mask that add_mask() has returned, for masks that change from frame to frame. Allocates
  /// nothing unless it fails. Not allowed while evaluate() runs. Errors, with the masks unchanged: kInvalidArgument (no
  /// such mask, and those of add_mask()), kOutOfMemory.
  Status set_mask(uint32_t mask, std::span<const float> joint_weights);

  /// Writes the palette of instance i to `palettes[i * palette_stride]` and on: palette_size matrices model_from_mesh.
  /// `palettes` is never read: it may be mapped memory. Each palette is written from front to back; the order of
  /// instances is not fixed. Calls may run in parallel on different outputs. Keeps lists of instances and scratch
  /// memory: a call like an earlier one, on as many threads, allocates nothing. Above 8 MiB of palettes per call the
  /// stores bypass the caches.
  ///
  /// `palette_stride` is in matrices and at least palette_size. The fast path needs a `palette_stride` that is a
  /// multiple of 4, as from sinew::palette_stride(), and `palettes` at a multiple of 64 bytes: it writes whole cache
  /// lines, and so overwrites matrices after a palette up to the next multiple of 4. Otherwise the same matrices are
  /// copied to their place, and nothing between palettes is touched. Any time, clip, weight and mask is safe: a time is
  /// clamped to its clip, a mask out of range counts as 0. The result does not depend on `parallel_for`. Errors:
  /// kInvalidArgument (`palette_stride` or `palettes` too small), with nothing written; kOutOfMemory, then some
  /// palettes may be unwritten.
  Status evaluate(std::span<const Playback> instances, uint32_t palette_stride, std::span<Matrix3x4> palettes,
                  const ParallelFor& parallel_for = {}) const;

  /// The same in 16 bytes a joint, of a character whose bake has no scale: see BakedCharacter::scales(). Its constant
  /// scale, BakedCharacter::scale, is left out. Stride and alignment count elements of 16 bytes. Error: kUnsupported
  /// (the bake scales joints), with nothing written.
  Status evaluate(std::span<const Playback> instances, uint32_t palette_stride, std::span<CompactMatrix> palettes,
                  const ParallelFor& parallel_for = {}) const;

  /// Sets the sockets that the next calls evaluate; their numbers are their indices. Not allowed while evaluate() runs.
  /// Errors, with the sockets unchanged: kInvalidArgument (no such entry), kUnsupported (more than 32,767 sockets),
  /// kOutOfMemory.
  Status set_sockets(std::span<const Socket> sockets);
  uint32_t socket_count() const;

  /// Sets the chains that targets of the next calls move; their numbers are their indices. `skin` is the one of the
  /// bake: the character's, or that of a level of detail. On a level without its joints a two-bone chain is left out;
  /// an aim chain needs only its last joint, and the others that there are share its rotation. Not allowed while
  /// evaluate() runs. Errors, with the chains unchanged: those of validate(), kInvalidArgument (the bake is of another
  /// character or skin), kOutOfMemory.
  Status set_chains(const Character& character, const Skin& skin, std::span<const Chain> chains);
  Status set_chains(const Character& character, std::span<const Chain> chains);

  /// The same as the other calls, and moves the chains of instances that have targets; the others are written as
  /// without any, bit by bit. Palettes of instances with targets are within the bake's error of evaluate_exact() with
  /// the same targets, times what a chain makes of a step. Errors as above and below; kInvalidArgument: a target out of
  /// order, or of an instance or chain that does not exist.
  Status evaluate(const EvaluationInfo& info, const ParallelFor& parallel_for = {}) const;

  /// Like the first, and writes model_from_socket of socket s of instance i to `sockets[i * socket_count() + s]`. It
  /// comes out of the same walk over the hierarchy. Errors as above; kInvalidArgument if `sockets` is too small.
  Status evaluate(std::span<const Playback> instances, uint32_t palette_stride, std::span<Matrix3x4> palettes,
                  std::span<Matrix3x4> sockets, const ParallelFor& parallel_for = {}) const;

  /// What the evaluator reads, or null if it is empty.
  const BakedCharacter* baked() const;

  /// The name of the instruction set in use: avx3, avx2, sse4, neon or scalar; "none" if memory ran out. The
  /// environment variable SINEW_SIMD, set to such a name, excludes the sets before it in this list.
  const char* instruction_set() const;

 private:
  struct Impl;
  struct Call;
  Status run(const Call& call) const;
  static std::unique_ptr<Impl> make_impl(const BakedCharacter& baked, std::string_view instruction_set);
  Error absent() const;
  std::unique_ptr<Impl> impl_;
  bool out_of_memory_ = false;  // in the constructor
};

}  // namespace sinew
