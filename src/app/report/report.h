// The report of a run as plain structs, and its text forms: a table for people, and JSON, schema 1, for programs. This
// header measures nothing. A value that was not measured is empty, is printed as "-", and is null in JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/bake_report.h"
#include "system/machine_load.h"

namespace sinew::app {

/// Milliseconds, one value for each measured frame, in the order of the frames. Empty: not measured.
using Samples = std::vector<double>;

/// The smallest sample such that at least this share of the samples, from 0 to 1, is not above it (nearest-rank
/// method): percentile(samples, 0.5) is the lower median, percentile(samples, 1) the largest. None where there are no
/// samples.
std::optional<double> percentile(Samples samples, double share);

/// The Vulkan device.
struct DeviceReport {
  std::string name;
  std::string type;                          // cpu, integrated, discrete, virtual or other
  std::string driver;                        // name and version; may be empty
  std::string api;                           // Vulkan version, such as 1.3.230
  std::optional<double> copy_gb_per_second;  // measure_copy_gb_per_second()
};

/// The CPU that culls and evaluates.
struct CpuReport {
  std::string name;
  uint32_t threads = 1;                       // that cull and evaluate
  std::string instruction_set;                // used by the evaluator
  std::optional<double> store_gb_per_second;  // measure_store_gb_per_second()
};

/// This program.
struct BuildReport {
  std::string version, commit, type;  // empty commit: not built from a repository; type: Release and so on
  bool optimized = false;
};

/// What was compiled in: version, commit, type and optimization of this build.
BuildReport this_build();

/// The CPU of this machine, from /proc/cpuinfo; the name is empty where that has none. The instruction set is the one
/// that this program was compiled for; the crowd evaluator may use a wider one.
CpuReport this_cpu(uint32_t threads);

/// What the machine did besides the measurement: reasons to distrust its times.
struct MachineReport {
  std::optional<MachineLoad> load;                          // while the frames were drawn
  std::optional<double> clock_before_mhz, clock_after_mhz;  // of the CPU, as the system states it
  FixedTask before, after;                                  // one task that no build changes
  bool validated = false;                                   // the validation layers were on
};

/// The optimizations that were on.
struct OptimizationReport {
  bool cull = false, lod = false, update_rate = false;
  uint32_t unique_poses = 0;  // requested, or fewer where the budget reduced them; 0: no pose sharing
};

/// The memory budget, and how far it reduced the levels of detail. It may also have reduced
/// OptimizationReport::unique_poses.
struct BudgetReport {
  uint64_t bytes = 0;
  uint64_t needed_bytes = 0;  // of the frame that needed the most
  double error_pixels = 1;    // largest error of a level of detail; 1 where the budget reduced nothing
};

/// The device's time for one pass of the drawing. The passes of a frame add up to RunReport::draw_ms.
struct PassTimes {
  std::string name;  // "shadow map 0"
  Samples ms;
};

/// One scene in one skinning mode. Counts are of the last frame, unless they say otherwise.
struct RunReport {
  std::string scene, model;
  uint32_t characters = 0;
  std::vector<std::string> clips;  // named by --clip: only these are played; empty: none was named
  bool changes_clips = true;       // false: each instance plays one clip for ever
  uint32_t tinted = 0;             // instances that have a color of their own
  uint32_t visible = 0;            // instances drawn, shadow-only ones included
  uint32_t culled = 0;             // instances not drawn; characters - visible
  uint32_t shadow_only = 0;        // visible instances outside the view whose shadow may be in it
  OptimizationReport optimizations;
  std::optional<BudgetReport> budget;
  std::vector<uint32_t> levels;         // visible instances at each level of detail, the finest first
  std::vector<uint32_t> rates;          // visible instances updated in every frame, every second, every fourth
  uint32_t not_updated = 0;             // visible instances whose posed mesh was not updated
  uint32_t updated_meshes = 0;          // posed meshes that were sampled and skinned
  uint32_t joints_per_character = 0;    // mean over all characters, rounded
  uint32_t vertices_per_character = 0;  // mean over all characters, rounded; of the finest level of detail
  uint64_t joints_evaluated = 0;  // sum over the updated posed meshes; a bake leaves out joints that move no vertex
  uint32_t cross_fading = 0;      // posed meshes that blend several unmasked layers
  uint32_t masked = 0;            // posed meshes that have a masked layer
  std::string evaluator;          // exact or crowd
  std::string skinning;           // compute, vertex or cpu
  std::string async_compute = "none";  // or the queue that skinning is submitted to by itself
  uint32_t format = 16;                // bytes per skinned vertex
  std::string palettes = "full";       // as the CPU writes them: or compact
  std::string vertex_fetch;            // of draws: input, pulling, or skinning in the vertex shader
  uint32_t passes = 1;                 // over the crowd: one in color, the others before it depth only
  bool rasterized = true;              // false: the crowd's vertex shaders run, and nothing is rasterized
  uint32_t width = 0, height = 0;
  uint32_t frames = 0, warmup = 0, frames_in_flight = 0;  // frames: measured, in all repeats; warmup: before each
  uint32_t repeats = 1;                                   // of the same frames; samples are in their order
  uint64_t seed = 0;
  double start_seconds = 0;  // scene time of the first frame
  bool orbiting = false;     // the camera
  uint32_t samples = 1;      // per pixel

  uint32_t shadow_maps = 0, shadow_map_size = 0;  // size: texels on each side
  uint64_t shadow_map_bytes = 0;                  // of all shadow maps

