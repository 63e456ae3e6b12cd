#include "statistics.h"

#include <string_view>
#include <utility>

namespace sinew::isa {
namespace {

/// The names that Mesa's drivers use.
constexpr std::pair<std::string_view, uint64_t ShaderStatistics::*> kFields[] = {
    {"Instructions", &ShaderStatistics::instructions},
    {"Instruction count", &ShaderStatistics::instructions},
    {"Code size", &ShaderStatistics::code_bytes},
    {"Code Size", &ShaderStatistics::code_bytes},
    {"VGPRs", &ShaderStatistics::vector_registers},
    {"Number of GPRs", &ShaderStatistics::vector_registers},
    {"SGPRs", &ShaderStatistics::scalar_registers},
    {"Subgroups per SIMD", &ShaderStatistics::subgroups_per_simd},
    {"Spilled VGPRs", &ShaderStatistics::spilled_registers},
    {"Spilled SGPRs", &ShaderStatistics::spilled_registers},
    {"Spills to memory", &ShaderStatistics::spilled_registers},
    {"Scratch size", &ShaderStatistics::scratch_bytes},
    {"SLM Size", &ShaderStatistics::scratch_bytes},
};

constexpr std::string_view kKinds[] = {"VALU", "SALU", "VMEM", "SMEM", "VOPD", "Copies", "Branches"};

std::string stage_of(const VkPipelineExecutablePropertiesKHR& shader) {
  if (shader.stages == VK_SHADER_STAGE_VERTEX_BIT) return "vertex";
  if (shader.stages == VK_SHADER_STAGE_FRAGMENT_BIT) return "fragment";
  if (shader.stages == VK_SHADER_STAGE_COMPUTE_BIT) return "compute";
  return shader.name;
}

uint64_t value_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
      return uint64_t(statistic.value.f64);
    default:
      return statistic.value.u64;
  }
}

}  // namespace

std::vector<ShaderStatistics> read_statistics(const app::Device& device, VkPipeline pipeline) {
  const VkPipelineInfoKHR of_pipeline{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
  uint32_t shaders = 0;
  vkGetPipelineExecutablePropertiesKHR(device.handle, &of_pipeline, &shaders, nullptr);
  std::vector<VkPipelineExecutablePropertiesKHR> properties(shaders,
                                                            {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR});
  vkGetPipelineExecutablePropertiesKHR(device.handle, &of_pipeline, &shaders, properties.data());
  std::vector<ShaderStatistics> result(shaders);
  for (uint32_t shader = 0; shader < shaders; ++shader) {
    result[shader].stage = stage_of(properties[shader]);
    const VkPipelineExecutableInfoKHR of_shader{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline,
                                                shader};
    uint32_t count = 0;
    vkGetPipelineExecutableStatisticsKHR(device.handle, &of_shader, &count, nullptr);
    std::vector<VkPipelineExecutableStatisticKHR> all(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    vkGetPipelineExecutableStatisticsKHR(device.handle, &of_shader, &count, all.data());
    for (const VkPipelineExecutableStatisticKHR& statistic : all) {
      for (const auto& [name, field] : kFields) {
        if (name == statistic.name) result[shader].*field += value_of(statistic);
      }
      for (const std::string_view kind : kKinds) {
        if (kind == statistic.name) result[shader].kinds[std::string(kind)] = value_of(statistic);
      }
    }
  }
  return result;
}

}  // namespace sinew::isa
