#include "vulkan/vertex_reader.h"

#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

constexpr uint32_t kShader[] = {
#include "read_vertex.vert.inc"
};
constexpr VkExtent2D kSize = {16, 16};
constexpr VkFormat kDepthFormat = VK_FORMAT_D16_UNORM;

}  // namespace

VertexReader::VertexReader(TestDevice& device)
    : device_(device), depth_(make_image(device, kDepthFormat, kSize, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)) {
  make_target();
  make_pipeline();
}

VertexReader::~VertexReader() {
  const Functions& vk = device_.vk;
  vk.DestroyPipeline(device_.device, pipeline_, nullptr);
  vk.DestroyPipelineLayout(device_.device, layout_, nullptr);
  vk.DestroyFramebuffer(device_.device, framebuffer_, nullptr);
  vk.DestroyRenderPass(device_.device, render_pass_, nullptr);
  free_image(device_, depth_);
}

void VertexReader::make_target() {
  const VkAttachmentDescription depth = {.format = kDepthFormat,
                                         .samples = VK_SAMPLE_COUNT_1_BIT,
                                         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                         .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                         .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                         .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                        .pDepthStencilAttachment = &reference};
  // For the depth buffer only: the test itself synchronizes the vertices.
  const VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
  const VkSubpassDependency before = {VK_SUBPASS_EXTERNAL,
                                      0,
                                      stages,
                                      stages,
                                      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                      VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                      0};
  const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                       .attachmentCount = 1,
                                       .pAttachments = &depth,
                                       .subpassCount = 1,
                                       .pSubpasses = &subpass,
                                       .dependencyCount = 1,
                                       .pDependencies = &before};
  device_.vk.CreateRenderPass(device_.device, &pass, nullptr, &render_pass_);
  const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                               .renderPass = render_pass_,
                                               .attachmentCount = 1,
                                               .pAttachments = &depth_.view,
                                               .width = kSize.width,
                                               .height = kSize.height,
                                               .layers = 1};
  device_.vk.CreateFramebuffer(device_.device, &framebuffer, nullptr, &framebuffer_);
}

void VertexReader::make_pipeline() {
  const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  device_.vk.CreatePipelineLayout(device_.device, &layout, nullptr, &layout_);
  const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = sizeof kShader, .pCode = kShader};
  VkShaderModule module = VK_NULL_HANDLE;
  device_.vk.CreateShaderModule(device_.device, &module_info, nullptr, &module);

  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                 .module = module,
                                                 .pName = "main"};
  const VkVertexInputBindingDescription binding = {0, sizeof(SkinnedVertex), VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                                                          {1, 0, VK_FORMAT_R16G16_SNORM, 12}};
  const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = 1,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = 2,
      .pVertexAttributeDescriptions = attributes};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkViewport viewport = {0, 0, float(kSize.width), float(kSize.height), 0, 1};
  const VkRect2D scissor = {{0, 0}, kSize};
  const VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                  .viewportCount = 1,
                                                  .pViewports = &viewport,
                                                  .scissorCount = 1,
                                                  .pScissors = &scissor};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = VK_TRUE,
      .depthWriteEnable = VK_TRUE,
      .depthCompareOp = VK_COMPARE_OP_LESS};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .stageCount = 1,
                                             .pStages = &stage,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &view,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &samples,
                                             .pDepthStencilState = &depth,
                                             .layout = layout_,
                                             .renderPass = render_pass_};
  device_.vk.CreateGraphicsPipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
  device_.vk.DestroyShaderModule(device_.device, module, nullptr);
}

void VertexReader::draw(VkCommandBuffer cmd, VkBuffer vertices, VkDeviceSize offset, uint32_t vertex_count) const {
  const VkClearValue clear = {.depthStencil = {1, 0}};
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = render_pass_,
                                       .framebuffer = framebuffer_,
                                       .renderArea = {{0, 0}, kSize},
                                       .clearValueCount = 1,
                                       .pClearValues = &clear};
  device_.vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  device_.vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  device_.vk.CmdBindVertexBuffers(cmd, 0, 1, &vertices, &offset);
  device_.vk.CmdDraw(cmd, vertex_count, 1, 0, 0);
  device_.vk.CmdEndRenderPass(cmd);
}

}  // namespace sinew::test
