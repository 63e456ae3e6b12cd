#include "kernels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "asset/error.h"
#include "sinew/vulkan/vulkan_error.h"

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
constexpr uint32_t kConstants = shared::kSkinConstants;
constexpr uint64_t kOtherSharedBytes = 16;  // an element of the array that a kernel does not use, and alignment

// Measured best: see benchmarks/results.
constexpr uint32_t kWorkgroupSize = 64, kInstancesPerThread = 8;
constexpr uint32_t kMinWorkgroups = 4096;
constexpr uint32_t kManyWorkgroups = 16384;  // with 11,600, 4 instances were 4 and 5 % faster than 8, on two GPUs
constexpr uint32_t kVendorAmd = 0x1002;
constexpr uint32_t kSlots = 2;                   // of shared memory, see store.glsl
constexpr uint32_t kMaxInstancesPerThread = 64;  // the kernel's loop is unrolled so many times

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

/// Without morph targets.
uint32_t influences_variant(size_t influences, bool by_influences) {
  uint32_t variant = by_influences ? 0 : kInfluenceVariants - 1;
  while (kKernelInfluences[variant] != 0 && kKernelInfluences[variant] < influences) ++variant;
  return variant;
}

/// Whether vertices pass through shared memory.
void choose_stores(const experimental::KernelTuning& tuning, const DeviceTable& table, KernelChoice& choice) {
  // AMD's GPUs write up to 16 bytes by one instruction at any multiple of 4: 12 bytes at once, others in two.
  const bool staged = tuning.stores == experimental::StorePath::kAuto
                          ? !table.is_cpu && table.vendor != kVendorAmd
                          : tuning.stores == experimental::StorePath::kStaged;
  choice.staged_stores = staged && choice.vertex_bytes() % sizeof(float[4]) != 0;
  if (choice.shared_bytes() + kOtherSharedBytes > table.max_shared_bytes) choice.staged_stores = false;
}

}  // namespace

// --- which ---

uint64_t KernelChoice::shared_bytes() const {
  return staged_stores ? uint64_t{kSlots} * workgroup_size * vertex_bytes() : 0;
}

KernelChoice choose_kernel(const SkinnerInfo& info, const experimental::KernelTuning& tuning,
                           const DeviceTable& table) {
  KernelChoice choice;
  choice.format = info.format;
  choice.tangents = info.tangents;
  choice.workgroup_size =
      std::min(tuning.workgroup_size != 0 ? tuning.workgroup_size : kWorkgroupSize, table.max_workgroup_size);
  const uint32_t instances = tuning.instances_per_thread != 0 ? tuning.instances_per_thread : kInstancesPerThread;
  choice.instances_per_thread = std::min(instances, kMaxInstancesPerThread);
  choice.min_workgroups = tuning.min_workgroups != 0 ? tuning.min_workgroups : table.is_cpu ? 1 : kMinWorkgroups;
  choice.many_workgroups = tuning.min_workgroups != 0 || table.is_cpu ? choice.min_workgroups : kManyWorkgroups;
  choice.by_influences = tuning.by_influences;
  choice.snorm_instruction = tuning.snorms == experimental::SnormPacking::kAuto
                                 ? table.vendor == kVendorAmd
                                 : tuning.snorms == experimental::SnormPacking::kInstruction;
  // Drivers on the CPU check and load storage buffers lane by lane, but gather texels of all lanes.
  const bool wanted = tuning.palettes == experimental::PaletteFetch::kAuto
                          ? table.is_cpu
                          : tuning.palettes == experimental::PaletteFetch::kTexel;
  choice.texel_palettes = wanted && table.max_texel_buffer_bytes >= table.max_page_bytes;
  choice.part = tuning.part;
  choose_stores(tuning, table, choice);
  return choice;
}

