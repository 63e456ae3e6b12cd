#include "common/screen.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "common/png.h"

namespace host {
namespace {

constexpr double kHeadlessStep = 1.0 / 60, kMaxStep = 0.1;

VkImageCopy whole_image(VkExtent2D size) {
  VkImageCopy copy{};
  copy.srcSubresource = copy.dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  copy.extent = {size.width, size.height, 1};
  return copy;
}

}  // namespace

Screen::Screen(Gpu& gpu, Window* window, const Options& options)
    : gpu_(gpu), window_(window), options_(options), target_(gpu) {
  for (uint32_t i = 0; i < kSlots; ++i) {
    Slot& slot = slots_.emplace_back();
    VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, gpu.commands};
    allocate.commandBufferCount = 1;
    check(vkAllocateCommandBuffers(gpu.device, &allocate, &slot.cmd), "vkAllocateCommandBuffers");
    gpu.set_name(VK_OBJECT_TYPE_COMMAND_BUFFER, slot.cmd, "frame");
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
    check(vkCreateFence(gpu.device, &fence, nullptr, &slot.completed), "vkCreateFence");
    gpu.set_name(VK_OBJECT_TYPE_FENCE, slot.completed, "completed");
    owner_.add([device = gpu.device, made = slot.completed] { vkDestroyFence(device, made, nullptr); });
    slot.acquired = make_semaphore(gpu, owner_, "acquired");
  }
  if (window) swapchain_ = std::make_unique<Swapchain>(gpu);
  if (window && (swapchain_->format() == VK_FORMAT_B8G8R8A8_UNORM || swapchain_->format() == VK_FORMAT_B8G8R8A8_SRGB))
    format_ = VK_FORMAT_B8G8R8A8_SRGB;
  pass_ = make_render_pass(gpu, format_);
  if (!window) target_.resize(pass_, format_, {options.width, options.height});
}

Screen::~Screen() { vkDeviceWaitIdle(gpu_.device); }

/// Gets an image of the window; waits while it is minimized. False: the window was closed.
bool Screen::acquire(Camera& camera, const Slot& slot) {
  for (;;) {
    window_->poll(camera);
    if (window_->closed()) return false;
    if (!swapchain_->fit(window_->size())) {
      window_->wait();
      continue;
    }
    const auto image = swapchain_->acquire(slot.acquired);
    if (!image) continue;
    window_image_ = *image;
    const VkExtent2D size = swapchain_->size();
    if (size.width != target_.size().width || size.height != target_.size().height) {
      check(vkDeviceWaitIdle(gpu_.device), "vkDeviceWaitIdle");
      target_.resize(pass_, format_, size);
    }
    return true;
  }
}

double Screen::step() const {
  if (number_ == 0) return 0;
  if (!window_) return kHeadlessStep;  // the picture does not depend on the machine
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_begin_;
  return std::min(passed.count(), kMaxStep);
}

std::optional<Frame> Screen::begin(Camera& camera) {
  if (options_.frames > 0 && number_ == options_.frames) return {};
  const Slot& slot = slots_[(number_ + 1) % kSlots];
  check(vkWaitForFences(gpu_.device, 1, &slot.completed, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  if (window_ && !acquire(camera, slot)) return {};
  check(vkResetFences(gpu_.device, 1, &slot.completed), "vkResetFences");

  Frame frame;
  frame.step_seconds = step();
  last_begin_ = std::chrono::steady_clock::now();
  frame.seconds = seconds_ += frame.step_seconds;
  frame.number = ++number_;
  frame.slot = uint32_t(number_ % kSlots);
  frame.cmd = slot.cmd;
  frame.width = float(target_.size().width), frame.height = float(target_.size().height);
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(frame.cmd, &begin), "vkBeginCommandBuffer");
  gpu_.begin_label(frame.cmd, ("frame " + std::to_string(number_)).c_str());
  return frame;
}

void Screen::begin_pass(const Frame& frame) {
  gpu_.begin_label(frame.cmd, "draw");
  target_.begin_pass(frame.cmd, pass_);
}

void Screen::end(const Frame& frame) {
  vkCmdEndRenderPass(frame.cmd);
  gpu_.end_label(frame.cmd);
  if (window_) copy_to_window(frame.cmd);
  gpu_.end_label(frame.cmd);
  if (!window_) mark_end(frame.cmd);
  check(vkEndCommandBuffer(frame.cmd), "vkEndCommandBuffer");
  submit(slots_[frame.slot]);
  if (window_) swapchain_->present();
  if (!window_ && number_ == options_.frames) write_picture();
}

/// RenderDoc takes what is presented as a frame. Where nothing is, it takes what ends with this label.
void Screen::mark_end(VkCommandBuffer cmd) const {
  if (!gpu_.debug_utils) return;
  VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
  label.pLabelName = "vr-marker,frame_end,type,application";
  vkCmdInsertDebugUtilsLabelEXT(cmd, &label);
}

void Screen::copy_to_window(VkCommandBuffer cmd) const {
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
  change_layout(cmd, window_image_,
                {VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, kTransfer, kTransfer, 0,
                 VK_ACCESS_TRANSFER_WRITE_BIT});
  const VkImageCopy copy = whole_image(target_.size());
  vkCmdCopyImage(cmd, target_.picture(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, window_image_,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  change_layout(cmd, window_image_,
                {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, kTransfer,
                 VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, 0});
}

void Screen::submit(const Slot& slot) const {
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &slot.cmd;
  const VkPipelineStageFlags copies = VK_PIPELINE_STAGE_TRANSFER_BIT;
  const VkSemaphore written = window_ ? swapchain_->written() : VK_NULL_HANDLE;
  if (window_) {
    info.waitSemaphoreCount = info.signalSemaphoreCount = 1;
    info.pWaitSemaphores = &slot.acquired;
    info.pWaitDstStageMask = &copies;
    info.pSignalSemaphores = &written;
  }
  check(vkQueueSubmit(gpu_.queue, 1, &info, slot.completed), "vkQueueSubmit");
}

void Screen::write_picture() const {
  const uint32_t width = target_.size().width, height = target_.size().height;
  Owner owner;
  const Buffer bytes = make_mapped_buffer(gpu_, owner, VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                          VkDeviceSize{4} * width * height, "picture, read back");
  gpu_.run_once([&](VkCommandBuffer cmd) {
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    region.imageExtent = {width, height, 1};
    vkCmdCopyImageToBuffer(cmd, target_.picture(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, bytes.handle, 1, &region);
    const VkMemoryBarrier written{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                  VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &written, 0, nullptr, 0,
                         nullptr);
  });
  write_png(options_.picture, width, height, static_cast<const uint8_t*>(bytes.mapped));
}

}  // namespace host
