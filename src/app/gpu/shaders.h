// The program's shaders: compiled ones built in, and their sources for reloading while it runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sinew/asset/result.h"

namespace sinew::app {

enum class Shader : uint8_t {
  kSkin,  // the library's kernel; its built-in words are the library's too
  kCrowdVertex,
  kCrowdDepth,
  kSkinnedVertex,
  kSkinnedDepth,
  kCrowdFragment,
  kBackdropVertex,
  kBackdropFragment,
  kShadowVertex,
  kShadowFragment,
  kCount,
};

/// The source's name in shaders/.
const char* source_name(Shader shader);

/// SPIR-V as it was built in. Empty for Shader::kSkin.
std::span<const uint32_t> builtin_words(Shader shader);

/// Compiles the source as it is now. The error holds the compiler's messages, several lines maybe.
Result<std::vector<uint32_t>> compile_shader(Shader shader);

/// Tells when sources change. Watches nothing where the sources are not there.
class ShaderWatch {
 public:
  ShaderWatch();

  /// The shaders whose source, or anything they include, was written since the last call.
  std::vector<Shader> changed();

 private:
  std::vector<std::filesystem::file_time_type> times_;  // of each shader, and one for shared/
};

}  // namespace sinew::app
