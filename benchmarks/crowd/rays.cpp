// sinew_bench_rays: what the contract of acceleration structures costs the CPU for each posed mesh of a frame, without
// Vulkan. See benchmarks/README.md.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "sinew/vulkan/acceleration.h"

using namespace sinew::vulkan;

namespace {

constexpr uint32_t kMeshes = 10'000;
constexpr uint64_t kFrames = 200;
constexpr VkDeviceAddress kBuffer = 1 << 20, kIndices = 1 << 16;

double nanoseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / kMeshes;
}

/// One frame: what each posed mesh needs, and the arguments of its refit or build.
uint64_t list_builds(const InstanceRange& range, std::vector<StructureState>& states,
                     std::vector<StructureGeometry>& geometries) {
  uint64_t builds = 0;
  for (uint32_t i = 0; i < kMeshes; ++i) {
    const PosedVertices posed = posed_vertices(range, i, kBuffer);
    const StructureStep step = next_step(states[i], posed, 31);
    if (step == StructureStep::kKeep) continue;
    const auto geometry = make_geometry(posed, VertexFormat::kOctahedral, {kIndices, 0, 30'000});
    if (geometry) geometries[i] = *geometry;
    note_step(states[i], posed, step, range.skinned_frame);
    ++builds;
  }
  return builds;
}

uint64_t check_all(const InstanceRange& range, const std::vector<StructureState>& states) {
  uint64_t right = 0;
  for (uint32_t i = 0; i < kMeshes; ++i) right += check_structure(states[i], posed_vertices(range, i, kBuffer)) ? 1 : 0;
  return right;
}

}  // namespace

int main() {
  InstanceRange range;
  range.mesh = {1}, range.instance_count = kMeshes, range.vertex_count = 8'000, range.vertex_bytes = 16;
  range.vertices = reinterpret_cast<VkBuffer>(uintptr_t{1});
  std::vector<StructureState> states(kMeshes);
  std::vector<StructureGeometry> geometries(kMeshes);
  double least_list = 1e9, least_keep = 1e9, least_check = 1e9;
  uint64_t builds = 0, right = 0;
  for (uint64_t frame = 1; frame <= kFrames; ++frame) {
    range.skinned_frame = frame;
    const auto begin = std::chrono::steady_clock::now();
    builds += list_builds(range, states, geometries);
    least_list = std::min(least_list, nanoseconds_since(begin));
    const auto keep = std::chrono::steady_clock::now();
    builds += list_builds(range, states, geometries);  // nothing is new
    least_keep = std::min(least_keep, nanoseconds_since(keep));
    const auto check = std::chrono::steady_clock::now();
    right += check_all(range, states);
    least_check = std::min(least_check, nanoseconds_since(check));
  }
  if (builds != kMeshes * kFrames || right != kMeshes * kFrames) return 1;
  std::printf("ns per posed mesh, least of %d frames: refit or build %.1f, keep %.1f, check %.1f\n", int(kFrames),
              least_list, least_keep, least_check);
  return 0;
}
