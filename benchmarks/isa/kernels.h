// The skinning kernel as a driver compiles it, in each of its variants.
#pragma once

#include <string>
#include <vector>

#include "gpu/host.h"
#include "sinew/asset/result.h"
#include "statistics.h"

namespace sinew::isa {

/// One variant of the kernel. Instructions and registers are those of kInstancesPerThread instances.
struct KernelRow {
  std::string kernel;       // "linear", "morph", "dual quaternion", "tangents", "12 bytes" and so on
  uint32_t influences = 0;  // at most, of a vertex; 0: any number
  bool rigid = false;       // for palettes that are rigid
  ShaderStatistics shader;
  /// Instructions of one more vertex and instance; none where the loop over instances is not unrolled.
  std::optional<double> marginal_instructions;
};

inline constexpr uint32_t kInstancesPerThread = 8;

/// The device must have pipeline_statistics.
Result<std::vector<KernelRow>> compile_kernels(const app::Device& device);

}  // namespace sinew::isa
