#include <algorithm>

#include "kernel/crowd_kernel.h"

namespace sinew {
namespace {

constexpr size_t kStateFloats = 16 * kMaxLanes;
constexpr uint32_t kEntriesPerGroup = 4;

/// Hands out slots as the kernel will fill them. A slot is free again once the last child has read it and the group of
/// four it leaves with is written, which is so when the next group is full.
class Slots {
 public:
  explicit Slots(const BakedCharacter& baked)
      : baked_(baked), children_(baked.joints.size()), slot_of_(baked.joints.size()) {
    for (const BakedJoint& joint : baked.joints) {
      if (joint.parent >= 0) ++children_[size_t(joint.parent)];
    }
  }

  /// The slot of step `i`; steps are asked for in order.
  uint32_t take(size_t i) {
    if (free_.empty()) {
      free_.push_back(++count_);  // slot 0 is model space
    }
    slot_of_[i] = free_.back();
    free_.pop_back();
    const int32_t parent = baked_.joints[i].parent;
    if (parent >= 0 && --children_[size_t(parent)] == 0) release(size_t(parent));
    if (baked_.joints[i].entry >= 0) leave(i);
    if (children_[i] == 0) release(i);
    return slot_of_[i];
  }

  uint32_t slot_of(int32_t step) const { return step < 0 ? 0 : slot_of_[size_t(step)]; }
  uint32_t count() const { return count_ + 1u; }

 private:
  bool is_leaving(size_t i) const { return std::find(leaving_.begin(), leaving_.end(), i) != leaving_.end(); }

  void release(size_t i) {
    if (children_[i] == 0 && !is_leaving(i)) free_.push_back(slot_of_[i]);
  }

  void leave(size_t i) {
    leaving_.push_back(i);
    if (leaving_.size() < 2 * kEntriesPerGroup) return;
    const std::vector<size_t> written(leaving_.begin(), leaving_.begin() + kEntriesPerGroup);
    leaving_.erase(leaving_.begin(), leaving_.begin() + kEntriesPerGroup);
    for (const size_t step : written) release(step);
  }

  const BakedCharacter& baked_;
  std::vector<uint32_t> children_;  // still to come
  std::vector<uint32_t> slot_of_;
  std::vector<uint32_t> free_;
  std::vector<size_t> leaving_;  // entries not known to be written
  uint32_t count_ = 0;
};

/// Of step `i`, whose records follow each other.
KernelRange range_of(std::span<const BakedRange> ranges, size_t i, size_t records) {
  KernelRange result = {};
  for (size_t record = 0; record < records; ++record) {
    const BakedRange& range = ranges[i * records + record];
    for (size_t c = 0; c < kBakedComponents; ++c) {
      result.scale[record * kBakedComponents + c] = range.scale[c] / 65536.0f;
      result.centre[record * kBakedComponents + c] = range.centre[c];
    }
  }
  return result;
}

KernelStep step_of(const BakedCharacter& baked, size_t i) {
  KernelStep step = {};
  step.range = range_of(baked.ranges, i, baked.records_per_joint);
  const Vec3 origin = baked.joints[i].origin;
  step.origin[0] = origin.x, step.origin[1] = origin.y, step.origin[2] = origin.z;
  step.has_entry = baked.joints[i].entry >= 0;
  return step;
}

}  // namespace

KernelProgram::KernelProgram(const BakedCharacter& baked)
    : entry_count(baked.palette_size), scale(baked.scale), scales(baked.scales()) {
  Slots slots(baked);
  for (size_t i = 0; i < baked.joints.size(); ++i) {
    KernelStep step = step_of(baked, i);
    step.parent_slot = slots.slot_of(baked.joints[i].parent);
    step.slot = slots.take(i);
    steps.push_back(step);
    if (!baked.additive_ranges.empty()) {
      additive_ranges.push_back(range_of(baked.additive_ranges, i, baked.records_per_joint));
    }
  }
  slot_count = slots.count();
}

size_t state_floats(const KernelProgram& program) { return program.slot_count * kStateFloats; }

}  // namespace sinew
