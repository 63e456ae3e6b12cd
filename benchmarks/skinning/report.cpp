#include "report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "asset/file.h"

namespace sinew::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Row& row, double copy_gb_per_second) {
  return {{"variant", row.variant},
          {"format", row.format},
          {"vertex_bytes", row.vertex_bytes},
          {"characters", row.characters},
          {"vertices", row.vertices},
          {"milliseconds", row.median_seconds * 1e3},
          {"p10_milliseconds", row.p10_seconds * 1e3},
          {"vertices_per_second", row.vertices_per_second()},
          {"gb_per_second", row.gb_per_second()},
          {"share_of_copy", row.gb_per_second() / copy_gb_per_second},
          {"ratio_to_reference", row.ratio_to_reference},
          {"max_error", row.check.position_error},
          {"max_normal_degrees", row.check.normal_degrees},
          {"max_tangent_degrees", row.check.tangent_degrees}};
}

Json to_json(const Bounds& bounds) {
  return {{"characters", bounds.characters},
          {"vertex_bytes", bounds.vertex_bytes},
          {"stores_vertices_per_second", bounds.stores},
          {"gathers_vertices_per_second", bounds.gathers},
          {"arithmetic_vertices_per_second", bounds.arithmetic},
          {"chosen_vertices_per_second", bounds.chosen},
          {"share_of_lowest", bounds.share()}};
}

Json to_json(const FrameWork& work) {
  return {{"characters", work.characters},
          {"convert_on_device_milliseconds", work.convert_on_device_seconds * 1e3},
          {"convert_on_cpu_milliseconds", work.convert_on_cpu_seconds * 1e3},
          {"palettes_milliseconds", work.palettes_seconds * 1e3},
          {"weights_milliseconds", work.weights_seconds * 1e3}};
}

Json to_json(uint32_t characters, const OutfitRow& row) {
  return {{"characters", characters},
          {"meshes", row.name},
          {"palettes", row.palettes},
          {"vertices", row.vertices},
          {"evaluator_milliseconds", row.evaluate_seconds * 1e3},
          {"skinning_milliseconds", row.skin_seconds * 1e3}};
}

}  // namespace

void print_subject(const Report& report) {
  std::printf("device  %s (%s), %s, Vulkan %s\n", report.device.c_str(), report.device_type.c_str(),
              report.driver.c_str(), report.api.c_str());
  std::printf("copies  %.1f GB/s by vkCmdCopyBuffer, %.1f GB/s by a kernel: read plus written\n",
              report.copy.command_gb_per_second, report.copy.kernel_gb_per_second);
  std::printf("model   %s: %u vertices, %u entries of palette, %.2f influences a vertex\n", report.model.c_str(),
              report.vertices, report.joints, report.mean_influences);
  if (!report.palettes_in_device_memory) std::printf("PALETTES ARE NOT IN DEVICE-LOCAL MEMORY\n");
  if (report.device_type == "cpu") std::printf("THIS DEVICE IS A CPU: only ratios mean anything\n");
}

void print_rows(const Report& report, uint32_t characters) {
  std::printf("\n%u characters, medians of %u frames%34s\n", characters, report.frames, "");
  std::printf("%-31s %6s %9s %10s %9s %8s %6s %9s\n", "variant", "bytes", "ms", "Mvertex/s", "ns/vertex", "GB/s",
              "copy", "reference");
  for (const Row& row : report.rows) {
    if (row.characters != characters) continue;
    std::printf("%-31s %6u %9.3f %10.1f %9.4f %8.2f %5.1f%% %8.2fx\n", row.variant.c_str(), row.vertex_bytes,
                row.median_seconds * 1e3, row.vertices_per_second() / 1e6, 1e9 / row.vertices_per_second(),
                row.gb_per_second(), 100 * row.gb_per_second() / report.copy.best(), row.ratio_to_reference);
  }
}

