#include "common/pipeline.h"

#include "common/check.h"
#include "common/target.h"

namespace host {
namespace {

VkShaderModule make_module(Gpu& gpu, Owner& owner, std::span<const uint32_t> spirv, const std::string& name) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = spirv.size_bytes();
  info.pCode = spirv.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(gpu.device, &info, nullptr, &module), "vkCreateShaderModule");
  gpu.set_name(VK_OBJECT_TYPE_SHADER_MODULE, module, name);
  owner.add([device = gpu.device, module] { vkDestroyShaderModule(device, module, nullptr); });
  return module;
}

VkPipelineColorBlendAttachmentState blending(bool additive) {
  VkPipelineColorBlendAttachmentState blend{};
  blend.blendEnable = additive;
  blend.srcColorBlendFactor = blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE;
  blend.srcAlphaBlendFactor = blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  blend.colorWriteMask = 0xf;
  return blend;
}

VkDescriptorType type_of(const Resource& resource) {
  if (resource.structure) return VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  return resource.buffer.buffer ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

}  // namespace

Layout make_layout(Gpu& gpu, std::initializer_list<VkDescriptorType> bindings, uint32_t push_bytes,
                   const std::string& name, VkShaderStageFlags stages) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (VkDescriptorType type : bindings) list.push_back({uint32_t(list.size()), type, 1, stages, nullptr});
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = uint32_t(list.size());
  set_info.pBindings = list.data();
  Layout layout;
  check(vkCreateDescriptorSetLayout(gpu.device, &set_info, nullptr, &layout.set), "vkCreateDescriptorSetLayout");
  gpu.set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, layout.set, name + " of sets");
  gpu.owned.add([device = gpu.device, set = layout.set] { vkDestroyDescriptorSetLayout(device, set, nullptr); });

  const VkPushConstantRange push{stages, 0, push_bytes};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &layout.set;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &push;
  check(vkCreatePipelineLayout(gpu.device, &info, nullptr, &layout.pipeline), "vkCreatePipelineLayout");
  gpu.set_name(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout.pipeline, name);
  gpu.owned.add([device = gpu.device, made = layout.pipeline] { vkDestroyPipelineLayout(device, made, nullptr); });
  return layout;
}

VkDescriptorSet make_set(Gpu& gpu, const Layout& layout, std::initializer_list<Resource> resources,
                         const std::string& name) {
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = gpu.descriptors;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout.set;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(vkAllocateDescriptorSets(gpu.device, &info, &set), "vkAllocateDescriptorSets");
  gpu.set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET, set, name);
  std::vector<VkWriteDescriptorSet> writes;
  std::vector<VkWriteDescriptorSetAccelerationStructureKHR> structures;
  structures.reserve(resources.size());  // the writes point to them
  for (const Resource& resource : resources) {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set;
    write.dstBinding = uint32_t(writes.size());
    write.descriptorCount = 1;
    write.descriptorType = type_of(resource);
    write.pBufferInfo = &resource.buffer;
    write.pImageInfo = &resource.image;
    if (resource.structure) {
      structures.push_back(
          {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, nullptr, 1, &resource.structure});
      write.pNext = &structures.back();
    }
    writes.push_back(write);
  }
  vkUpdateDescriptorSets(gpu.device, uint32_t(writes.size()), writes.data(), 0, nullptr);
  return set;
}

VkPipeline make_pipeline(Gpu& gpu, VkRenderPass pass, const Layout& layout, const PipelineInfo& info) {
  Owner modules;
  const VkSpecializationMapEntry entry{0, 0, sizeof info.constant};
  const VkSpecializationInfo constants{1, &entry, sizeof info.constant, &info.constant};
  VkPipelineShaderStageCreateInfo stages[2] = {};
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    stage.stage = &stage == stages ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
    const bool is_vertex = &stage == stages;
    stage.module = make_module(gpu, modules, is_vertex ? info.vertex : info.fragment,
                               std::string(info.name) + (is_vertex ? ".vert" : ".frag"));
    stage.pName = "main";
    stage.pSpecializationInfo = &constants;
  }
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = uint32_t(info.bindings.size());
  input.pVertexBindingDescriptions = info.bindings.data();
  input.vertexAttributeDescriptionCount = uint32_t(info.attributes.size());
  input.pVertexAttributeDescriptions = info.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;  // both sides of a triangle are drawn: capes and hair of many files need it
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = kSamples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = info.depth || info.additive;
  depth.depthWriteEnable = info.depth && !info.additive;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkPipelineColorBlendAttachmentState attachment = blending(info.additive);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = 1;
  blend.pAttachments = &attachment;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = states;

  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  create.stageCount = 2;
  create.pStages = stages;
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pViewportState = &viewport;
  create.pRasterizationState = &raster;
  create.pMultisampleState = &samples;
  create.pDepthStencilState = &depth;
  create.pColorBlendState = &blend;
  create.pDynamicState = &dynamic;
  create.layout = layout.pipeline;
  create.renderPass = pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  gpu.set_name(VK_OBJECT_TYPE_PIPELINE, pipeline, info.name);
  gpu.owned.add([device = gpu.device, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

VkPipeline make_compute_pipeline(Gpu& gpu, const Layout& layout, std::span<const uint32_t> spirv,
                                 const std::string& name) {
  Owner modules;
  VkComputePipelineCreateInfo create{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  create.stage = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = make_module(gpu, modules, spirv, name + ".comp");
  create.stage.pName = "main";
  create.layout = layout.pipeline;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline),
        "vkCreateComputePipelines");
  gpu.set_name(VK_OBJECT_TYPE_PIPELINE, pipeline, name);
  gpu.owned.add([device = gpu.device, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
  return pipeline;
}

}  // namespace host
