#include <algorithm>

#include "lanes/lane_code.h"

namespace sinew {
namespace {

constexpr size_t kStateFloats = 16 * kMaxLanes;
constexpr uint32_t kEntriesPerQuad = 4;

/// Hands out slots as the lane code will fill them. A state is free again once the last child has read it and the group
/// of four it leaves with is written, which is so when the next group is full.
class StateSlots {
 public:
  explicit StateSlots(const BakedCharacter& baked)
      : baked_(baked), children_(baked.nodes.size()), state_of_(baked.nodes.size()) {
    for (const BakedNode& joint : baked.nodes) {
      if (joint.parent >= 0) ++children_[size_t(joint.parent)];
    }
  }

  /// The state of node `i`; nodes are asked for in order.
  uint32_t take(size_t i) {
    if (free_.empty()) {
      free_.push_back(++count_);  // state 0 is model space
    }
    state_of_[i] = free_.back();
    free_.pop_back();
    const int32_t parent = baked_.nodes[i].parent;
    if (parent >= 0 && --children_[size_t(parent)] == 0) release(size_t(parent));
    if (baked_.nodes[i].entry >= 0) leave(i);
    if (children_[i] == 0) release(i);
    return state_of_[i];
  }

  uint32_t state_of(int32_t node) const { return node < 0 ? 0 : state_of_[size_t(node)]; }
  uint32_t count() const { return count_ + 1u; }

 private:
  bool is_writing(size_t i) const { return std::find(leaving_.begin(), leaving_.end(), i) != leaving_.end(); }

  void release(size_t i) {
    if (children_[i] == 0 && !is_writing(i)) free_.push_back(state_of_[i]);
  }

  void leave(size_t i) {
    leaving_.push_back(i);
    if (leaving_.size() < 2 * kEntriesPerQuad) return;
    const std::vector<size_t> written(leaving_.begin(), leaving_.begin() + kEntriesPerQuad);
    leaving_.erase(leaving_.begin(), leaving_.begin() + kEntriesPerQuad);
    for (const size_t node : written) release(node);
  }

  const BakedCharacter& baked_;
  std::vector<uint32_t> children_;  // still to come
  std::vector<uint32_t> state_of_;
  std::vector<uint32_t> free_;
  std::vector<size_t> leaving_;  // entries not known to be written
  uint32_t count_ = 0;
};

/// Of node `i`, whose records follow each other.
NodeQuantization range_of(std::span<const BakedQuantization> ranges, size_t i, size_t records) {
  NodeQuantization result = {};
  for (size_t channel_block = 0; channel_block < records; ++channel_block) {
    const BakedQuantization& range = ranges[i * records + channel_block];
    for (size_t c = 0; c < kChannelsPerBlock; ++c) {
      result.scale[channel_block * kChannelsPerBlock + c] = range.scale[c] / 65536.0f;
      result.center[channel_block * kChannelsPerBlock + c] = range.center[c];
    }
  }
  return result;
}

ProgramNode node_of(const BakedCharacter& baked, size_t i) {
  ProgramNode node = {};
  node.range = range_of(baked.quantizations, i, baked.blocks_per_node);
  const Vec3 origin = baked.nodes[i].origin;
  node.origin[0] = origin.x, node.origin[1] = origin.y, node.origin[2] = origin.z;
  node.has_entry = baked.nodes[i].entry >= 0;
  return node;
}

}  // namespace

LaneProgram::LaneProgram(const BakedCharacter& baked)
    : entry_count(baked.palette_size), scale(baked.scale), scales(baked.scales()) {
  StateSlots slots(baked);
  for (size_t i = 0; i < baked.nodes.size(); ++i) {
    ProgramNode node = node_of(baked, i);
    node.parent_state = slots.state_of(baked.nodes[i].parent);
    node.state = slots.take(i);
    nodes.push_back(node);
    if (!baked.additive_quantizations.empty()) {
      additive_quantizations.push_back(range_of(baked.additive_quantizations, i, baked.blocks_per_node));
    }
  }
  state_count = slots.count();
}

size_t state_floats(const LaneProgram& program) { return program.state_count * kStateFloats; }

}  // namespace sinew
