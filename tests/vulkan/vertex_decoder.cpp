#include "vulkan/vertex_decoder.h"

#include <bit>

namespace sinew::test {
namespace {

constexpr uint32_t kVertexShader[] = {
#include "decode_vertex.vert.inc"
};
constexpr uint32_t kFragmentShader[] = {
#include "decode_vertex.frag.inc"
};
constexpr uint32_t kTargets = 3, kFirstLocation = 3, kPixelBytes = sizeof(float[4]);
constexpr VkFormat kFormat = VK_FORMAT_R32G32B32A32_SFLOAT;

/// An image to draw into, with its own memory and a view.
struct Target {
  VkImage image = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

Target make_target(const TestDevice& device, uint32_t width) {
  const Functions& vk = device.vk;
  Target target;
  const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                  .imageType = VK_IMAGE_TYPE_2D,
                                  .format = kFormat,
                                  .extent = {width, 1, 1},
                                  .mipLevels = 1,
                                  .arrayLayers = 1,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
  vk.CreateImage(device.device, &info, nullptr, &target.image);
  VkMemoryRequirements requirements;
  vk.GetImageMemoryRequirements(device.device, target.image, &requirements);
  const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = requirements.size,
                                         .memoryTypeIndex = uint32_t(std::countr_zero(requirements.memoryTypeBits))};
  vk.AllocateMemory(device.device, &allocate, nullptr, &target.memory);
  vk.BindImageMemory(device.device, target.image, target.memory, 0);
  const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = target.image,
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = kFormat,
                                      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  vk.CreateImageView(device.device, &view, nullptr, &target.view);
  return target;
}

VkRenderPass make_pass(TestDevice& device) {
  VkAttachmentDescription attachments[kTargets];
  VkAttachmentReference references[kTargets];
  for (uint32_t i = 0; i < kTargets; ++i) {
    attachments[i] = {.format = kFormat,
                      .samples = VK_SAMPLE_COUNT_1_BIT,
                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                      .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                      .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
    references[i] = {i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  }
  const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                        .colorAttachmentCount = kTargets,
                                        .pColorAttachments = references};
  const VkSubpassDependency to_copies = {0,
                                         VK_SUBPASS_EXTERNAL,
                                         VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                         VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                         VK_ACCESS_TRANSFER_READ_BIT,
                                         0};
  const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                       .attachmentCount = kTargets,
                                       .pAttachments = attachments,
                                       .subpassCount = 1,
                                       .pSubpasses = &subpass,
                                       .dependencyCount = 1,
                                       .pDependencies = &to_copies};
  VkRenderPass pass = VK_NULL_HANDLE;
  device.vk.CreateRenderPass(device.device, &info, nullptr, &pass);
  return pass;
}

VkShaderModule make_module(TestDevice& device, std::span<const uint32_t> words) {
  const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = words.size_bytes(), .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  device.vk.CreateShaderModule(device.device, &info, nullptr, &module);
  return module;
}

/// The specialization constants of decode_vertex.vert.
struct Constants {
  uint32_t format, mesh_vertices, all_vertices;
  float extent;
  VkBool32 per_instance;
};

VkPipeline make_pipeline(TestDevice& device, VkRenderPass pass, VkPipelineLayout layout, const Constants& constants) {
  const VkShaderModule vertex = make_module(device, kVertexShader), fragment = make_module(device, kFragmentShader);
  VkSpecializationMapEntry entries[5];
  for (uint32_t i = 0; i < 5; ++i) entries[i] = {i, i * 4, 4};
  const VkSpecializationInfo specialization = {5, entries, sizeof constants, &constants};
  const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                     .module = vertex,
                                                     .pName = "main",
                                                     .pSpecializationInfo = &specialization},
                                                    {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     .module = fragment,
                                                     .pName = "main"}};
  const vulkan::VertexInput skinned =
      vulkan::vertex_input(vulkan::VertexFormat(constants.format), true, 0, kFirstLocation);
  const VkVertexInputBindingDescription bindings[] = {skinned.binding, {1, 4, VK_VERTEX_INPUT_RATE_VERTEX}};
  const VkVertexInputAttributeDescription attributes[] = {skinned.attributes[0],
                                                          skinned.attributes[1],
                                                          skinned.attributes[2],
                                                          {kFirstLocation + 3, 1, VK_FORMAT_R32_SFLOAT, 0}};
  const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 2,
      .pVertexBindingDescriptions = bindings,
      .vertexAttributeDescriptionCount = 4,
      .pVertexAttributeDescriptions = attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkViewport viewport = {0, 0, float(constants.all_vertices), 1, 0, 1};
  const VkRect2D scissor = {{0, 0}, {constants.all_vertices, 1}};
  const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                  .viewportCount = 1,
                                                  .pViewports = &viewport,
                                                  .scissorCount = 1,
                                                  .pScissors = &scissor};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState opaque = {.colorWriteMask = 0xf};
  const VkPipelineColorBlendAttachmentState blends[] = {opaque, opaque, opaque};
  const VkPipelineColorBlendStateCreateInfo blending = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = kTargets,
      .pAttachments = blends};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &view,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &samples,
                                             .pColorBlendState = &blending,
                                             .layout = layout,
                                             .renderPass = pass};
  VkPipeline pipeline = VK_NULL_HANDLE;
  device.vk.CreateGraphicsPipelines(device.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  device.vk.DestroyShaderModule(device.device, vertex, nullptr);
  device.vk.DestroyShaderModule(device.device, fragment, nullptr);
  return pipeline;
}

