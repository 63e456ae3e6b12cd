#include <algorithm>

#include "lanes/lane_code.h"

namespace sinew::internal {
namespace {

constexpr size_t kStateFloats = (16 + 4) * kMaxLanes;  // a state, and its compact matrix

/// Assigns states to nodes, in the order of the lane code. A state is free again once the last child has read it and
/// the quad with its palette entry is written. A quad is written by the time the next quad is full.
class StateAllocator {
 public:
  explicit StateAllocator(const BakedCharacter& baked)
      : baked_(baked), children_(baked.nodes.size()), state_of_(baked.nodes.size()) {
    for (const BakedNode& node : baked.nodes) {
      if (node.parent >= 0) ++children_[size_t(node.parent)];
    }
  }

  /// Assigns a state to node `i`. Called for all nodes in order.
  uint32_t take(size_t i) {
    if (free_.empty()) {
      free_.push_back(++count_);  // state 0 is model space
    }
    state_of_[i] = free_.back();
    free_.pop_back();
    const int32_t parent = baked_.nodes[i].parent;
    if (parent >= 0 && --children_[size_t(parent)] == 0) release(size_t(parent));
    if (baked_.nodes[i].entry >= 0) add_to_quad(i);
    if (children_[i] == 0) release(i);
    return state_of_[i];
  }

  uint32_t state_of(int32_t node) const { return node < 0 ? 0 : state_of_[size_t(node)]; }
  uint32_t count() const { return count_ + 1u; }

 private:
  bool is_unwritten(size_t i) const { return std::find(unwritten_.begin(), unwritten_.end(), i) != unwritten_.end(); }

  void release(size_t i) {
    if (children_[i] == 0 && !is_unwritten(i)) free_.push_back(state_of_[i]);
  }

  void add_to_quad(size_t i) {
    unwritten_.push_back(i);
    if (unwritten_.size() < 2 * kEntriesPerQuad) return;
    const std::vector<size_t> written(unwritten_.begin(), unwritten_.begin() + kEntriesPerQuad);
    unwritten_.erase(unwritten_.begin(), unwritten_.begin() + kEntriesPerQuad);
    for (const size_t node : written) release(node);
  }

  const BakedCharacter& baked_;
  std::vector<uint32_t> children_;  // of each node: children without a state yet
  std::vector<uint32_t> state_of_;
  std::vector<uint32_t> free_;
  std::vector<size_t> unwritten_;  // nodes with an entry that may not be written yet
  uint32_t count_ = 0;
};

/// The quantization of node `i`. In `quantizations`, the blocks of a node follow each other.
NodeQuantization quantization_of(std::span<const BakedQuantization> quantizations, size_t i, size_t blocks) {
  NodeQuantization result = {};
  for (size_t channel_block = 0; channel_block < blocks; ++channel_block) {
    const BakedQuantization& quantization = quantizations[i * blocks + channel_block];
    for (size_t c = 0; c < kChannelsPerBlock; ++c) {
      result.scale[channel_block * kChannelsPerBlock + c] = quantization.scale[c] / 65536.0f;
      result.center[channel_block * kChannelsPerBlock + c] = quantization.center[c];
    }
  }
  return result;
}

ProgramNode node_of(const BakedCharacter& baked, size_t i) {
  ProgramNode node = {};
  node.range = quantization_of(baked.quantizations, i, baked.blocks_per_node);
  const Vec3 origin = baked.nodes[i].origin;
  node.origin[0] = origin.x, node.origin[1] = origin.y, node.origin[2] = origin.z;
  node.has_entry = baked.nodes[i].entry >= 0;
  node.socket_state = -1;
  return node;
}

}  // namespace

LaneProgram::LaneProgram(const BakedCharacter& baked)
    : entry_count(baked.palette_size), scale(baked.scale), scales(baked.scales()) {
  StateAllocator states(baked);
  for (size_t i = 0; i < baked.nodes.size(); ++i) {
    ProgramNode node = node_of(baked, i);
    node.parent_state = states.state_of(baked.nodes[i].parent);
    node.state = states.take(i);
    nodes.push_back(node);
    if (!baked.additive_quantizations.empty()) {
      additive_quantizations.push_back(quantization_of(baked.additive_quantizations, i, baked.blocks_per_node));
    }
  }
  state_count = states.count();
}

size_t state_floats(const LaneProgram& program) { return program.state_count * kStateFloats; }

}  // namespace sinew::internal
