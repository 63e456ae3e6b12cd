#include "draw_pass.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <glm/matrix.hpp>

#include "labels.h"
#include "shared/crowd.h"

namespace sinew::app {
namespace {

constexpr VkShaderStageFlags kPushStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr uint32_t kVertexBinding = 0, kInstanceBinding = 1;

void write_buffer(const Device& device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                  const VkDescriptorBufferInfo& info) {
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = type;
  write.pBufferInfo = &info;
  vkUpdateDescriptorSets(device.handle, 1, &write, 0, nullptr);
}

/// The haze swallows what is far beyond the place, or beyond what can be told apart.
float fog_density(const Scene& scene) {
  const float reach = std::clamp(scene.radius, 12.0f, 70.0f);
  return 0.25f / reach;
}

shared::FrameUniforms make_uniforms(const Scene& scene, const Orbit& camera, float aspect) {
  shared::FrameUniforms uniforms;
  uniforms.clip_from_world = clip_from_world(camera, aspect);
  uniforms.world_from_clip = glm::inverse(uniforms.clip_from_world);
  uniforms.eye = glm::vec4(eye_of(camera), 1);
  uniforms.sun = glm::vec4(glm::normalize(glm::vec3(0.62f, 0.62f, 0.28f)), 0);
  uniforms.fog_density = fog_density(scene);
  uniforms.crowd_radius = std::max(scene.radius, 1.0f);
  return uniforms;
}

}  // namespace

Result<DrawPass> DrawPass::create(const Device& device, std::span<const Model> models, const Scene& scene,
                                  const Skinning& skinning, const PipelineLayouts& layouts, uint32_t slots) {
  DrawPass pass;
  pass.device_ = &device;
  pass.layouts_ = &layouts;
  pass.mode_ = skinning.mode();
  pass.instance_count_ = uint32_t(scene.instances.size());
  auto buffers = create_model_buffers(device, models, skinning, layouts.material.get());
  if (!buffers) return buffers.error();
  pass.buffers_ = std::move(*buffers);
  auto list = create_draw_list(device, scene, pass.buffers_, skinning.ranges(), pass.mode_);
  if (!list) return list.error();
  pass.list_ = std::move(*list);
  for (uint32_t model = 0; model < models.size(); ++model) {
    pass.vertex_counts_.push_back(models[model].character.mesh.vertex_count());
    pass.influence_groups_.push_back(pass.mode_ == SkinningMode::kVertex ? skinning.mesh_buffer(model).influence_groups
                                                                         : 0);
  }
  if (Status created = pass.create_slots(slots, skinning.ranges().size()); !created) return created.error();
  return pass;
}

Status DrawPass::create_slots(uint32_t slots, size_t range_count) {
  const uint32_t palette_sets = mode_ == SkinningMode::kVertex ? uint32_t(range_count) : 0;
  const std::array sizes = {
      VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, slots},
      VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(slots * palette_sets, 1u)}};
  VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool_info.maxSets = slots * (1 + palette_sets);
  pool_info.poolSizeCount = uint32_t(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (VkResult result = vkCreateDescriptorPool(device_->handle, &pool_info, nullptr, &pool); result != VK_SUCCESS)
    return vulkan_error("descriptor pool of the frames", result);
  pool_ = DescriptorPoolHandle(device_->handle, pool);
  set_name(*device_, VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool, "sinew.frame_sets");

  std::vector<VkDescriptorSetLayout> layouts(1 + palette_sets, layouts_->palettes.get());
  layouts[0] = layouts_->frame.get();
  for (uint32_t i = 0; i < slots; ++i) {
    DrawSlot& slot = slots_.emplace_back();
    const std::string name = "sinew.frame_uniforms[" + std::to_string(i) + "]";
    auto uniforms = create_buffer(*device_, sizeof(shared::FrameUniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
                                  MemoryKind::kUpload, name);
    if (!uniforms) return uniforms.error();
    slot.uniforms = std::move(*uniforms);
    slot.palette_sets.resize(layouts.size());
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pool;
    info.descriptorSetCount = uint32_t(layouts.size());
    info.pSetLayouts = layouts.data();
    VkResult result = vkAllocateDescriptorSets(device_->handle, &info, slot.palette_sets.data());
    if (result != VK_SUCCESS) return vulkan_error("descriptor sets of the frames", result);
    slot.frame_set = slot.palette_sets.front();
    slot.palette_sets.erase(slot.palette_sets.begin());
    const std::string index = "[" + std::to_string(i) + "]";
    set_name(*device_, VK_OBJECT_TYPE_DESCRIPTOR_SET, slot.frame_set, "sinew.frame_set" + index);
    for (VkDescriptorSet set : slot.palette_sets)
      set_name(*device_, VK_OBJECT_TYPE_DESCRIPTOR_SET, set, "sinew.palette_set" + index);
    write_buffer(*device_, slot.frame_set, shared::kBindingFrame, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                 {slot.uniforms.get(), 0, sizeof(shared::FrameUniforms)});
  }
  return {};
}

Status DrawPass::set_shaders(const PassFormat& format, const ShaderWords& words) {
  auto pipelines = create_pipelines(*device_, *layouts_, format, mode_, words);
  if (!pipelines) return pipelines.error();
  pipelines_ = std::move(*pipelines);
  return {};
}

void DrawPass::prepare(uint32_t slot, const Scene& scene, std::span<const SkinnedRange> ranges, const Orbit& camera,
                       float aspect) {
  DrawSlot& own = slots_[slot];
  const shared::FrameUniforms uniforms = make_uniforms(scene, camera, aspect);
  std::memcpy(own.uniforms.mapped, &uniforms, sizeof uniforms);
  for (size_t i = 0; i < own.palette_sets.size(); ++i) {
    write_buffer(*device_, own.palette_sets[i], shared::kBindingVertexPalettes, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                 {ranges[i].palette_buffer, ranges[i].palette_offset, ranges[i].palettes.size_bytes()});
  }
}

void DrawPass::record(VkCommandBuffer cmd, uint32_t slot, VkRenderPass render_pass, const Target& target,
                      std::span<const SkinnedRange> ranges) const {
  const Label label(*device_, cmd, "sinew draw " + std::to_string(instance_count_) + " characters", 0.3f, 0.6f, 1);
  std::array<VkClearValue, 2> clear{};
  clear[1].depthStencil.depth = 1;
  VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
  begin.renderPass = render_pass;
  begin.framebuffer = target.framebuffer.get();
  begin.renderArea.extent = {target.width, target.height};
  begin.clearValueCount = uint32_t(clear.size());
  begin.pClearValues = clear.data();
  vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkViewport viewport{0, 0, float(target.width), float(target.height), 0, 1};
  vkCmdSetViewport(cmd, 0, 1, &viewport);
  vkCmdSetScissor(cmd, 0, 1, &begin.renderArea);
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetFrame, 1,
                          &slots_[slot].frame_set, 0, nullptr);
  {
    const Label ground(*device_, cmd, "ground and shadows", 0.6f, 0.5f, 0.4f);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.backdrop.get());
    vkCmdDraw(cmd, 3, 1, 0, 0);
    const VkBuffer instances = list_.instances.get();
    const VkDeviceSize zero = 0;
    vkCmdBindVertexBuffers(cmd, kInstanceBinding, 1, &instances, &zero);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.shadow.get());
    vkCmdDraw(cmd, 4, instance_count_, 0, 0);
  }
  record_crowd(cmd, slot, ranges);
  vkCmdEndRenderPass(cmd);
}

