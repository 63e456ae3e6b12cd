#include "host/pipeline.h"

#include <cstring>
#include <vector>

namespace host {
namespace {

VkWriteDescriptorSet write_of(VkDescriptorSet set, uint32_t binding, VkDescriptorType type) {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  return write;
}

VkDescriptorType type_of(const Resource& resource) {
  if (resource.structure) return VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
  return resource.buffer.buffer ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

void write(VkDevice device, VkDescriptorSet set, uint32_t binding, const Resource& resource) {
  const VkWriteDescriptorSetAccelerationStructureKHR structure{
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, nullptr, 1, &resource.structure};
  VkWriteDescriptorSet write = write_of(set, binding, type_of(resource));
  if (resource.structure) write.pNext = &structure;
  write.pBufferInfo = &resource.buffer;
  write.pImageInfo = &resource.image;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

}  // namespace

Result<DescriptorSets> create_descriptor_sets(const Device& device, uint32_t count,
                                              std::span<const VkDescriptorType> types, VkDescriptorSetLayout layout,
                                              const std::string& name) {
  std::vector<VkDescriptorPoolSize> sizes;
  for (const VkDescriptorType type : types) sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = count;
  pool_info.poolSizeCount = uint32_t(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  auto pool =
      create_object<DescriptorPoolHandle>(device, vkCreateDescriptorPool, pool_info, "descriptor pool", name + "s");
  if (!pool) return pool.error();
  DescriptorSets sets{std::move(*pool), std::vector<VkDescriptorSet>(count)};
  const std::vector<VkDescriptorSetLayout> layouts(count, layout);
  VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = sets.pool.get();
  info.descriptorSetCount = count;
  info.pSetLayouts = layouts.data();
  if (VkResult result = vkAllocateDescriptorSets(device.handle, &info, sets.sets.data()); result != VK_SUCCESS)
    return vulkan_error("descriptor sets " + name, result);
  for (size_t i = 0; i < sets.sets.size(); ++i) {
    set_name(device, VK_OBJECT_TYPE_DESCRIPTOR_SET, sets.sets[i], name + "[" + std::to_string(i) + "]");
  }
  return sets;
}

void write_buffer(VkDevice device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                  const VkDescriptorBufferInfo& info) {
  VkWriteDescriptorSet write = write_of(set, binding, type);
  write.pBufferInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void write_texels(VkDevice device, VkDescriptorSet set, uint32_t binding, VkBufferView texels) {
  VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER);
  write.pTexelBufferView = &texels;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void write_image(VkDevice device, VkDescriptorSet set, uint32_t binding, const VkDescriptorImageInfo& info) {
  VkWriteDescriptorSet write = write_of(set, binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  write.pImageInfo = &info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

Result<ShaderModuleHandle> create_shader_module(const Device& device, std::span<const uint32_t> spirv,
                                                const std::string& name) {
  VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  info.codeSize = spirv.size_bytes();
  info.pCode = spirv.data();
  return create_object<ShaderModuleHandle>(device, vkCreateShaderModule, info, "shader", name);
}

Result<DescriptorSetLayoutHandle> create_set_layout(const Device& device,
                                                    std::span<const VkDescriptorSetLayoutBinding> bindings,
                                                    const std::string& name) {
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = uint32_t(bindings.size());
  info.pBindings = bindings.data();
  return create_object<DescriptorSetLayoutHandle>(device, vkCreateDescriptorSetLayout, info, "descriptor set layout",
                                                  name);
}

Result<PipelineLayoutHandle> create_pipeline_layout(const Device& device, std::span<const VkDescriptorSetLayout> sets,
                                                    const VkPushConstantRange& push, const std::string& name) {
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = uint32_t(sets.size());
  info.pSetLayouts = sets.data();
  info.pushConstantRangeCount = push.size != 0 ? 1 : 0;
  info.pPushConstantRanges = &push;
  return create_object<PipelineLayoutHandle>(device, vkCreatePipelineLayout, info, "pipeline layout", name);
}

Result<Layout> create_layout(const Device& device, std::initializer_list<VkDescriptorType> bindings,
                             uint32_t push_bytes, const std::string& name, VkShaderStageFlags stages) {
  std::vector<VkDescriptorSetLayoutBinding> list;
  for (VkDescriptorType type : bindings) list.push_back({uint32_t(list.size()), type, 1, stages, nullptr});
  Layout layout;
  if (Status made = put(create_set_layout(device, list, name + " of sets"), layout.set); !made) return made.error();
  const VkDescriptorSetLayout set = layout.set.get();
  Status made = put(create_pipeline_layout(device, {&set, 1}, {stages, 0, push_bytes}, name), layout.pipeline);
  if (!made) return made.error();
  return layout;
}

Result<Texture> create_sampled_texture(const Device& device, uint32_t width, uint32_t height,
                                       std::span<const uint8_t> rgba, const std::string& name) {
  Texture texture;
  Status made = put(create_texture(device, {.width = width, .height = height}, rgba, name), texture.image);
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.maxLod = VK_LOD_CLAMP_NONE;
  if (made) made = put(create_sampler(device, info, name), texture.sampler);
  if (!made) return made.error();
  return texture;
}

Result<DescriptorSet> create_set(const Device& device, const Layout& layout, std::initializer_list<Resource> resources,
                                 const std::string& name) {
  std::vector<VkDescriptorType> types;
  for (const Resource& resource : resources) types.push_back(type_of(resource));
  auto sets = create_descriptor_sets(device, 1, types, layout.set.get(), name);
  if (!sets) return sets.error();
  uint32_t binding = 0;
  for (const Resource& resource : resources) write(device.handle, sets->sets.front(), binding++, resource);
  return DescriptorSet{std::move(sets->pool), sets->sets.front()};
}

namespace {

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, const ShaderModuleHandle& module,
                                         const VkSpecializationInfo* constants) {
  return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
          .stage = stage,
          .module = module.get(),
          .pName = "main",
          .pSpecializationInfo = constants};
}

VkPipelineColorBlendAttachmentState blending(const GraphicsPipelineInfo& info) {
  VkPipelineColorBlendAttachmentState blend{};
  if (!info.writes_color || info.fragment.empty()) return blend;
  blend.blendEnable = info.blend != Blend::kNone;
  const bool over = info.blend == Blend::kOver;
  blend.srcColorBlendFactor = over ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  blend.dstColorBlendFactor = over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  blend.srcAlphaBlendFactor = over ? VK_BLEND_FACTOR_ZERO : VK_BLEND_FACTOR_ONE;
  blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  blend.colorWriteMask = 0xf;
  return blend;
}

Result<PipelineHandle> create(const Device& device, const PassFormat& format, VkPipelineLayout layout,
                              const GraphicsPipelineInfo& info,
                              std::span<const VkPipelineShaderStageCreateInfo> stages) {
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = uint32_t(info.bindings.size());
  input.pVertexBindingDescriptions = info.bindings.data();
  input.vertexAttributeDescriptionCount = uint32_t(info.attributes.size());
  input.pVertexAttributeDescriptions = info.attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = info.topology;
  VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewport.viewportCount = viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  raster.rasterizerDiscardEnable = info.discard;
  raster.cullMode = info.cull;
  raster.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  raster.polygonMode = info.wireframe ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = format.samples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = info.depth;
  depth.depthWriteEnable = info.depth && info.blend == Blend::kNone;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkPipelineColorBlendAttachmentState attachment = blending(info);
  VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blend.attachmentCount = info.color_attachment ? 1 : 0;
  blend.pAttachments = &attachment;
  constexpr VkDynamicState kStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = kStates;

  VkGraphicsPipelineCreateInfo create{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  if (device.pipeline_statistics) create.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  create.stageCount = uint32_t(stages.size());
  create.pStages = stages.data();
  create.pVertexInputState = &input;
  create.pInputAssemblyState = &assembly;
  create.pViewportState = &viewport;
  create.pRasterizationState = &raster;
  create.pMultisampleState = &samples;
  create.pDepthStencilState = &depth;
  create.pColorBlendState = &blend;
  create.pDynamicState = &dynamic;
  create.layout = layout;
  create.renderPass = format.pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      vkCreateGraphicsPipelines(device.handle, device.pipeline_cache, 1, &create, nullptr, &pipeline);
  if (result != VK_SUCCESS) return vulkan_error(std::string("pipeline ") + info.name, result);
  set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, info.name);
  return PipelineHandle(device.handle, pipeline);
}

VkPhysicalDeviceProperties properties_of(const DeviceInfo& info) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(info.physical, &properties);
  return properties;
}

}  // namespace

Result<PipelineHandle> create_graphics_pipeline(const Device& device, const PassFormat& format, VkPipelineLayout layout,
                                                const GraphicsPipelineInfo& info) {
  const auto name = [&](const char* given, const char* end) { return given ? given : std::string(info.name) + end; };
  auto vertex = create_shader_module(device, info.vertex, name(info.vertex_name, ".vert"));
  if (!vertex) return vertex.error();
  const VkSpecializationMapEntry entry{0, 0, sizeof info.constant};
  const VkSpecializationInfo own{1, &entry, sizeof info.constant, &info.constant};
  const VkSpecializationInfo* constants = info.constants ? info.constants : &own;
  std::vector stages = {stage_of(VK_SHADER_STAGE_VERTEX_BIT, *vertex, constants)};
  ShaderModuleHandle fragment;
  if (!info.fragment.empty() && !info.discard) {  // Vulkan wants none without rasterization
    Status made = put(create_shader_module(device, info.fragment, name(info.fragment_name, ".frag")), fragment);
    if (!made) return made.error();
    stages.push_back(stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, fragment, constants));
  }
  return create(device, format, layout, info, stages);
}

Result<PipelineHandle> create_compute_pipeline(const Device& device, VkPipelineLayout layout,
                                               std::span<const uint32_t> spirv, const std::string& name) {
  auto module = create_shader_module(device, spirv, name + ".comp");
  if (!module) return module.error();
  VkComputePipelineCreateInfo create{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  create.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, *module, nullptr);
  create.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      vkCreateComputePipelines(device.handle, device.pipeline_cache, 1, &create, nullptr, &pipeline);
  if (result != VK_SUCCESS) return vulkan_error("pipeline " + name, result);
  set_name(device, VK_OBJECT_TYPE_PIPELINE, pipeline, name);
  return PipelineHandle(device.handle, pipeline);
}

std::string pipeline_cache_owner(const DeviceInfo& info) {
  const VkPhysicalDeviceProperties properties = properties_of(info);
  std::string owner = info.uuid + " " + info.driver + " " + std::to_string(properties.driverVersion) + " ";
  constexpr const char* kDigits = "0123456789abcdef";
  for (const uint8_t byte : properties.pipelineCacheUUID) owner += kDigits[byte >> 4], owner += kDigits[byte & 15];
  return owner;
}

bool is_pipeline_cache(const DeviceInfo& info, std::span<const std::byte> bytes) {
  VkPipelineCacheHeaderVersionOne header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  const VkPhysicalDeviceProperties properties = properties_of(info);
  const VkPipelineCacheHeaderVersion version = VK_PIPELINE_CACHE_HEADER_VERSION_ONE;  // the file may have any number
  return header.headerSize >= sizeof header && header.headerSize <= bytes.size() &&
         std::memcmp(&header.headerVersion, &version, sizeof version) == 0 && header.vendorID == properties.vendorID &&
         header.deviceID == properties.deviceID &&
         std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

void open_pipeline_cache(Device& device, std::span<const std::byte> bytes) {
  VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  if (is_pipeline_cache(device.info, bytes)) info.initialDataSize = bytes.size(), info.pInitialData = bytes.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  if (vkCreatePipelineCache(device.handle, &info, nullptr, &cache) != VK_SUCCESS) return;
  if (device.pipeline_cache) vkDestroyPipelineCache(device.handle, device.pipeline_cache, nullptr);
  device.pipeline_cache = cache;
  set_name(device, VK_OBJECT_TYPE_PIPELINE_CACHE, cache, "sinew.pipeline_cache");
}

std::vector<std::byte> pipeline_cache_bytes(const Device& device) {
  size_t size = 0;
  if (!device.pipeline_cache ||
      vkGetPipelineCacheData(device.handle, device.pipeline_cache, &size, nullptr) != VK_SUCCESS)
    return {};
  std::vector<std::byte> bytes(size);
  if (vkGetPipelineCacheData(device.handle, device.pipeline_cache, &size, bytes.data()) != VK_SUCCESS) return {};
  bytes.resize(size);
  if (size <= sizeof(VkPipelineCacheHeaderVersionOne)) bytes.clear();  // the head alone
  return bytes;
}

}  // namespace host
