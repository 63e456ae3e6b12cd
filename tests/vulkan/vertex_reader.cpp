#include "vulkan/vertex_reader.h"

#include "sinew/asset/skinned_vertex.h"

namespace sinew::test {
namespace {

constexpr uint32_t kShader[] = {
#include "read_vertex.vert.inc"
};
constexpr VkExtent2D kSize = {16, 16};

}  // namespace

VertexReader::VertexReader(TestDevice& device) : device_(device) {
  make_target();
  make_pipeline();
}

VertexReader::~VertexReader() {
  const Functions& vk = device_.vk;
  vk.DestroyPipeline(device_.device, pipeline_, nullptr);
  vk.DestroyPipelineLayout(device_.device, layout_, nullptr);
  vk.DestroyFramebuffer(device_.device, framebuffer_, nullptr);
  vk.DestroyRenderPass(device_.device, render_pass_, nullptr);
}

void VertexReader::make_target() {
  const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
  const VkRenderPassCreateInfo pass = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
  device_.vk.CreateRenderPass(device_.device, &pass, nullptr, &render_pass_);
  const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                               .renderPass = render_pass_,
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
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .rasterizerDiscardEnable = VK_TRUE,
      .lineWidth = 1};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .stageCount = 1,
                                             .pStages = &stage,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pRasterizationState = &rasterization,
                                             .layout = layout_,
                                             .renderPass = render_pass_};
  device_.vk.CreateGraphicsPipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
  device_.vk.DestroyShaderModule(device_.device, module, nullptr);
}

void VertexReader::draw(VkCommandBuffer cmd, VkBuffer vertices, VkDeviceSize offset, uint32_t vertex_count) const {
  const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = render_pass_,
                                       .framebuffer = framebuffer_,
                                       .renderArea = {{0, 0}, kSize}};
  device_.vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  device_.vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  device_.vk.CmdBindVertexBuffers(cmd, 0, 1, &vertices, &offset);
  device_.vk.CmdDraw(cmd, vertex_count, 1, 0, 0);
  device_.vk.CmdEndRenderPass(cmd);
}

}  // namespace sinew::test
