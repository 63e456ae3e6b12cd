// The program's shaders: built-in SPIR-V, and the sources for reloading while the program runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

enum class Shader : uint8_t {
  kSkin,  // the library's kernel: vulkan::experimental::builtin_kernel()
  kCrowdVertex,
  kCrowdTangentVertex,
  kCrowdDepth,
  kCrowdPulled,
  kCrowdDepthPulled,
  kSkinVertex,
  kSkinDepth,
  kVelocityVertex,
  kVelocityPulled,
  kCrowdFragment,
  kCrowdMask,
  kVelocityFragment,
  kBackdropVertex,
  kBackdropFragment,
  kSoftShadowVertex,
  kSoftShadowFragment,
  kStandVertex,
  kStandFragment,
  kLinesVertex,
  kLinesFragment,
  kOverlayVertex,
  kOverlayFragment,
  kCount,
};

/// The file name of the source in shaders/.
const char* source_name(Shader shader);

/// The built-in SPIR-V. Empty for Shader::kSkin.
std::span<const uint32_t> builtin_words(Shader shader);

/// Of SPIR-V, with its declarations: the same code has the same number.
uint32_t instruction_count(std::span<const uint32_t> spirv);

/// Compiles the source file in its current state. The error holds the compiler's messages, maybe several lines.
Result<std::vector<uint32_t>> compile_shader(Shader shader);

/// Tells which sources have changed. Reports no change where the source files do not exist.
class ShaderWatch {
 public:
  ShaderWatch();

  /// The shaders whose source was written since the last call; all shaders where a file in shaders/shared was.
  std::vector<Shader> changed();

 private:
  std::vector<std::filesystem::file_time_type> times_;  // of each shader's source, then the newest in shared/
};

}  // namespace sinew::app
