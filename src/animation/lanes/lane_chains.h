// The chains of a character, as the lane code takes them: what to do after which node of the walk.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "lanes/lane_code.h"
#include "sinew/animation/inverse_kinematics.h"

namespace sinew::internal {

/// What happens to a node once it is walked, before its children are.
enum class ChainJob : uint8_t {
  kUpper,     // of a two-bone chain: looks ahead along the path, solves the chain, turns the node
  kTurn,      // of a two-bone chain: turns the node as kUpper has found it, the middle one, then the end
  kFirstAim,  // of an aim chain: looks ahead along the path, and takes its share
  kNextAim,   // takes its share
  kLastAim,   // aims
  kOnlyAim,   // of a chain of one joint
};

/// Rows that a chain's first node leaves to its others. Two bones: the quaternions of the middle node and of the end.
/// Aim: the quaternion of all together, then the target within the limit, then the weight.
inline constexpr size_t kCarriedRows = 8;

struct ChainStep {
  uint32_t node = std::numeric_limits<uint32_t>::max();  // of the walk
  uint32_t chain = 0;
  ChainJob job = ChainJob::kUpper;
  uint32_t carried_row = 0;  // kTurn: where the quaternion is
  float share = 1;           // of an aim chain's joint
};

/// A node that is walked ahead, to know where the chain ends. It has a state of its own for that.
struct PathNode {
  uint32_t node = 0;
  ProgramNode walked;
};

/// Directions and points are of the bind pose, as nodes move them: see BakedNode::origin.
struct LaneChain {
  float pole[3] = {}, axis[3] = {}, offset[3] = {}, up[3] = {};
  bool is_upright = false;  // `up` is set
  const TwoBoneChain* two_bone = nullptr;
  const AimChain* aim = nullptr;
  float swing_limit = 0;       // of an aim chain: the square of the tangent of half the largest angle
  std::vector<PathNode> path;  // from below the first node to the last one
  size_t middle = 0;           // of two bones: where the middle joint is in `path`
};

struct LaneChains {
  std::vector<Chain> source;
  std::vector<LaneChain> chains;  // of `source`; without a step where the bake lacks the joints
  std::vector<ChainStep> steps;   // in the order of nodes, then one that no node has
  float up[3] = {0, 1, 0};        // of model space
};

/// Prepares chains for the bake of `skin`. Adds the states of nodes that are walked ahead to `program`. Throws
/// std::bad_alloc. Errors: kInvalidArgument (the bake is of another character or skin).
Result<LaneChains> make_lane_chains(const Character& character, const Skin& skin, const BakedCharacter& baked,
                                    std::span<const Chain> chains, LaneProgram& program);

/// What lanes without a target have.
inline constexpr ChainTarget kNoTarget{0, 0, {}, 0, {}};

}  // namespace sinew::internal
