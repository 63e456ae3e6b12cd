// The inner loop of CrowdEvaluator, behind one function pointer: evaluates a set of instances of one character, one
// instance in each lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/animation/inverse_kinematics.h"

namespace sinew::internal {

inline constexpr size_t kMaxLanes = 16;
inline constexpr uint32_t kEntriesPerQuad = 4;  // a quad is as many cache lines as an entry has blocks of 16 bytes
inline constexpr size_t kMaxBlendedLayers = 5;  // the rest pose and four additive layers

/// Converts a node's channels to floats: center + scale * value. The 16-bit value is in the upper half of 32 bits.
struct NodeQuantization {
  float scale[2 * kChannelsPerBlock];
  float center[2 * kChannelsPerBlock];
};

/// A node of the hierarchy walk, with its data in the order in which the lane code reads it.
struct ProgramNode {
  NodeQuantization range;
  float origin[3];
  uint32_t state, parent_state;  // indices of the node's state and of its parent's
  bool has_entry;
  int16_t socket_state;  // where LaneSet::socket_states has this node's matrices; -1: no socket follows it
};

/// The hierarchy walk of a character. A state is reused as soon as no child and no output needs it, so that all states
/// stay in the level 1 cache.
struct LaneProgram {
  explicit LaneProgram(const BakedCharacter& baked);

  std::vector<ProgramNode> nodes;
  /// Of each node in additive layers; empty if no clip is additive.
  std::vector<NodeQuantization> additive_quantizations;
  uint32_t state_count = 0;  // where chains walk ahead, the last two are for that
  bool walks_ahead = false;
  uint32_t entry_count = 0;
  float scale = 1;
  bool scales = false;
};

struct LaneChains;  // see lane_chains.h

/// The clip position and weight of one instance in one layer.
struct Lane {
  const int16_t* frame = nullptr;  // 64-byte aligned; the next frame is frame_stride values later
  int16_t share = 0;               // of the interval to the next frame, in units of 1 / 32768
  float weight = 1;                // the weights of the blended layers add to 1
  const float* mask = nullptr;     // a factor for each node, or null: all ones
};

/// As many instances as the lane code has lanes. A lane without an instance repeats another one and writes to scratch
/// output.
struct LaneSet {
  Lane lanes[kMaxBlendedLayers][kMaxLanes];
  uint32_t layer_count = 1;         // blended layers: the first in `lanes`
  uint32_t additive_count = 0;      // additive layers: the next in `lanes`
  bool masked = false;              // a lane has a mask; else no mask is read
  uint32_t frame_stride = 0;        // int16_t values from one frame to the next
  float* palettes[kMaxLanes] = {};  // 64-byte aligned, entries rounded up to four; written once, in order
  bool stream = false;              // write past the caches
  bool compact = false;             // palettes of CompactMatrix; LaneProgram::scales must be false
  float* socket_states =
      nullptr;  // [ProgramNode::socket_state][12][lanes]: matrices of nodes with sockets, by rows; or null
  const LaneChains* chains = nullptr;           // null: no lane has a target
  uint32_t targeted = 0;                        // a bit for each chain: a lane has a target for it
  const ChainTarget* const* targets = nullptr;  // [chain][kMaxLanes]; of lanes without a target: one without weight
  float* carried = nullptr;                     // [chain][kCarriedRows][lanes], 64-byte aligned: for the lane code
};

/// The number of floats that the states of a set need. Each thread needs its own states, 64-byte aligned.
size_t state_floats(const LaneProgram& program);

/// The lane code of one instruction set. `evaluate` writes the palettes of `set`; `state`: see state_floats().
struct LaneCode {
  const char* name = "";
  size_t lanes = 1;
  void (*evaluate)(const LaneProgram& program, const LaneSet& set, float* state) = nullptr;
};

/// Makes streamed palettes visible to other threads and devices. Called once per task, before its palettes are used.
void finish_streaming();

/// The scalar lane code: one lane, for any machine.
void evaluate_scalar(const LaneProgram& program, const LaneSet& set, float* state);

/// The lane code that this machine can run, the fastest first, the scalar one last. The environment variable SINEW_SIMD
/// (scalar, neon, sse4, avx2, avx3) leaves out the lane code that is faster than its value.
std::span<const LaneCode> available_lane_code();

}  // namespace sinew::internal
