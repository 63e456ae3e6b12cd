#include "kernels.h"

#include <array>
#include <optional>

#include "gpu/host.h"
#include "shared/skinning.h"
#include "sinew/experimental/kernel.h"

namespace sinew::isa {
namespace {

constexpr uint32_t kFewInstances = 4, kManyInstances = 16;  // the marginal cost is the slope between them
constexpr uint32_t kWorkgroupSize = 64;                     // the library's default
constexpr uint32_t kVendorAmd = 0x1002;                     // its GPUs pack two snorms by one instruction

using Constants = std::array<uint32_t, shared::kSkinConstants>;

/// What differs from linear skinning into 16 bytes, with vertices that do not pass through shared memory.
struct Variant {
  const char* name;
  uint32_t format = shared::kFormatOctahedral;
  bool tangents = false;
  std::optional<uint32_t> constant = {};  // another that is 1
  bool staged = false;
};

constexpr Variant kVariants[] = {
    {.name = "linear"},
    {.name = "linear", .constant = shared::kConstantRigid},
    {.name = "12 bytes", .format = shared::kFormatPacked},
    {.name = "12 bytes, staged", .format = shared::kFormatPacked, .staged = true},
    {.name = "tangents", .tangents = true},
    {.name = "tangents, staged", .tangents = true, .staged = true},
    {.name = "24 bytes", .format = shared::kFormatFloat},
    {.name = "24 bytes, staged", .format = shared::kFormatFloat, .staged = true},
    {.name = "28 bytes", .format = shared::kFormatFloat, .tangents = true},
    {.name = "28 bytes, staged", .format = shared::kFormatFloat, .tangents = true, .staged = true},
    {.name = "morph", .constant = shared::kConstantMorphs},
    {.name = "dual quaternion", .constant = shared::kConstantDualQuaternions},
};
constexpr uint32_t kInfluences[] = {1, 2, 3, 4, 8, 0};

/// What every variant needs.
struct Compiler {
  const app::Device& device;
  app::DescriptorSetLayoutHandle set;
  app::PipelineLayoutHandle layout;
  app::ShaderModuleHandle module;
};

Result<Compiler> make_compiler(const app::Device& device) {
  Compiler compiler{device, {}, {}, {}};
  std::array<VkDescriptorSetLayoutBinding, shared::kSkinBindings> bindings{};
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    const bool texels = i == shared::kBindingPaletteTexels;
    bindings[i] = {i, texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                   VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = uint32_t(bindings.size()), set_info.pBindings = bindings.data();
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  if (VkResult result = vkCreateDescriptorSetLayout(device.handle, &set_info, nullptr, &set); result != VK_SUCCESS)
    return app::vulkan_error("descriptor set layout of the kernel", result);
  compiler.set = app::DescriptorSetLayoutHandle(device.handle, set);
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(shared::SkinPushConstants)};
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set;
  layout_info.pushConstantRangeCount = 1, layout_info.pPushConstantRanges = &push;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  if (VkResult result = vkCreatePipelineLayout(device.handle, &layout_info, nullptr, &layout); result != VK_SUCCESS)
    return app::vulkan_error("pipeline layout of the kernel", result);
  compiler.layout = app::PipelineLayoutHandle(device.handle, layout);
  const auto words = vulkan::experimental::builtin_kernel();
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = words.size_bytes(), module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  if (VkResult result = vkCreateShaderModule(device.handle, &module_info, nullptr, &module); result != VK_SUCCESS)
    return app::vulkan_error("shader of the kernel", result);
  compiler.module = app::ShaderModuleHandle(device.handle, module);
  return compiler;
}

/// As the library chooses.
bool packs_snorms(const app::Device& device) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device.info.physical, &properties);
  return properties.vendorID == kVendorAmd;
}

Result<ShaderStatistics> compile(const Compiler& compiler, const Constants& values) {
  std::array<VkSpecializationMapEntry, shared::kSkinConstants> entries;
  for (uint32_t i = 0; i < entries.size(); ++i) entries[i] = {i, i * uint32_t(sizeof values[0]), sizeof values[0]};
  const VkSpecializationInfo constants{uint32_t(entries.size()), entries.data(), sizeof values, values.data()};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = compiler.module.get(), info.stage.pName = "main", info.stage.pSpecializationInfo = &constants;
  info.layout = compiler.layout.get();
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (VkResult result = vkCreateComputePipelines(compiler.device.handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
      result != VK_SUCCESS)
    return app::vulkan_error("pipeline of the kernel", result);
  const app::PipelineHandle owned(compiler.device.handle, pipeline);
  std::vector<ShaderStatistics> shaders = read_statistics(compiler.device, pipeline);
  if (shaders.empty()) return Error{ErrorCode::kUnsupported, "the driver says nothing of the pipeline"};
  return std::move(shaders.front());
}

Result<KernelRow> compile_row(const Compiler& compiler, const Variant& variant, uint32_t influences) {
  Constants values{};
  values[shared::kConstantWorkgroupSize] = kWorkgroupSize;
  values[shared::kConstantInfluences] = influences;
  values[shared::kConstantFormat] = variant.format;
  values[shared::kConstantTangents] = variant.tangents;
  values[shared::kConstantStagedStores] = variant.staged;
  if (variant.constant) values[*variant.constant] = 1;
  values[shared::kConstantSnormInstruction] = packs_snorms(compiler.device);
  ShaderStatistics by_instances[3];
  constexpr uint32_t kInstances[3] = {kInstancesPerThread, kFewInstances, kManyInstances};
  for (int i = 0; i < 3; ++i) {
    values[shared::kConstantInstancesPerThread] = kInstances[i];
    auto compiled = compile(compiler, values);
    if (!compiled) return compiled.error();
    by_instances[i] = std::move(*compiled);
  }
  KernelRow row{variant.name, influences, variant.constant == shared::kConstantRigid, by_instances[0], {}};
  const double more = double(by_instances[2].instructions) - double(by_instances[1].instructions);
  if (more > 0) row.marginal_instructions = more / (kManyInstances - kFewInstances);
  return row;
}

}  // namespace

Result<std::vector<KernelRow>> compile_kernels(const app::Device& device) {
  const auto compiler = make_compiler(device);
  if (!compiler) return compiler.error();
  std::vector<KernelRow> rows;
  for (const Variant& variant : kVariants) {
    for (const uint32_t influences : kInfluences) {
      auto row = compile_row(*compiler, variant, influences);
      if (!row) return row.error();
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

}  // namespace sinew::isa