void DrawPass::record_crowd(VkCommandBuffer cmd, uint32_t slot, std::span<const SkinnedRange> ranges) const {
  const Label label(*device_, cmd, "crowd", 0.2f, 0.8f, 0.5f);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines_.crowd.get());
  vkCmdBindIndexBuffer(cmd, buffers_.indices.get(), 0, VK_INDEX_TYPE_UINT32);
  uint32_t bound_range = UINT32_MAX;
  for (const DrawGroup& group : list_.groups) {
    const SkinnedRange& range = ranges[group.range];
    if (group.range != bound_range && mode_ == SkinningMode::kVertex)
      vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetPalettes, 1,
                              &slots_[slot].palette_sets[group.range], 0, nullptr);
    if (group.range != bound_range && mode_ != SkinningMode::kVertex)
      vkCmdBindVertexBuffers(cmd, kVertexBinding, 1, &range.vertices, &range.vertices_offset);
    bound_range = group.range;
    record_group(cmd, group);
  }
}

void DrawPass::record_group(VkCommandBuffer cmd, const DrawGroup& group) const {
  const MaterialDraw& material = buffers_.materials[group.model][group.material];
  vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layouts_->pipeline.get(), shared::kSetMaterial, 1,
                          &material.set, 0, nullptr);
  const Vec4 base = material.base_color;
  const shared::DrawPushConstants push{
      {base.x, base.y, base.z, base.w}, vertex_counts_[group.model], influence_groups_[group.model]};
  vkCmdPushConstants(cmd, layouts_->pipeline.get(), kPushStages, 0, sizeof push, &push);
  const DeviceInfo& info = device_->info;
  if (!info.multi_draw_indirect || !info.draw_indirect_first_instance) {
    for (const auto& draw : std::span(list_.direct).subspan(group.first_command, group.command_count))
      vkCmdDrawIndexed(cmd, draw.indexCount, draw.instanceCount, draw.firstIndex, draw.vertexOffset,
                       draw.firstInstance);
    return;
  }
  constexpr uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
  for (uint32_t done = 0; done < group.command_count;) {
    const uint32_t count = std::min(group.command_count - done, info.limits.maxDrawIndirectCount);
    vkCmdDrawIndexedIndirect(cmd, list_.commands.get(), VkDeviceSize(group.first_command + done) * kStride, count,
                             kStride);
    done += count;
  }
}

}  // namespace sinew::app
