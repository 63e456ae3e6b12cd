// The crowd's inner loop, behind one function pointer: a set of instances of one character, a lane each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"

namespace sinew {

inline constexpr size_t kMaxLanes = 16;
inline constexpr size_t kMaxBlendedLayers = 5;  // the rest pose below four additive layers

/// What a node's channels mean: center + scale * number, of channels in the upper half of 32 bits.
struct NodeQuantization {
  float scale[2 * kChannelsPerBlock];
  float center[2 * kChannelsPerBlock];
};

/// A node of the hierarchy walk with everything in the order the lane code reads it.
struct ProgramNode {
  NodeQuantization range;
  float origin[3];
  uint32_t state, parent_state;  // where its state is kept, and its parent's
  bool has_entry;
};

/// A character's walk. States are reused as soon as no child and no output needs them: the state stays in the first
/// level of cache.
struct LaneProgram {
  explicit LaneProgram(const BakedCharacter& baked);

  std::vector<ProgramNode> nodes;
  std::vector<NodeQuantization>
      additive_quantizations;  // of each node in additive layers; empty where no clip is additive
  uint32_t state_count = 0;
  uint32_t entry_count = 0;
  float scale = 1;
  bool scales = false;
};

/// What one lane plays in one layer.
struct Lane {
  const int16_t* frame = nullptr;  // 64-byte aligned; the next one follows after frame_stride
  int16_t share = 0;               // towards the next, in 32768ths
  float weight = 1;                // those of blended layers add to 1
  const float* mask = nullptr;     // a factor for each node, or null: all ones
};

/// As many instances as the lane code has lanes. Lanes without an instance repeat another and write to scratch output.
struct LaneSet {
  Lane lanes[kMaxBlendedLayers][kMaxLanes];
  uint32_t layer_count = 1;         // that are blended: the first ones
  uint32_t additive_count = 0;      // that are added to those: the next ones
  bool masked = false;              // some lane has a mask; else none is read
  uint32_t frame_stride = 0;        // int16 from a frame to the next
  float* palettes[kMaxLanes] = {};  // on 64 bytes, entries rounded up to four; written once, in order
  bool stream = false;              // past the caches
};

/// Room for a set's state, one for each thread; at least state_floats(program) of it, 64-byte aligned.
size_t state_floats(const LaneProgram& program);

struct LaneCode {
  const char* name = "";
  size_t lanes = 1;
  void (*evaluate)(const LaneProgram& program, const LaneSet& set, float* state) = nullptr;
};

/// Makes streamed palettes visible to other threads and devices: once a task, before its results are used.
void finish_streaming();

/// The plain lane code: one lane, any machine.
void evaluate_scalar(const LaneProgram& program, const LaneSet& set, float* state);

/// The lane codes that this machine can run, the fastest first; the last is the plain one. SINEW_SIMD (scalar, sse4,
/// avx2, avx3) in the environment leaves out what is above it.
std::span<const LaneCode> available_lane_code();

}  // namespace sinew
