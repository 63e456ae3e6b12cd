// What a run of the program measured, as plain structs; written as a table for people and as JSON, schema 1, for
// programs. Nothing here measures anything. What was not measured is empty, prints as "-", and is null in JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/bake_report.h"

namespace sinew::app {

/// Milliseconds, one for each frame measured, in the order of the frames. Empty: not measured.
using Samples = std::vector<double>;

/// The value that a share of the samples does not exceed, by the nearest rank: percentile(samples, 0.5) is the lower
/// median, and 1 gives the largest. Nothing where there are no samples.
std::optional<double> percentile(Samples samples, double share);

struct DeviceReport {
  std::string name;
  std::string type;                          // cpu, integrated, discrete or virtual
  std::string driver;                        // its name and version
  std::string api;                           // 1.3.230
  std::optional<double> copy_gb_per_second;  // read plus written
};

struct CpuReport {
  std::string name;
  uint32_t threads = 1;         // that the run evaluates on
  std::string instruction_set;  // that the evaluator uses
  std::optional<double> store_gb_per_second;
};

struct BuildReport {
  std::string version, commit, type;  // commit empty: not built from a repository
  bool optimized = false;
};

BuildReport this_build();

/// The CPU of this machine, as far as the system tells: empty name where it does not.
CpuReport this_cpu(uint32_t threads);

/// The levers that were on.
struct OptimizationReport {
  bool cull = false, lod = false, update_rate = false;
  uint32_t unique_poses = 0;  // asked for, or as few as the budget left; 0: no sharing
};

/// What was kept within a budget of memory, and at which price; OptimizationReport::unique_poses is another part of
/// that.
struct BudgetReport {
  uint64_t bytes = 0;
  uint64_t needed_bytes = 0;  // by the frame that needed most
  double error_pixels = 1;    // that a level of detail may be off; 1 as without a budget
};

/// One scene in one mode. Counts are of one frame.
struct RunReport {
  std::string scene, model;
  uint32_t characters = 0;
  uint32_t visible = 0;      // characters that were drawn in the last frame
  uint32_t culled = 0;       // characters that were out of sight in the last frame
  uint32_t shadow_only = 0;  // of the visible, those whose shadow alone may be in sight
  OptimizationReport optimizations;
  std::optional<BudgetReport> budget;
  std::vector<uint32_t> levels;         // of the visible, how many at each level of detail, the finest first
  std::vector<uint32_t> rates;          // likewise, how many are updated in each frame, every second, every fourth
  uint32_t not_updated = 0;             // of the visible, whose copy the last frame did not update
  uint32_t updated_meshes = 0;          // that the last frame sampled and skinned
  uint32_t joints_per_character = 0;    // mean over the characters, rounded
  uint32_t vertices_per_character = 0;  // likewise
  uint64_t joints_evaluated = 0;        // the sum over updated copies; a bake leaves out what moves nothing
  uint32_t cross_fading = 0;            // characters that blend two clips in the last frame
  uint32_t masked = 0;                  // characters that have a masked layer in the last frame
  std::string evaluator;                // exact or crowd
  std::string skinning;                 // compute, vertex or cpu
  std::string async_compute = "none";   // or submitted by itself, to a shared queue or a second queue
  uint32_t format = 16;                 // bytes of a skinned vertex
  uint32_t passes = 1;                  // over the crowd: once in color, before that depth alone
  bool rasterized = true;               // false: its vertices are shaded, and no more
  uint32_t width = 0, height = 0;
  uint32_t frames = 0, warmup = 0, frames_in_flight = 0;  // measured; run before them and not measured; in flight
  uint64_t seed = 0;

  uint32_t shadow_maps = 0, shadow_map_size = 0;  // of the passes; texels on each side
  uint64_t shadow_map_bytes = 0;                  // of all of them

  uint64_t skinned_vertices = 0;  // 0 where the vertex shader skins: nothing is kept
  uint64_t shared_poses = 0;      // characters that use another's palette
  double shared_degrees = 0;      // how far a joint of theirs may be turned from where it should be, as stated
  uint64_t palette_bytes = 0, skinned_bytes = 0;
  uint64_t device_bytes = 0;  // of the device, by skinning: meshes, palettes, vertices; for all frames in flight

  bool device_clock_is_wrong = false;     // its timestamps cannot be true: gpu times are empty
  Samples submit_ms;                      // from submission to completion, where runs took turns
  Samples frame_ms;                       // from the end of one frame to that of the next
  Samples cull_ms, sample_ms, record_ms;  // CPU; cull: who is seen, and what they play
  // GPU, by timestamps; with skinning by the CPU, skin_ms is its time there. Where async_compute lets them overlap,
  // they slow each other down, draw_ms may wait for the skinning, and they need not add up to frame_ms.
  Samples upload_ms, skin_ms, draw_ms;

  // What --validate found, the worst over every vertex of every character compared.
  std::optional<double> max_error;  // positions, as a share of the model's diagonal
  std::optional<double> max_normal_error_degrees;
  std::optional<double> max_palette_error;   // entries of palettes, as a share of the diagonal
  std::optional<double> max_pose_error_mm;   // of the crowd evaluator, as BakeReport::error_mm
  std::optional<double> max_shared_degrees;  // as shared_degrees, as found
  uint64_t leaping = 0;                      // characters without that bound: their clips leapt
  std::optional<uint64_t> compared_characters, compared_vertices;
  std::optional<std::string> output_hash;       // of all skinned vertices of the last frame
  std::optional<uint64_t> validation_messages;  // empty where the layers were not on
};

/// What --validate allows: shares of the model's diagonal, and degrees.
inline constexpr double kMaxPositionError = 1e-5, kMaxNormalDegrees = 0.02, kMaxPaletteError = 1e-5;

struct Report {
  DeviceReport device;
  CpuReport cpu;
  std::optional<BakeReport> bake;
  std::vector<RunReport> runs;
};

// --- figures that follow from a run; empty where what they need was not measured ---

std::optional<double> ns_per_joint(const RunReport& run, const CpuReport& cpu);
std::optional<double> skinned_vertices_per_second(const RunReport& run);
/// Skinned vertices written, and each palette read once, over the median of skin_ms.
std::optional<double> skin_gb_per_second(const RunReport& run);
std::optional<double> skin_share_of_copy(const RunReport& run, const DeviceReport& device);

// --- what is shown; every text ends with a line end ---

/// What the run is about to run on: device, CPU, version and build; a warning for each thing that makes timings
/// worthless as a claim (a software device, a build without optimization).
std::string preamble(const DeviceReport& device, const CpuReport& cpu, const std::optional<BakeReport>& bake = {});

/// One row a stage, with p50, p95, p99 and max, for every run; then one plain sentence for each.
std::string table(const Report& report);

/// Schema 1 of the JSON report.
std::string to_json(const Report& report);

}  // namespace sinew::app
