// What a driver's compiler says of a pipeline: VK_KHR_pipeline_executable_properties.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gpu/host.h"

namespace sinew::isa {

/// Of one shader of a pipeline. 0: the driver does not say.
struct ShaderStatistics {
  std::string stage;  // vertex, fragment or compute; else as the driver names it
  uint64_t instructions = 0, code_bytes = 0;
  uint64_t vector_registers = 0, scalar_registers = 0, subgroups_per_simd = 0;
  uint64_t spilled_registers = 0, scratch_bytes = 0;
  std::map<std::string, uint64_t> kinds;  // instructions by kind, as the driver names them: VALU, SMEM and so on
};

/// The pipeline must have been created with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR.
std::vector<ShaderStatistics> read_statistics(const app::Device& device, VkPipeline pipeline);

}  // namespace sinew::isa