  uint64_t draws = 0;                // commands of one pass over the crowd
  uint64_t dispatches = 0;           // of compute shaders
  uint32_t kernel_instructions = 0;  // of SPIR-V, in the shader that skins; 0: the CPU skins
  uint64_t skinned_vertices = 0;     // by the frame; 0 where the vertex shader skins: no vertices are stored
  uint64_t shared_poses = 0;         // instances drawn with a posed mesh of another instance
  double shared_degrees = 0;         // stated bound: largest rotation error of a joint of a shared pose
  uint64_t palette_bytes = 0, skinned_bytes = 0;  // written by the frame
  uint64_t mesh_bytes = 0, job_bytes = 0;         // read by the dispatches, each buffer once for each batch
  uint64_t page_copies = 0, page_copy_bytes = 0;  // of the frame, to device-local memory
  uint64_t device_bytes = 0;  // allocated for skinning: meshes, palettes, vertices; all frames in flight

  bool device_clock_is_wrong = false;     // timestamps are not credible: GPU times are empty
  Samples submit_ms;                      // from submission to completion; only where several modes run alternately
  Samples frame_ms;                       // from the end of one frame to the end of the next, see add_times()
  Samples cull_ms, sample_ms, record_ms;  // CPU; cull: the plan; sample: evaluation of palettes
  // GPU, by timestamps. Where the CPU skins, skin_ms is CPU time. Where async_compute lets stages overlap, they slow
  // each other down, draw_ms may include waiting for the skinning, and the stages need not add up to frame_ms.
  Samples upload_ms, skin_ms, draw_ms;
  std::vector<PassTimes> passes_drawn;  // of draw_ms: see GpuTimes
  // How long uploads and skinning of a frame ran while the frame before was still drawn, where one queue does both.
  Samples overlap_ms;

  // Results of --validate: the largest error over all vertices and palettes that were compared.
  std::optional<double> max_error;  // of positions, as a share of the model's diagonal
  std::optional<double> max_normal_error_degrees;
  std::optional<double> max_palette_error;   // of palettes, as a share of the diagonal
  std::optional<double> max_pose_error_mm;   // of baked palettes, in the measure of BakeReport::error_mm
  std::optional<double> max_shared_degrees;  // measured; shared_degrees is the bound
  uint64_t at_discontinuity = 0;             // posed meshes left out of max_pose_error_mm: at a discontinuity of a clip
  std::optional<uint64_t> compared_characters, compared_vertices;  // posed meshes; their vertices
  std::optional<std::string> output_hash;                          // of all skinned vertices of the last frame
  std::optional<uint64_t> validation_messages;                     // empty where the layers were not on
};

/// Error bounds of --validate: positions and palettes as a share of the model's diagonal, normals in degrees.
inline constexpr double kMaxPositionError = 1e-5, kMaxNormalDegrees = 0.02, kMaxPaletteError = 1e-5;

/// The device, the CPU, the machine and the bake are the same for all runs.
struct Report {
  DeviceReport device;
  CpuReport cpu;
  std::optional<MachineReport> machine;
  std::string command;  // that made the report
  std::optional<BakeReport> bake;
  std::vector<RunReport> runs;
};

// --- the stages of a frame ---

struct StageTimes {
  std::string name;  // "gpu skin"
  const Samples* samples;
};

/// The stages of a run, in the order of the table: the whole frame first. Points to the run.
std::vector<StageTimes> stages_of(const RunReport& run);

/// The median of each repeat. None where the samples are not those of `repeats` equal parts.
std::vector<double> repeat_medians(const Samples& samples, uint32_t repeats);

/// spread_of() the medians of the repeats; with one repeat, of five equal parts of its frames. None without samples.
std::optional<double> spread_of(const Samples& samples, uint32_t repeats);

// --- figures computed from a run; none where a value that they need was not measured ---

/// CPU time per joint evaluated, in nanoseconds: the median of sample_ms times `cpu.threads`, over joints_evaluated.
std::optional<double> ns_per_joint(const RunReport& run, const CpuReport& cpu);
/// The bytes that skinning must write and read at least: vertices, palettes, static data of meshes, job lists.
uint64_t touched_bytes(const RunReport& run);
/// Skinned vertices over the median of skin_ms.
std::optional<double> skinned_vertices_per_second(const RunReport& run);
/// touched_bytes() over the median of skin_ms, in 1e9 bytes per second.
std::optional<double> skin_gb_per_second(const RunReport& run);
/// skin_gb_per_second() as a share of the device's copy bandwidth. None where the CPU skins.
std::optional<double> skin_share_of_copy(const RunReport& run, const DeviceReport& device);

// --- text forms; each text ends with a line end ---

/// Printed before a run: device, CPU, bake, version and build. A warning for each condition that makes timings
/// worthless as a claim (a software device, a build without optimization), and for each model whose bake exceeds the
/// error bound.
std::string preamble(const DeviceReport& device, const CpuReport& cpu, const std::optional<BakeReport>& bake = {});

/// A sentence that sums a run up. The other runs of the report may be compared with.
std::string summary(const Report& report, const RunReport& run);

/// What makes the times of a machine doubtful, one line each with its figure; empty: nothing.
std::vector<std::string> doubts_about(const MachineReport& machine);

/// For each run: its settings and counts, one row per stage with p50, p95, p99, max and spread, and a sentence that
/// sums it up. Then what makes the times doubtful.
std::string table(const Report& report);

/// The JSON report, schema 1, as UTF-8.
std::string to_json(const Report& report);

/// One line for each run and stage, after a line with the names of the columns. Times in milliseconds.
std::string to_csv(const Report& report);

}  // namespace sinew::app
