#include "render/depth_history.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>

#include "scene/crowd_input.h"

namespace sinew::app {
namespace {

constexpr uint32_t kReduced = 4;      // pixels of the picture along each side of one of the reduced image
constexpr double kMaxSeconds = 0.25;  // between the frames; more is a jump
constexpr float kSilhouette = 0.1f;   // meters that an arm moves between the frames
constexpr float kParallax = 8;        // of what is hidden: times as far away as what hides it, less one

/// The pixels that an element of a reduced image covers along one side; `end` is not one of them.
struct Pixels {
  uint32_t first, end;
};
Pixels covered(uint32_t index, uint32_t reduced, uint32_t size) {
  return {uint32_t(uint64_t(index) * size / reduced), uint32_t((uint64_t(index + 1) * size + reduced - 1) / reduced)};
}

}  // namespace

Status DepthHistory::resize(const Device& device, uint32_t slots, const Target& target) {
  slots_.clear();
  width_ = target.width, height_ = target.height;
  reduced_width_ = std::max(width_ / kReduced, 1u), reduced_height_ = std::max(height_ / kReduced, 1u);
  const VkDeviceSize size_bytes = VkDeviceSize(width_) * height_ * sizeof(float);
  for (uint32_t i = 0; i < slots; ++i) {
    auto buffer = create_buffer(device, size_bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT, host::MemoryKind::kReadback,
                                "sinew.depths[" + std::to_string(i) + "]");
    if (!buffer) return buffer.error();
    slots_.push_back({std::move(*buffer), {}, false});
  }
  return {};
}

void DepthHistory::record(VkCommandBuffer cmd, uint32_t slot, const Target& target, const DepthMoment& moment) {
  Slot& own = slots_[slot];
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
  region.imageExtent = {width_, height_, 1};
  vkCmdCopyImageToBuffer(cmd, target.depth.get(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, own.depths.get(), 1, &region);
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  own.moment = moment, own.drawn = true;
}

crowd::OcclusionSource DepthHistory::source(uint32_t slot, const DepthMoment& now) {
  Slot& own = slots_[slot];
  const double since = now.seconds - own.moment.seconds;
  if (!own.drawn || !(since >= 0 && since <= kMaxSeconds)) return {};
  own.drawn = false;
  reduce({static_cast<const float*>(own.depths.mapped), size_t(width_) * height_});
  crowd::DepthImage image{.width = reduced_width_, .height = reduced_height_, .depth = reduced_};
  image.view = to_crowd(own.moment.view);
  const float walked = 2 * now.meters_per_second * float(since);  // those before and those behind may part
  image.margin = kSilhouette + walked + kParallax * glm::distance(now.view.eye, own.moment.view.eye);
  if (Status built = pyramid_.build(image); !built) return {};
  return pyramid_.source();
}

void DepthHistory::forget(uint32_t slot) {
  if (slot < slots_.size()) slots_[slot].drawn = false;
}

/// The maximum of rows first, over the whole width: so the depths are read once, in order.
void DepthHistory::reduce(std::span<const float> depths) {
  rows_.resize(width_);
  reduced_.resize(size_t(reduced_width_) * reduced_height_);
  for (uint32_t y = 0; y < reduced_height_; ++y) {
    std::fill(rows_.begin(), rows_.end(), 0.0f);
    const Pixels rows = covered(y, reduced_height_, height_);
    for (uint32_t row = rows.first; row < rows.end; ++row) {
      const float* from = depths.data() + size_t(row) * width_;
      for (uint32_t x = 0; x < width_; ++x) rows_[x] = from[x] > rows_[x] ? from[x] : rows_[x];
    }
    for (uint32_t x = 0; x < reduced_width_; ++x) {
      const Pixels columns = covered(x, reduced_width_, width_);
      reduced_[size_t(y) * reduced_width_ + x] =
          *std::max_element(rows_.begin() + columns.first, rows_.begin() + columns.end);
    }
  }
}

}  // namespace sinew::app
