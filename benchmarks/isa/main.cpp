// sinew_isa [--drawing] [--json FILE]: what the installed driver's compiler makes of the skinning kernel, or with
// --drawing of all other shaders. Static counts of one compiler: they say nothing of time. scripts/isa runs it for each
// GPU family that Mesa compiles for without a GPU.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels.h"
#include "shaders.h"

namespace sinew::isa {
namespace {

constexpr int kSkipped = 77;

void print(const std::vector<KernelRow>& rows) {
  std::printf("%-16s %10s %8s %12s %9s %9s %9s %7s %8s %6s\n", "kernel", "influences", "marginal", "instructions",
              "VGPRs", "SGPRs", "subgroups", "spills", "scratch", "bytes");
  for (const KernelRow& row : rows) {
    const ShaderStatistics& of = row.shader;
    const std::string influences = row.influences > 0 ? std::to_string(row.influences) : "any";
    char marginal[32] = "-";
    if (row.marginal_instructions) std::snprintf(marginal, sizeof marginal, "%.1f", *row.marginal_instructions);
    std::printf("%-16s %10s %8s %12llu %9llu %9llu %9llu %7llu %8llu %6llu\n",
                (row.kernel + (row.rigid ? ", rigid" : "")).c_str(), influences.c_str(), marginal,
                (unsigned long long)of.instructions, (unsigned long long)of.vector_registers,
                (unsigned long long)of.scalar_registers, (unsigned long long)of.subgroups_per_simd,
                (unsigned long long)of.spilled_registers, (unsigned long long)of.scratch_bytes,
                (unsigned long long)of.code_bytes);
  }
}

void print(const std::vector<ShaderRow>& rows) {
  std::printf("%-72s %12s %9s %9s %9s %7s %8s %6s\n", "shader", "instructions", "VGPRs", "SGPRs", "subgroups", "spills",
              "scratch", "bytes");
  for (const ShaderRow& row : rows) {
    const ShaderStatistics& of = row.shader;
    std::printf("%-72s %12llu %9llu %9llu %9llu %7llu %8llu %6llu\n", (row.pipeline + ", " + of.stage).c_str(),
                (unsigned long long)of.instructions, (unsigned long long)of.vector_registers,
                (unsigned long long)of.scalar_registers, (unsigned long long)of.subgroups_per_simd,
                (unsigned long long)of.spilled_registers, (unsigned long long)of.scratch_bytes,
                (unsigned long long)of.code_bytes);
  }
}

using Json = nlohmann::ordered_json;

Json figures_of(const ShaderStatistics& shader) {
  return {{"instructions", shader.instructions}, {"vgprs", shader.vector_registers},
          {"sgprs", shader.scalar_registers},    {"subgroups_per_simd", shader.subgroups_per_simd},
          {"spills", shader.spilled_registers},  {"scratch_bytes", shader.scratch_bytes},
          {"code_bytes", shader.code_bytes}};
}

Json names_of(const ShaderRow& row) { return {{"pipeline", row.pipeline}, {"stage", row.shader.stage}}; }

Json names_of(const KernelRow& row) {
  const Json marginal = row.marginal_instructions ? Json(*row.marginal_instructions) : nullptr;
  return {{"kernel", row.kernel},
          {"influences", row.influences},
          {"rigid", row.rigid},
          {"marginal_instructions", marginal},
          {"kinds", row.shader.kinds}};
}

template <class Row>
Json to_json(const app::DeviceInfo& device, const std::vector<Row>& rows) {
  Json all = Json::array();
  for (const Row& row : rows) {
    Json& json = all.emplace_back(Json{{"family", device.name}});
    json.update(names_of(row));
    json.update(figures_of(row.shader));
  }
  return all;
}

struct Options {
  std::string json;
  bool drawing = false;
};

/// Prints the rows, and returns a report of them under `key`.
template <class Row>
Result<Json> report(const app::DeviceInfo& info, const char* key, const Result<std::vector<Row>>& rows) {
  if (!rows) return rows.error();
  std::printf("%s, %s\n", info.name.c_str(), info.driver.c_str());
  print(*rows);
  return Json{{"driver", info.driver}, {key, to_json(info, *rows)}};
}

/// A device without memory is good enough: nothing runs.
int run(const Options& options) {
  const auto instance = app::create_instance({});
  const auto devices = instance ? app::list_devices(*instance) : Result<std::vector<app::DeviceInfo>>(instance.error());
  if (!devices || devices->empty()) {
    std::printf("SKIPPED: %s\n", devices ? "no Vulkan device" : devices.error().message.c_str());
    return kSkipped;
  }
  const app::DeviceInfo& info = devices->front();
  const auto device =
      app::create_device(*instance, info, {.buffer_addresses = options.drawing, .pipeline_statistics = true});
  if (!device) {
    std::printf("SKIPPED: %s\n", device.error().message.c_str());
    return kSkipped;
  }
  if (!device->pipeline_statistics) {
    std::printf("SKIPPED: %s does not say what it compiles\n", info.name.c_str());
    return kSkipped;
  }
  const auto compiled = options.drawing ? report(info, "shaders", compile_shaders(*device))
                                        : report(info, "rows", compile_kernels(*device));
  if (!compiled) {
    std::fprintf(stderr, "sinew_isa: %s\n", compiled.error().message.c_str());
    return 1;
  }
  if (options.json.empty()) return 0;
  std::ofstream file(options.json);
  file << compiled->dump(1) << "\n";
  if (file.flush()) return 0;
  std::fprintf(stderr, "sinew_isa: cannot write %s\n", options.json.c_str());
  return 1;
}

}  // namespace
}  // namespace sinew::isa

int main(int argc, char** argv) {
  CLI::App app("What the driver's compiler makes of the program's shaders");
  sinew::isa::Options options;
  app.add_option("--json", options.json, "Write the rows here");
  app.add_flag("--drawing", options.drawing, "All shaders but the skinning kernel: those that draw, and others");
  CLI11_PARSE(app, argc, argv);
  return sinew::isa::run(options);
}