std::vector<uint8_t> kernels_of(const Mesh& mesh, const KernelChoice& choice, bool rigid) {
  std::vector<uint8_t> kernels(mesh.vertex_count());
  KernelVariant variant{.dual_quaternions = mesh.blend == Blend::kDualQuaternion, .rigid = rigid};
  for (uint32_t v = 0; v < kernels.size(); ++v) {
    variant.influences = influences_variant(mesh.influences_of(v).size(), choice.by_influences);
    kernels[v] = uint8_t(variant.index());
  }
  for (const MorphTarget& target : mesh.targets) {
    for (const uint32_t v : target.vertices) {
      variant = kernel_variant(kernels[v]);
      variant.morphs = true;
      kernels[v] = uint8_t(variant.index());
    }
  }
  return kernels;
}

uint32_t merged_kernel(uint32_t a, uint32_t b) {
  const KernelVariant one = kernel_variant(a), other = kernel_variant(b);
  return KernelVariant{std::max(one.influences, other.influences), one.morphs || other.morphs, one.dual_quaternions,
                       one.rigid}
      .index();
}

NeededKernels kernels_for(const ChunkTable& chunks, bool dual_quaternions, bool compact) {
  NeededKernels needed;
  needed[kConverterIndex] = dual_quaternions && !compact;
  needed[kExpanderIndex] = compact;
  for (uint32_t i = 0; i < kKernelCount; ++i) needed[i] = chunks[i].count != 0;
  return needed;
}

// --- pipelines ---

Result<Kernels::Built> Kernels::build(const NeededKernels& needed) {
  Built built = find(needed);
  if (Status status = build_missing(built); !status) return status.error();
  share(built);
  return built;
}

/// Those that are known already, and what the others are built from.
Kernels::Built Kernels::find(const NeededKernels& needed) {
  Built built;
  built.needed = needed;
  const std::lock_guard lock(mutex_);
  built.source = source_;
  for (uint32_t i = 0; i < kPipelineCount; ++i) {
    if (needed[i]) built.pipelines[i] = known_[i].lock();
  }
  return built;
}

/// Makes what was built known. Where another thread has built the same meanwhile, its pipeline is taken.
void Kernels::share(Built& built) {
  Pipelines superfluous;  // destroyed after the lock
  const std::lock_guard lock(mutex_);
  if (built.source != source_) return;  // reload() was faster: renew() builds them again
  for (uint32_t i = 0; i < kPipelineCount; ++i) {
    if (!built.needed[i]) continue;
    if (SharedPipeline known = known_[i].lock()) {
      superfluous[i] = std::exchange(built.pipelines[i], std::move(known));
    } else {
      known_[i] = built.pipelines[i];
    }
  }
}

Status Kernels::renew(Built& built) {
  if (built.source == source_) return {};  // only reload() changes it, and does not run
  return put_value(build(built.needed), built);
}

void Kernels::add(const Built& built) {
  for (uint32_t i = 0; i < kPipelineCount; ++i) {
    if (built.needed[i] && added_[i] == nullptr) added_[i] = built.pipelines[i];
  }
}

Result<Kernels::Pipelines> Kernels::reload(std::span<const uint32_t> spirv) {
  if (spirv.size() < kSpirvHeaderWords || spirv[0] != kSpirvMagic) {
    return Error{ErrorCode::kInvalidData, "skinning kernel: not SPIR-V"};
  }
  NeededKernels wanted;
  for (uint32_t i = 0; i < kKernelCount; ++i) wanted[i] = added_[i] != nullptr;
  Replacement source = std::make_shared<const std::vector<uint32_t>>(spirv.begin(), spirv.end());
  Pipelines variants;
  if (Status built = build_variants(*source, wanted, variants); !built) return built.error();
  const std::lock_guard lock(mutex_);
  source_ = std::move(source);
  for (uint32_t i = 0; i < kKernelCount; ++i) {
    known_[i] = variants[i];
    std::swap(added_[i], variants[i]);
  }
  return variants;
}

