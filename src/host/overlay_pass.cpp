#include "host/overlay_pass.h"

#include <array>
#include <cstddef>
#include <cstring>

#include "host/device.h"
#include "host/target.h"

namespace host {
namespace {

/// The picture keeps its contents; afterwards it can be copied, as after the pass that drew it.
Result<RenderPassHandle> create_overlay_pass(const Device& device) {
  VkAttachmentDescription attachment = describe_attachment(
      kPictureFormat, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_STORE_OP_STORE, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  attachment.initialLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkAttachmentReference picture{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &picture;
  constexpr VkPipelineStageFlags kOutput = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  constexpr VkPipelineStageFlags kCopy = VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWritten = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  const std::array<VkSubpassDependency, 2> dependencies = {
      VkSubpassDependency{VK_SUBPASS_EXTERNAL, 0, kOutput | kCopy, kOutput, kWritten,
                          kWritten | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT, 0},
      VkSubpassDependency{0, VK_SUBPASS_EXTERNAL, kOutput, kCopy, kWritten, VK_ACCESS_TRANSFER_READ_BIT, 0}};
  return create_pass(device, std::span(&attachment, 1), subpass, dependencies, "sinew.overlay_pass");
}

VkSamplerCreateInfo sampler_info() {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  return info;
}

/// As shaders/overlay.vert has it: clip = position * scale + offset.
struct Push {
  float scale[2], offset[2];
};

template <class Value>
Status fill(const Device& device, const std::vector<Value>& values, VkBufferUsageFlags usage, const char* name,
            Buffer& buffer) {
  const VkDeviceSize size_bytes = values.size() * sizeof(Value);
  if (Status fits = fit_upload_buffer(device, {size_bytes, VK_WHOLE_SIZE, usage, name}, buffer); !fits) return fits;
  if (!values.empty()) std::memcpy(buffer.mapped, values.data(), size_bytes);
  return {};
}

}  // namespace

Result<OverlayPass> OverlayPass::create(const Device& device, uint32_t slots) {
  OverlayPass pass;
  pass.device_ = &device;
  pass.slots_.resize(slots);
  if (Status created = pass.create_objects(); !created) return created.error();
  return pass;
}

Status OverlayPass::create_objects() {
  Status made = put(create_overlay_pass(*device_), render_pass_);
  if (made) made = put(create_sampler(*device_, sampler_info(), "sinew.overlay_sampler"), font_.sampler);
  if (!made) return made;
  return put(create_layout(*device_, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}, sizeof(Push), "sinew.overlay_layout"),
             layout_);
}

Status OverlayPass::set_shaders(std::span<const uint32_t> vertex, std::span<const uint32_t> fragment) {
  constexpr VkVertexInputBindingDescription kVertices{0, sizeof(OverlayVertex), VK_VERTEX_INPUT_RATE_VERTEX};
  constexpr VkVertexInputAttributeDescription kAttributes[] = {
      {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(OverlayVertex, position)},
      {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(OverlayVertex, uv)},
      {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(OverlayVertex, color)}};
  return put(create_graphics_pipeline(*device_, {render_pass_.get()}, layout_,
                                      {.name = "sinew.overlay_pipeline",
                                       .vertex = vertex,
                                       .fragment = fragment,
                                       .bindings = {&kVertices, 1},
                                       .attributes = kAttributes,
                                       .depth = false,
                                       .blend = Blend::kOver}),
             pipeline_);
}

Status OverlayPass::set_target(const Target& target) {
  target_ = &target;
  framebuffer_ = {};
  return put(create_framebuffer(*device_, render_pass_.get(), std::array{target.bytes.get()}, target.width,
                                target.height, "sinew.overlay_framebuffer"),
             framebuffer_);
}

Status OverlayPass::set_font(const OverlayFont& font) {
  vkDeviceWaitIdle(device_->handle);
  Status made =
      put(create_texture(*device_, {font.width, font.height, VK_FORMAT_R8_UNORM, false}, font.alpha, "sinew.font"),
          font_.image);
  if (made) made = put(create_set(*device_, layout_, {font_}, "sinew.overlay_set"), set_);
  if (made) font_version_ = font.version;
  return made;
}

Status OverlayPass::prepare(uint32_t slot, const OverlayLists& lists, const OverlayFont& font) {
  if (!set_.handle || font.version != font_version_) {
    if (Status set = set_font(font); !set) return set;
  }
  Slot& own = slots_[slot];
  Status filled =
      fill(*device_, lists.vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "sinew.overlay_vertices", own.vertices);
  if (!filled) return filled;
  return fill(*device_, lists.indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, "sinew.overlay_indices", own.indices);
}

void OverlayPass::record(VkCommandBuffer cmd, uint32_t slot, const OverlayLists& lists) const {
  const Label label(*device_, cmd, LabelColor{0.80f, 0.80f, 0.30f}, "overlay: %zu %s", lists.draws.size(),
                    lists.draws.size() == 1 ? "draw" : "draws");
  const VkExtent2D size{target_->width, target_->height};
  begin_pass(cmd, render_pass_.get(), framebuffer_.get(), size, {});
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.get());
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_.pipeline.get(), 0, 1, &set_.handle, 0, nullptr);
  const Push push{{2.0f / float(size.width), 2.0f / float(size.height)}, {-1, -1}};
  vkCmdPushConstants(cmd, layout_.pipeline.get(), kDrawingStages, 0, sizeof push, &push);
  const VkBuffer vertices = slots_[slot].vertices.get();
  const VkDeviceSize zero = 0;
  vkCmdBindVertexBuffers(cmd, 0, 1, &vertices, &zero);
  vkCmdBindIndexBuffer(cmd, slots_[slot].indices.get(), 0, VK_INDEX_TYPE_UINT16);
  for (const OverlayDraw& draw : lists.draws) {
    const VkRect2D scissor{{draw.x, draw.y}, {draw.width, draw.height}};
    vkCmdSetScissor(cmd, 0, 1, &scissor);
    vkCmdDrawIndexed(cmd, draw.index_count, 1, draw.first_index, draw.vertex_offset, 0);
  }
  vkCmdEndRenderPass(cmd);
}

}  // namespace host