std::vector<Bounds> bounds_of(const Report& report, uint32_t characters) {
  double gathers = 0;  // the same for every size of a vertex
  for (const Row& row : report.rows) {
    if (row.characters == characters && row.variant == "gathers alone") gathers = row.vertices_per_second();
  }
  std::vector<Bounds> all;
  for (const Row& stores : report.rows) {
    if (gathers == 0 || stores.characters != characters || stores.variant != "stores alone") continue;
    Bounds bounds{characters, stores.vertex_bytes, stores.vertices_per_second(), gathers, 0, 0};
    for (const Row& row : report.rows) {
      if (row.characters != characters || row.format != stores.format || row.vertex_bytes != stores.vertex_bytes)
        continue;
      if (row.variant == "arithmetic alone") bounds.arithmetic = row.vertices_per_second();
      if (row.variant == "chosen" || row.variant == "chosen, tangents") bounds.chosen = row.vertices_per_second();
    }
    if (bounds.arithmetic > 0 && bounds.chosen > 0) all.push_back(bounds);
  }
  std::sort(all.begin(), all.end(), [](const Bounds& a, const Bounds& b) { return a.vertex_bytes < b.vertex_bytes; });
  return all;
}

void print_bounds(std::span<const Bounds> bounds) {
  if (bounds.empty()) return;
  std::printf("\nbounds, in Mvertex/s: each part of the kernel alone\n");
  std::printf("%6s %10s %10s %10s %10s %15s\n", "bytes", "stores", "gathers", "arithmetic", "chosen", "of the lowest");
  for (const Bounds& of : bounds) {
    std::printf("%6u %10.1f %10.1f %10.1f %10.1f %13.1f %%\n", of.vertex_bytes, of.stores / 1e6, of.gathers / 1e6,
                of.arithmetic / 1e6, of.chosen / 1e6, 100 * of.share());
  }
}

void print_work(const FrameWork& work) {
  if (work.convert_on_device_seconds > 0) {
    std::printf("palettes for dual quaternions: %.3f ms on the device, %.3f ms on the CPU, one thread\n",
                work.convert_on_device_seconds * 1e3, work.convert_on_cpu_seconds * 1e3);
  }
  if (work.palettes_seconds > 0) {
    std::printf("crowd evaluator, one thread: palettes %.3f ms, morph weights %.3f ms, %.1f %% more\n",
                work.palettes_seconds * 1e3, work.weights_seconds * 1e3,
                100 * work.weights_seconds / work.palettes_seconds);
  }
}

void print_scaling(const Report& report) {
  double best = 0;
  const auto chosen = [](const Row& row) { return row.variant == "chosen" && row.format == 16; };
  for (const Row& row : report.rows) best = chosen(row) ? std::max(best, row.vertices_per_second()) : best;
  std::printf("\ntime per vertex of `chosen`, over its best:");
  for (const Row& row : report.rows) {
    if (chosen(row)) std::printf("  %u characters %.2f", row.characters, best / row.vertices_per_second());
  }
  std::printf("\n");
}

Status write_json(const Report& report, const std::string& path) {
  Json json{{"schema", 1},
            {"device", report.device},
            {"device_type", report.device_type},
            {"driver", report.driver},
            {"api", report.api},
            {"copy_gb_per_second", report.copy.best()},
            {"copy_command_gb_per_second", report.copy.command_gb_per_second},
            {"copy_kernel_gb_per_second", report.copy.kernel_gb_per_second},
            {"palettes_in_device_memory", report.palettes_in_device_memory},
            {"model", report.model},
            {"vertices_per_character", report.vertices},
            {"palette_entries", report.joints},
            {"mean_influences", report.mean_influences},
            {"frames", report.frames},
            {"rows", Json::array()},
            {"bounds", Json::array()},
            {"work", Json::array()},
            {"outfits", Json::array()}};
  for (const Row& row : report.rows) json["rows"].push_back(to_json(row, report.copy.best()));
  for (const Bounds& bounds : report.bounds) json["bounds"].push_back(to_json(bounds));
  for (const FrameWork& work : report.work) json["work"].push_back(to_json(work));
  for (const auto& [characters, rows] : report.outfits) {
    for (const OutfitRow& row : rows) json["outfits"].push_back(to_json(characters, row));
  }
  const std::string text = json.dump(1) + "\n";
  return internal::write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace sinew::bench