/// One draw for each instance. The part has every vertex once, so first vertices stand for its indices.
void draw_instances(TestDevice& device, VkCommandBuffer cmd, const vulkan::InstanceRange& range, VkBuffer own) {
  const MeshPart part{.index_count = range.vertex_count};
  std::vector<VkDrawIndexedIndirectCommand> draws(range.instance_count);
  vulkan::write_draws(range, part, 0, draws);
  const VkBuffer buffers[] = {range.vertices, own};
  const VkDeviceSize offsets[] = {range.vertices_offset, 0};
  device.vk.CmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
  for (const VkDrawIndexedIndirectCommand& draw : draws)
    device.vk.CmdDraw(cmd, draw.indexCount, draw.instanceCount, uint32_t(draw.vertexOffset), draw.firstInstance);
}

/// The same with a stream that all instances share.
void draw_beside_shared_stream(TestDevice& device, VkCommandBuffer cmd, const vulkan::InstanceRange& range,
                               VkBuffer own) {
  const VkBuffer buffers[] = {range.vertices, own};
  for (uint32_t i = 0; i < range.instance_count; ++i) {
    const VkDeviceSize offsets[] = {vulkan::instance_offset(range, i), 0};
    device.vk.CmdBindVertexBuffers(cmd, 0, 2, buffers, offsets);
    device.vk.CmdDraw(cmd, range.vertex_count, 1, 0, i);
  }
}

TestBuffer make_own_stream(TestDevice& device, const vulkan::InstanceRange& range) {
  const uint32_t count = range.vertex_count * range.instance_count;
  const TestBuffer buffer = device.make_buffer(count * sizeof(float), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
  auto* const numbers = static_cast<float*>(buffer.mapped);
  for (uint32_t v = 0; v < count; ++v) numbers[v] = v < range.vertex_count ? float(v) : -1;
  return buffer;
}

}  // namespace

std::vector<DecodedVertex> decode_on_device(TestDevice& device, const vulkan::InstanceRange& range,
                                            vulkan::VertexFormat format, float extent, OwnStream own) {
  const Functions& vk = device.vk;
  const uint32_t count = range.vertex_count * range.instance_count;
  Target targets[kTargets];
  VkImageView views[kTargets];
  for (uint32_t i = 0; i < kTargets; ++i) {
    targets[i] = make_target(device, count);
    views[i] = targets[i].view;
  }
  const VkRenderPass pass = make_pass(device);
  const VkFramebufferCreateInfo framebuffer_info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                    .renderPass = pass,
                                                    .attachmentCount = kTargets,
                                                    .pAttachments = views,
                                                    .width = count,
                                                    .height = 1,
                                                    .layers = 1};
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  vk.CreateFramebuffer(device.device, &framebuffer_info, nullptr, &framebuffer);
  const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  vk.CreatePipelineLayout(device.device, &layout_info, nullptr, &layout);
  const bool shared = own == OwnStream::kShared;
  const VkPipeline pipeline =
      make_pipeline(device, pass, layout, {uint32_t(format), range.vertex_count, count, extent, shared});
  const TestBuffer stream = make_own_stream(device, range);
  const TestBuffer pixels =
      device.make_buffer(VkDeviceSize{count} * kPixelBytes * kTargets, VK_BUFFER_USAGE_TRANSFER_DST_BIT, true);

  device.submit_and_wait([&](VkCommandBuffer cmd) {
    const VkClearValue clears[kTargets] = {};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = framebuffer,
                                         .renderArea = {{0, 0}, {count, 1}},
                                         .clearValueCount = kTargets,
                                         .pClearValues = clears};
    vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    (shared ? draw_beside_shared_stream : draw_instances)(device, cmd, range, stream.handle);
    vk.CmdEndRenderPass(cmd);
    for (uint32_t i = 0; i < kTargets; ++i) {
      const VkBufferImageCopy copy = {.bufferOffset = VkDeviceSize{i} * count * kPixelBytes,
                                      .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {count, 1, 1}};
      vk.CmdCopyImageToBuffer(cmd, targets[i].image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, pixels.handle, 1, &copy);
    }
    device.full_barrier(cmd);
  });

  const auto* values = static_cast<const std::array<float, 4>*>(pixels.mapped);
  std::vector<DecodedVertex> decoded(count);
  for (uint32_t v = 0; v < count; ++v) decoded[v] = {values[v], values[count + v], values[2 * count + v]};
  device.free_buffer(pixels);
  device.free_buffer(stream);
  vk.DestroyPipeline(device.device, pipeline, nullptr);
  vk.DestroyPipelineLayout(device.device, layout, nullptr);
  vk.DestroyFramebuffer(device.device, framebuffer, nullptr);
  vk.DestroyRenderPass(device.device, pass, nullptr);
  for (const Target& target : targets) {
    vk.DestroyImageView(device.device, target.view, nullptr);
    vk.DestroyImage(device.device, target.image, nullptr);
    vk.FreeMemory(device.device, target.memory, nullptr);
  }
  return decoded;
}

}  // namespace sinew::test
