#include "skin_pass.h"

#include <algorithm>
#include <array>
#include <string>

#include "shared/skinning.h"

namespace sinew::vulkan::internal {
namespace {

constexpr uint32_t kBuiltInKernel[] = {
#include "spirv/skin.comp.inc"
};
constexpr uint32_t kConverter[] = {
#include "spirv/convert_palette.comp.inc"
};
constexpr uint32_t kExpander[] = {
#include "spirv/expand_palette.comp.inc"
};
constexpr uint32_t kSpirvMagic = 0x07230203;
constexpr size_t kSpirvHeaderWords = 5;
constexpr uint32_t kBindings = shared::kSkinBindings;
constexpr uint32_t kConstants = shared::kSkinConstants;
constexpr size_t kMinPoolSets = 8;
constexpr uint32_t kPushBytes = std::max(
    {sizeof(shared::SkinPushConstants), sizeof(shared::ConvertPushConstants), sizeof(shared::ExpandPushConstants)});

// Measured best: see benchmarks/results.
constexpr uint32_t kWorkgroupSize = 64, kInstancesPerThread = 8;
constexpr uint32_t kMinWorkgroups = 4096;
constexpr uint32_t kVendorAmd = 0x1002;
constexpr uint32_t kMaxInstancesPerThread = 64;  // the kernel's loop is unrolled so many times

VkDescriptorType type_of(uint32_t binding) {
  return binding == shared::kBindingPaletteTexels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
                                                  : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

std::array<VkDescriptorSetLayoutBinding, kBindings> bindings() {
  std::array<VkDescriptorSetLayoutBinding, kBindings> result = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    result[i] = {
        .binding = i, .descriptorType = type_of(i), .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  }
  return result;
}

Result<Owned<VkShaderModule>> make_module(const DeviceTable& table, std::span<const uint32_t> spirv, const char* name) {
  const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = spirv.size_bytes(), .pCode = spirv.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  const VkResult result = table.CreateShaderModule(table.device, &info, table.allocation_callbacks(), &module);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateShaderModule", result);
  Owned<VkShaderModule> owned(table, module, table.DestroyShaderModule);  // naming it may throw
  table.name_object(VK_OBJECT_TYPE_SHADER_MODULE, module, name);
  return owned;
}

std::string kernel_name(const KernelVariant& variant) {
  const std::string name = std::string("sinew.skin") + (variant.morphs ? ".morph" : "") +
                           (variant.dual_quaternions ? ".dual_quaternion" : "") + (variant.rigid ? ".rigid" : "");
  return indexed(name, kKernelInfluences[variant.influences]);
}

}  // namespace

KernelChoice choose_kernel(const SkinnerInfo& info, const DeviceTable& table) {
  const experimental::KernelTuning& tuning = info.tuning;
  KernelChoice choice;
  choice.format = info.format;
  choice.tangents = info.tangents;
  choice.morph_targets = info.morph_targets;
  choice.dual_quaternions = info.dual_quaternions;
  choice.rigid_palettes = info.rigid_palettes;
  choice.compact_palettes = info.compact_palettes;
  choice.workgroup_size =
      std::min(tuning.workgroup_size != 0 ? tuning.workgroup_size : kWorkgroupSize, table.max_workgroup_size);
  const uint32_t instances = tuning.instances_per_thread != 0 ? tuning.instances_per_thread : kInstancesPerThread;
  choice.instances_per_thread = std::min(instances, kMaxInstancesPerThread);
  choice.min_workgroups = tuning.min_workgroups != 0 ? tuning.min_workgroups : table.is_cpu ? 1 : kMinWorkgroups;
  choice.by_influences = tuning.by_influences;
  choice.snorm_instruction = tuning.snorms == experimental::SnormPacking::kAuto
                                 ? table.vendor == kVendorAmd
                                 : tuning.snorms == experimental::SnormPacking::kInstruction;
  // Drivers on the CPU check and load storage buffers lane by lane, but gather texels of all lanes.
  const bool wanted = tuning.palettes == experimental::PaletteFetch::kAuto
                          ? table.is_cpu
                          : tuning.palettes == experimental::PaletteFetch::kTexel;
  choice.texel_palettes = wanted && table.max_texel_buffer_bytes >= table.max_page_bytes;
  return choice;
}

Result<SkinPass> SkinPass::create(const DeviceTable& table, const KernelChoice& choice, VkPipelineCache cache) {
  SkinPass pass(table, choice);
  if (Status status = pass.make_layouts(); !status) return status.error();
  Result<Kernels> kernels = pass.build_kernels(kBuiltInKernel, cache);
  if (!kernels) return kernels.error();
  pass.kernels_ = std::move(*kernels);
  if (Status status = pass.make_helpers(cache); !status) return status.error();
  return pass;
}

Status SkinPass::make_layouts() {
  const auto set_bindings = bindings();
  const VkDescriptorSetLayoutCreateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = kBindings,
                                                    .pBindings = set_bindings.data()};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  const VkAllocationCallbacks* callbacks = table_->allocation_callbacks();
  VkResult result = table_->CreateDescriptorSetLayout(table_->device, &set_info, callbacks, &set_layout);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorSetLayout", result);
  set_layout_ = {*table_, set_layout, table_->DestroyDescriptorSetLayout};
  table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, set_layout, "sinew.skin.set_layout");

