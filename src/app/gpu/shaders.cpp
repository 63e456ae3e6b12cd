#include "gpu/shaders.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>

#include "system/paths.h"

#if SINEW_HAS_SHADERC
#include <shaderc/shaderc.hpp>
#endif

namespace sinew::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCount = size_t(Shader::kCount);

/// The sources, in the order of Shader.
constexpr std::array<const char*, kCount> kNames = {"skin.comp",          "crowd.vert",
                                                    "crowd_tangent.vert", "crowd_depth.vert",
                                                    "crowd_pulled.vert",  "crowd_depth_pulled.vert",
                                                    "skin.vert",          "skin_depth.vert",
                                                    "velocity.vert",      "velocity_pulled.vert",
                                                    "crowd.frag",         "crowd_mask.frag",
                                                    "velocity.frag",      "backdrop.vert",
                                                    "backdrop.frag",      "soft_shadow.vert",
                                                    "soft_shadow.frag",   "stand.vert",
                                                    "stand.frag",         "lines.vert",
                                                    "lines.frag",         "overlay.vert",
                                                    "overlay.frag"};

struct BuiltinShader {
  std::string_view name;  // of the source
  std::span<const uint32_t> words;
};
#include "builtin_shaders.inc"  // kBuiltinShaders, as CMakeLists.txt lists the sources that draw
static_assert(std::size(kBuiltinShaders) == kCount - 1);

bool has_sources() { return !source_folder().empty(); }
fs::path folder() { return source_folder() / "shaders"; }

#if SINEW_HAS_SHADERC

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The file that an include directive names, or an error message. Owned by shaderc until ReleaseInclude().
struct Included {
  std::string name, text;
  shaderc_include_result result{};
};

class Includer : public shaderc::CompileOptions::IncluderInterface {
 public:
  shaderc_include_result* GetInclude(const char* requested, shaderc_include_type, const char*, size_t) override {
    auto included = std::make_unique<Included>();
    const auto text = read_text(folder() / requested);
    included->name = text ? requested : "";  // an empty name tells shaderc that this is an error
    included->text = text ? *text : "cannot read " + utf8_of(folder() / requested);
    included->result = {included->name.c_str(), included->name.size(), included->text.c_str(), included->text.size(),
                        included.get()};
    return &included.release()->result;
  }
  void ReleaseInclude(shaderc_include_result* result) override { delete static_cast<Included*>(result->user_data); }
};

shaderc_shader_kind kind_of(const std::string& name) {
  if (name.ends_with(".comp")) return shaderc_glsl_compute_shader;
  return name.ends_with(".vert") ? shaderc_glsl_vertex_shader : shaderc_glsl_fragment_shader;
}

#endif

fs::file_time_type written(const fs::path& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  return error ? fs::file_time_type::min() : time;
}

/// The newest write time of the files that shaders include.
fs::file_time_type shared_written() {
  fs::file_time_type newest = fs::file_time_type::min();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder() / "shared", error))
    newest = std::max(newest, written(entry.path()));
  return newest;
}

std::vector<fs::file_time_type> all_written() {
  std::vector<fs::file_time_type> times;
  for (const char* name : kNames) times.push_back(written(folder() / name));
  times.push_back(shared_written());
  return times;
}

}  // namespace

const char* source_name(Shader shader) { return kNames[size_t(shader)]; }

std::span<const uint32_t> builtin_words(Shader shader) {
  const auto* const found = std::ranges::find(kBuiltinShaders, source_name(shader), &BuiltinShader::name);
  return found == std::end(kBuiltinShaders) ? std::span<const uint32_t>() : found->words;
}

uint32_t instruction_count(std::span<const uint32_t> spirv) {
  constexpr size_t kHeaderWords = 5;
  uint32_t count = 0;
  for (size_t at = kHeaderWords; at < spirv.size(); ++count)
    at += std::max(spirv[at] >> 16, 1u);  // its length in words
  return count;
}

#if SINEW_HAS_SHADERC

Result<std::vector<uint32_t>> compile_shader(Shader shader) {
  const std::string name = source_name(shader);
  if (!has_sources()) return Error{ErrorCode::kNotFound, name + ": the program's sources are not here"};
  const auto source = read_text(folder() / name);
  if (!source) return Error{ErrorCode::kUnreadable, "cannot read " + utf8_of(folder() / name)};
  shaderc::CompileOptions options;
  options.SetTargetEnvironment(shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_2);
  options.SetOptimizationLevel(shaderc_optimization_level_performance);
  options.SetGenerateDebugInfo();
  options.SetIncluder(std::make_unique<Includer>());
  const shaderc::Compiler compiler;
  const auto compiled = compiler.CompileGlslToSpv(*source, kind_of(name), name.c_str(), options);
  if (compiled.GetCompilationStatus() != shaderc_compilation_status_success)
    return Error{ErrorCode::kInvalidData, compiled.GetErrorMessage()};
  return std::vector<uint32_t>(compiled.begin(), compiled.end());
}

#else

Result<std::vector<uint32_t>> compile_shader(Shader shader) {
  return Error{ErrorCode::kUnsupported,
               std::string(source_name(shader)) + ": this program was built without a compiler of shaders (shaderc)"};
}

#endif

ShaderWatch::ShaderWatch() : times_(all_written()) {}

std::vector<Shader> ShaderWatch::changed() {
  if (!has_sources()) return {};
  std::vector<fs::file_time_type> now = all_written();
  std::vector<Shader> shaders;
  for (size_t i = 0; i < kCount; ++i) {
    if (now[i] != times_[i] || now[kCount] != times_[kCount]) shaders.push_back(Shader(i));
  }
  times_ = std::move(now);
  return shaders;
}

}  // namespace sinew::app
