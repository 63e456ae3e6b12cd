// The report of a run as plain structs, and its text forms: a table for people, and JSON, schema 1, for programs. This
// header measures nothing. A value that was not measured is empty, is printed as "-", and is null in JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crowd/options.h"
#include "crowd/report/stages.h"
#include "crowd/report/verdict.h"
#include "scene/baking.h"
#include "sinew/crowd/plan.h"
#include "skinning/skinning.h"
#include "system/machine_report.h"

namespace sinew::app {

/// The memory budget, and how far it reduced the levels of detail. It may also have reduced
/// the number of unique poses.
struct BudgetReport {
  uint64_t bytes = 0;
  uint64_t needed_bytes = 0;  // of the frame that needed the most
  double error_pixels = 1;    // largest error of a level of detail; 1 where the budget reduced nothing
};

/// The device's time for one pass of the drawing. The passes of a frame add up to Stage::kDraw.
struct PassTimes {
  std::string name;  // "shadow map 0"
  Samples ms;
};

/// The largest errors of everything that --validate compares. NaN counts as infinite.
struct Comparison {
  uint64_t posed_meshes = 0;
  double palette_error = 0;              // share of the model's diagonal
  std::optional<double> pose_error_mm;   // of palettes, as BakeReport::error_mm; none where nothing is baked
  uint64_t folded_blends = 0;            // left out of pose_error_mm: at a level with a palette of its own, see bake()
  std::optional<double> shared_degrees;  // largest rotation error of a joint of a shared pose; none without them
  // None where the vertex shader skins:
  std::optional<uint64_t> vertices;
  std::optional<double> position_error, normal_degrees;  // position: share of the diagonal
  std::optional<std::string> output_hash;                // of all skinned vertices
  std::string first_failure;  // names the instance; empty where all errors are within the bounds
};

/// One scene in one skinning mode. Counts are of the last frame of the first repeat, unless they say otherwise.
struct RunReport {
  /// What it was drawn with: its number of characters and passes, the actual size and samples per pixel, and the number
  /// of unique poses that the budget has left.
  CrowdOptions options;
  std::string model;
  uint32_t tinted = 0;  // instances that have a color of their own
  crowd::PlanCounters plan;
  std::optional<BudgetReport> budget;
  uint32_t joints_per_character = 0;    // mean over all characters, rounded
  uint32_t vertices_per_character = 0;  // mean over all characters, rounded; of the finest level of detail
  uint64_t joints_evaluated = 0;  // sum over the updated posed meshes; a bake leaves out joints that move no vertex
  uint32_t cross_fading = 0;      // posed meshes that blend several unmasked layers
  uint32_t masked = 0;            // posed meshes that have a masked layer
  SkinningMode skinning = SkinningMode::kCompute;
  std::string async_compute = "none";  // or the queue that skinning is submitted to by itself
  std::string vertex_fetch;            // of draws: input, pulling, or skinning in the vertex shader
  uint32_t frames = 0;                 // measured, in all repeats
  uint32_t repeats = 1;                // of the same frames; samples are in their order

  uint32_t shadow_maps = 0, shadow_map_size = 0;  // size: texels on each side
  uint64_t shadow_map_bytes = 0;                  // of all shadow maps

  uint64_t draws = 0;                // commands of one pass over the crowd
  uint32_t kernel_instructions = 0;  // of SPIR-V, in the shader that skins; 0: the CPU skins
  double shared_degrees = 0;         // stated bound: largest rotation error of a joint of a shared pose
  SkinningCounters work;             // reads: by the dispatches, each buffer once for each batch
  uint64_t device_bytes = 0;         // allocated for skinning: meshes, palettes, vertices; all frames in flight

  bool device_clock_is_wrong = false;  // timestamps are not credible: GPU times are empty
  // Where async_compute lets stages overlap, they slow each other down, drawing may include waiting for the skinning,
  // and the stages need not add up to the frame.
  std::array<Samples, kTimeCount> times;
  std::vector<PassTimes> passes_drawn;  // of Stage::kDraw: see GpuTimes
  // How long uploads and skinning of a frame ran while the frame before was still drawn, where one queue does both.
  Samples overlap_ms;

  std::optional<Comparison> compared;           // by --validate
  std::optional<uint64_t> validation_messages;  // empty where the layers were not on

  Samples& operator[](Stage stage) { return times[size_t(stage)]; }
  const Samples& operator[](Stage stage) const { return times[size_t(stage)]; }
  Stage skin_stage() const { return skinning == SkinningMode::kCpu ? Stage::kCpuSkin : Stage::kSkin; }
  /// Of the two stages that skin, a run has one; that of a whole submission, only where modes alternate.
  bool has(Stage stage) const {
    if (stage == Stage::kSubmission) return !times[size_t(stage)].empty();
    return (stage != Stage::kCpuSkin && stage != Stage::kSkin) || stage == skin_stage();
  }
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
  std::string date = "";        // when it was made, see utc_now()
  bool is_interrupted = false;  // the last run has fewer frames than were asked for, or runs are missing
};

/// Printed before a run: device, CPU, bake, version and build. Each text ends with a line end.
std::string preamble(const Report& report);

/// A warning for each condition that makes timings worthless as a claim (a software device, a build without
/// optimization), and for each model whose bake exceeds the error bound.
std::vector<std::string> warnings_of(const Report& report);

/// For each run: its settings and counts, one row per stage with p50, p95, p99, max and spread, and a sentence that
/// sums it up.
std::string table(const Report& report);

enum class FieldKind : uint8_t {
  kSetting,  // what was requested: runs with other settings are different work
  kCounter,  // of the last frame of the first repeat: the same work has the same
  kFigure,   // neither: times, and what follows from them; empty where a value that it needs was not measured
};

/// A field of a run, besides its stages. Text, JSON, CSV and the page have their values from these.
struct Field {
  std::string name;
  FieldKind kind = FieldKind::kFigure;
  Json value;
};

/// All of a run, in the order of JSON. Of a default run: their names and kinds.
std::vector<Field> fields_of(const Report& report, const RunReport& run);

/// The JSON report, schema 1.
Json json_of(const Report& report);
/// Its text, as UTF-8: a byte that is not becomes U+FFFD.
std::string to_json(const Report& report);

/// One line for each run and stage, after a line with the names of the columns. Times in milliseconds.
std::string to_csv(const Report& report);

}  // namespace sinew::app