  const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = 1,
                                           .pSetLayouts = &set_layout,
                                           .pushConstantRangeCount = 1,
                                           .pPushConstantRanges = &push};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  result = table_->CreatePipelineLayout(table_->device, &info, callbacks, &layout);
  if (result != VK_SUCCESS) return vulkan_error("vkCreatePipelineLayout", result);
  layout_ = {*table_, layout, table_->DestroyPipelineLayout};
  table_->name_object(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, "sinew.skin.layout");
  return {};
}

Result<Kernels> SkinPass::build_kernels(std::span<const uint32_t> spirv, VkPipelineCache cache) const {
  if (spirv.size() < kSpirvHeaderWords || spirv[0] != kSpirvMagic) {
    return Error{ErrorCode::kInvalidData, "skinning kernel: not SPIR-V"};
  }
  const Result<Owned<VkShaderModule>> module = make_module(*table_, spirv, "sinew.skin.shader");
  if (!module) return module.error();
  Kernels kernels;
  for (uint32_t kernel = 0; kernel < kKernelCount; ++kernel) {
    const KernelVariant variant = kernel_variant(kernel);
    if (variant.morphs && !choice_.morph_targets) continue;
    if (variant.dual_quaternions && !choice_.dual_quaternions) continue;
    if (variant.rigid && !choice_.rigid_palettes) continue;
    const PipelineSource source{module->get(), cache, variant, kernel_name(variant)};
    Result<Owned<VkPipeline>> built = build_pipeline(source);
    if (!built) return built.error();
    kernels[kernel] = std::move(*built);
  }
  return kernels;
}

Status SkinPass::make_helpers(VkPipelineCache cache) {
  if (choice_.dual_quaternions) {
    if (Status made = make_helper(kConverter, "sinew.convert_palette", cache, converter_); !made) return made;
  }
  return choice_.compact_palettes ? make_helper(kExpander, "sinew.expand_palette", cache, expander_) : Status();
}

Status SkinPass::make_helper(std::span<const uint32_t> spirv, const char* name, VkPipelineCache cache,
                             Owned<VkPipeline>& helper) const {
  const Result<Owned<VkShaderModule>> module = make_module(*table_, spirv, (std::string(name) + ".shader").c_str());
  if (!module) return module.error();
  Result<Owned<VkPipeline>> built = build_pipeline({module->get(), cache, {}, name});
  if (!built) return built.error();
  helper = std::move(*built);
  return {};
}

Result<Owned<VkPipeline>> SkinPass::build_pipeline(const PipelineSource& source) const {
  std::array<uint32_t, kConstants> values = {};
  values[shared::kConstantWorkgroupSize] = choice_.workgroup_size;
  values[shared::kConstantInstancesPerThread] = choice_.instances_per_thread;
  values[shared::kConstantInfluences] = kKernelInfluences[source.variant.influences];
  values[shared::kConstantTexelPalettes] = choice_.texel_palettes;
  values[shared::kConstantFormat] = uint32_t(choice_.format);
  values[shared::kConstantTangents] = choice_.tangents;
  values[shared::kConstantMorphs] = source.variant.morphs;
  values[shared::kConstantDualQuaternions] = source.variant.dual_quaternions;
  values[shared::kConstantRigid] = source.variant.rigid;
  values[shared::kConstantSnormInstruction] = choice_.snorm_instruction;
  std::array<VkSpecializationMapEntry, kConstants> entries;
  for (uint32_t i = 0; i < kConstants; ++i) entries[i] = {i, i * uint32_t(sizeof(uint32_t)), sizeof(uint32_t)};
  const VkSpecializationInfo constants = {kConstants, entries.data(), sizeof values, values.data()};

  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = source.module,
                                                      .pName = "main",
                                                      .pSpecializationInfo = &constants},
                                            .layout = layout_.get()};
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      table_->CreateComputePipelines(table_->device, source.cache, 1, &info, table_->allocation_callbacks(), &pipeline);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateComputePipelines", result);
  Owned<VkPipeline> owned(*table_, pipeline, table_->DestroyPipeline);
  table_->name_object(VK_OBJECT_TYPE_PIPELINE, pipeline, source.name);
  return owned;
}