Status Kernels::build_missing(Built& built) const {
  NeededKernels missing;
  for (uint32_t i = 0; i < kKernelCount; ++i) missing[i] = built.needed[i] && built.pipelines[i] == nullptr;
  const std::span<const uint32_t> spirv = built.source ? std::span<const uint32_t>(*built.source) : kBuiltInKernel;
  if (Status status = build_variants(spirv, missing, built.pipelines); !status) return status;
  const auto build_helper_of = [&](uint32_t index, std::span<const uint32_t> helper, const char* name) -> Status {
    if (!built.needed[index] || built.pipelines[index] != nullptr) return {};
    return build_helper(helper, name, built.pipelines[index]);
  };
  if (Status status = build_helper_of(kConverterIndex, kConverter, "sinew.convert_palette"); !status) return status;
  return build_helper_of(kExpanderIndex, kExpander, "sinew.expand_palette");
}

Status Kernels::build_variants(std::span<const uint32_t> spirv, const NeededKernels& wanted, Pipelines& into) const {
  if (wanted.none()) return {};
  const Result<Owned<VkShaderModule>> module = make_module(*table_, spirv, "sinew.skin.shader");
  if (!module) return module.error();
  for (uint32_t i = 0; i < kKernelCount; ++i) {
    if (!wanted[i]) continue;
    const KernelVariant variant = kernel_variant(i);
    Status status = put_value(build_pipeline(module->get(), variant, kernel_name(variant)), into[i]);
    if (!status) return status;
  }
  return {};
}

Status Kernels::build_helper(std::span<const uint32_t> spirv, const char* name, SharedPipeline& into) const {
  const Result<Owned<VkShaderModule>> module = make_module(*table_, spirv, (std::string(name) + ".shader").c_str());
  if (!module) return module.error();
  return put_value(build_pipeline(module->get(), {}, name), into);
}

Result<SharedPipeline> Kernels::build_pipeline(VkShaderModule module, const KernelVariant& variant,
                                               const std::string& name) const {
  std::array<uint32_t, kConstants> values = {};
  values[shared::kConstantWorkgroupSize] = choice_.workgroup_size;
  values[shared::kConstantInstancesPerThread] = choice_.instances_per_thread;
  values[shared::kConstantInfluences] = kKernelInfluences[variant.influences];
  values[shared::kConstantTexelPalettes] = choice_.texel_palettes;
  values[shared::kConstantFormat] = uint32_t(choice_.format);
  values[shared::kConstantTangents] = choice_.tangents;
  values[shared::kConstantMorphs] = variant.morphs;
  values[shared::kConstantDualQuaternions] = variant.dual_quaternions;
  values[shared::kConstantRigid] = variant.rigid;
  values[shared::kConstantSnormInstruction] = choice_.snorm_instruction;
  values[shared::kConstantStagedStores] = choice_.staged_stores;
  values[shared::kConstantPart] = uint32_t(choice_.part);
  std::array<VkSpecializationMapEntry, kConstants> entries;
  for (uint32_t i = 0; i < kConstants; ++i) entries[i] = {i, i * uint32_t(sizeof(uint32_t)), sizeof(uint32_t)};
  const VkSpecializationInfo constants = {kConstants, entries.data(), sizeof values, values.data()};

  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = module,
                                                      .pName = "main",
                                                      .pSpecializationInfo = &constants},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      table_->CreateComputePipelines(table_->device, cache_, 1, &info, table_->allocation_callbacks(), &pipeline);
  if (result != VK_SUCCESS) return vulkan_error("vkCreateComputePipelines", result);
  Owned<VkPipeline> owned(*table_, pipeline, table_->DestroyPipeline);
  table_->name_object(VK_OBJECT_TYPE_PIPELINE, pipeline, name);
  return SharedPipeline(std::make_shared<const Owned<VkPipeline>>(std::move(owned)));
}

}  // namespace sinew::vulkan::internal

namespace sinew::vulkan {

std::span<const uint32_t> experimental::builtin_kernel() { return internal::kBuiltInKernel; }

}  // namespace sinew::vulkan