Status SkinPass::ensure_sets(InputSets& slot, size_t count, uint32_t slot_index) const {
  if (slot.sets.size() >= count) return {};
  const size_t existing = slot.sets.size(), more = std::max({count - existing, existing, kMinPoolSets});
  slot.pools.reserve(slot.pools.size() + 1);
  slot.sets.reserve(existing + more);
  const std::vector<VkDescriptorSetLayout> layouts(more, set_layout_.get());
  std::vector<VkDescriptorSet> sets(more);

  Result<Owned<VkDescriptorPool>> pool = make_pool(uint32_t(more));
  if (!pool) return pool.error();
  const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool->get(),
                                            .descriptorSetCount = uint32_t(more),
                                            .pSetLayouts = layouts.data()};
  const VkResult result = table_->AllocateDescriptorSets(table_->device, &info, sets.data());
  if (result != VK_SUCCESS) return vulkan_error("vkAllocateDescriptorSets", result);

  table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_POOL, pool->get(), indexed("sinew.skin.sets", slot_index));
  for (size_t i = 0; i < more; ++i) {
    table_->name_object(VK_OBJECT_TYPE_DESCRIPTOR_SET, sets[i],
                        indexed(indexed("sinew.skin.set", slot_index), existing + i));
  }
  slot.pools.push_back(std::move(*pool));
  slot.sets.insert(slot.sets.end(), sets.begin(), sets.end());
  return {};
}

Result<Owned<VkDescriptorPool>> SkinPass::make_pool(uint32_t sets) const {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * (kBindings - 1)},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sets}};
  const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = sets, .poolSizeCount = 2, .pPoolSizes = sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  const VkResult result = table_->CreateDescriptorPool(table_->device, &info, table_->allocation_callbacks(), &pool);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateDescriptorPool", result);
  return Owned<VkDescriptorPool>(*table_, pool, table_->DestroyDescriptorPool);
}

void SkinPass::write_set(VkDescriptorSet set, const BoundPages& pages) const {
  std::array<VkDescriptorBufferInfo, kBindings> parts = {};
  const auto bound = [](const BufferPart& part) {
    return VkDescriptorBufferInfo{part.buffer, part.offset, part.size_bytes};
  };
  parts[shared::kBindingMeshes] = bound(pages.meshes);
  parts[shared::kBindingPalettes] = bound(pages.palettes);
  parts[shared::kBindingSkinned] = bound(pages.vertices);
  parts[shared::kBindingJobs] = bound(pages.jobs);
  std::array<VkWriteDescriptorSet, kBindings> writes = {};
  for (uint32_t i = 0; i < kBindings; ++i) {
    writes[i] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                 .dstSet = set,
                 .dstBinding = i,
                 .descriptorCount = 1,
                 .descriptorType = type_of(i),
                 .pBufferInfo = &parts[i],
                 .pTexelBufferView = &pages.palette_texels};
  }
  table_->UpdateDescriptorSets(table_->device, kBindings, writes.data(), 0, nullptr);
}

void SkinPass::bind_set(VkCommandBuffer cmd, VkDescriptorSet set) const {
  table_->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout_.get(), 0, 1, &set, 0, nullptr);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Dispatch& dispatch) const {
  const shared::SkinPushConstants push = {dispatch.first_job, dispatch.instances_per_thread};
  table_->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, kernels_[dispatch.kernel].get());
  table_->CmdPushConstants(cmd, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  table_->CmdDispatch(cmd, dispatch.workgroups_x, dispatch.workgroups_y, 1);
}

/// A thread for each of an instance's `entries`. Workgroups beyond the limit in x go on in y.
template <class PushConstants>
void SkinPass::dispatch_helper(VkCommandBuffer cmd, VkPipeline helper, const PushConstants& push,
                               uint32_t entries) const {
  const uint64_t threads = uint64_t{entries} * push.instance_count;
  const uint64_t groups = (threads + choice_.workgroup_size - 1) / choice_.workgroup_size;
  const uint64_t x = std::min<uint64_t>(groups, table_->max_workgroups_x), y = (groups + x - 1) / x;
  table_->CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, helper);
  table_->CmdPushConstants(cmd, layout_.get(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
  table_->CmdDispatch(cmd, uint32_t(x), uint32_t(y), 1);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Conversion& conversion) const {
  dispatch_helper(cmd, converter_.get(), conversion.push, conversion.push.palette_size);
}

void SkinPass::dispatch(VkCommandBuffer cmd, const Expansion& expansion) const {
  dispatch_helper(cmd, expander_.get(), expansion.push, expansion.push.palette_size + expansion.push.weight_rows);
}

}  // namespace sinew::vulkan::internal

namespace sinew::vulkan {

std::span<const uint32_t> experimental::builtin_kernel() { return internal::kBuiltInKernel; }

}  // namespace sinew::vulkan
