#include "crowd/report/report.h"

#include <algorithm>
#include <iterator>

#include "asset/plain_text.h"
#include "scene/baking.h"
#include "sinew/asset/compact_matrix.h"
#include "system/text.h"

namespace sinew::app {
namespace {

constexpr int kNameWidth = 19;  // "gpu depth and color"

std::optional<double> median_of(const RunReport& run, Stage stage) { return percentile(run[stage], 0.5); }

std::string or_unknown(const std::string& name) { return name.empty() ? "unknown" : name; }

/// Tenths below ten, two digits above.
std::string rounded_percent(double share) {
  return share < 0.0995 ? text("%.1f", share * 100) : rounded(share * 100, 2);
}

std::string row(const StageTimes& stage, uint32_t repeats) {
  std::string line = text("  %-*s", kNameWidth, stage.name.c_str());
  const int digits = digits_of(*stage.samples, repeats);
  for (const Percentile& wanted : kPercentiles) {
    const auto value = percentile(*stage.samples, wanted.share);
    line += text(" %9s", value ? rounded(*value, digits).c_str() : "-");
  }
  const auto spread = spread_of(*stage.samples, repeats);
  if (stage.samples->empty()) return line + "\n";
  return line + (spread ? text("   +-%4s %%", rounded_percent(*spread).c_str()) : "        -") + "\n";
}

std::string heading(const RunReport& run) {
  const char* evaluator = run.options.evaluator == EvaluatorKind::kCrowd ? "crowd" : "exact";
  const std::string passes =
      text(" in %u %s%s", run.options.draw.passes, noun(run.options.draw.passes, "pass", "passes"),
           run.options.draw.rasterize ? "" : " without rasterization");
  return text(
      "%s: %s characters of %s, %s evaluator, %s skinning%s, seed %llu, %s%s frames of %ux%u after %u of warm-up\n",
      run.options.scene.c_str(), grouped(run.options.characters).c_str(), or_unknown(run.model).c_str(), evaluator,
      name_of(run.skinning), run.options.draw.passes > 1 || !run.options.draw.rasterize ? passes.c_str() : "",
      static_cast<unsigned long long>(run.options.seed), run.repeats > 1 ? text("%u times ", run.repeats).c_str() : "",
      grouped(run.frames / std::max(run.repeats, 1u)).c_str(), run.options.width, run.options.height,
      run.options.warmup);
}

std::string shadows(const RunReport& run) {
  if (run.shadow_maps == 0) return "";
  return text("  %u shadow map%s of %ux%u, %s MB\n", run.shadow_maps, run.shadow_maps > 1 ? "s" : "",
              run.shadow_map_size, run.shadow_map_size, rounded(double(run.shadow_map_bytes) / 1e6).c_str());
}

std::string counts(const RunReport& run) {
  return text(
      "  %s joints and %s vertices each; %s triangles a pass; %s skinned vertices (%s MB) and %s MB of palettes a "
      "frame; "
      "%s MB of device memory\n",
      grouped(run.joints_per_character).c_str(), grouped(run.vertices_per_character).c_str(),
      grouped(run.work.triangles).c_str(), grouped(run.work.skinned_vertices).c_str(),
      rounded(double(run.work.skinned_bytes) / 1e6).c_str(), rounded(double(run.work.palette_bytes) / 1e6).c_str(),
      rounded(double(run.device_bytes) / 1e6).c_str());
}

std::string copies(const RunReport& run) {
  if (run.work.copies.count == 0) return "";
  return text("  %s MB of %s are copied to device-local memory in each frame, by %s commands\n",
              rounded(double(run.work.copies.bytes) / 1e6).c_str(),
              run.skinning == SkinningMode::kCpu ? "vertices" : "palettes", grouped(run.work.copies.count).c_str());
}

std::string async_compute(const RunReport& run) {
  if (run.async_compute == "none") return "";
  return text(
      "  skinning is submitted by itself, to a %s: it may overlap the drawing of the previous frame; skinned vertices "
      "are double-buffered\n",
      run.async_compute.c_str());
}

/// The optimizations that are on, and what each of them saved in the last frame.
std::string optimizations(const RunReport& run) {
  std::string line = text("  %s visible, ", grouped(run.plan.visible).c_str());
  line += run.options.optimizations.cull ? grouped(run.plan.culled) + " culled" : "culling off";
  if (run.options.occlusion) line += text(", %s of them hidden", grouped(run.plan.occluded).c_str());
  if (run.plan.shadow_only > 0) line += text(", %s of the visible shadow-only", grouped(run.plan.shadow_only).c_str());
  if (!run.options.optimizations.levels) line += "; one level of detail";
  for (size_t i = 0; run.options.optimizations.levels && i < run.plan.levels.size(); ++i)
    line += (i == 0 ? "; levels of detail " : " + ") + grouped(run.plan.levels[i]);
  if (run.options.optimizations.unique_poses == 0) return line + "; every pose unique\n";
  line += text("; %s with a shared pose, within %s degrees", grouped(run.plan.shared).c_str(),
               rounded(run.shared_degrees).c_str());
  return line + "\n";
}

std::string update_rate(const RunReport& run) {
  if (!run.options.optimizations.update_rate) return "";
  std::string line = "  updated";
  constexpr const char* kRates[] = {"each frame", "every second", "every fourth"};
  for (size_t i = 0; i < run.plan.rates.size() && i < std::size(kRates); ++i)
    line += text("%s %s %s", i == 0 ? "" : ",", grouped(run.plan.rates[i]).c_str(), kRates[i]);
  return line + text("; in the last frame %s not updated, %s posed meshes updated\n",
                     grouped(run.plan.not_updated).c_str(), grouped(run.plan.updated_meshes).c_str());
}

std::string budget(const RunReport& run) {
  if (!run.budget) return "";
  const auto mebibytes = [](uint64_t bytes) { return rounded(double(bytes) / (1 << 20)); };
  return text("  %s of %s MiB needed at most; levels of detail within %g pixel%s\n",
              mebibytes(run.budget->needed_bytes).c_str(), mebibytes(run.budget->bytes).c_str(),
              run.budget->error_pixels, run.budget->error_pixels > 1 ? "s" : "");
}

std::string evaluation(const Report& report, const RunReport& run) {
  std::string line =
      text("  %s cross-fading, %s with a masked layer", grouped(run.cross_fading).c_str(), grouped(run.masked).c_str());
  if (const auto ns = ns_per_joint(run, report.cpu))
    line += text("; %s ns a joint", rounded(*ns, digits_of(run[Stage::kSample], run.repeats)).c_str());
  if (report.bake && report.bake->read < report.bake->models)
    line += text("; baked in %s ms before the first frame", rounded(report.bake->ms).c_str());
  return line + "\n";
}

std::string device_clock(const RunReport& run) {
  if (!run.device_clock_is_wrong) return "";
  return "  the timestamps of this device cannot be true: GPU times are left out, and the CPU's clock times the "
         "frames\n";
}

/// What of the GPU's stages ran at the same time.
std::string overlap(const RunReport& run) {
  const auto ms = percentile(run.overlap_ms, 0.5);
  if (!ms || *ms <= 0) return "";
  return text("  gpu upload and gpu skin overlap the drawing of the previous frame, by %s ms at the median\n",
              rounded(*ms).c_str());
}

/// The run of the same crowd skinned in the vertex shader; null where the report has none, or where `run` is that run.
const RunReport* vertex_run(const Report& report, const RunReport& run) {
  const auto same = [&](const RunReport& other) {
    return other.skinning == SkinningMode::kVertex && other.options.scene == run.options.scene &&
           other.model == run.model && other.options.characters == run.options.characters &&
           other.options.draw.passes == run.options.draw.passes &&
           other.options.draw.rasterize == run.options.draw.rasterize && other.options.width == run.options.width &&
           other.options.height == run.options.height && other.options.seed == run.options.seed;
  };
  const auto found = std::find_if(report.runs.begin(), report.runs.end(), same);
  return found == report.runs.end() || run.skinning == SkinningMode::kVertex ? nullptr : &*found;
}

bool alternate(const RunReport& a, const RunReport& b) {
  return !a[Stage::kSubmission].empty() && !b[Stage::kSubmission].empty();
}

std::string speed_against_vertex(const Report& report, const RunReport& run) {
  const RunReport* vertex = vertex_run(report, run);
  if (!vertex) return "";
  const TimeRatio speed = speed_over_vertex(report, run);
  if (speed.contains_one()) return "; the times cannot tell whether that is faster than skinning in the vertex shader";
  const int digits = speed.high - speed.low > 2 * kNoisySpread * speed.median ? 2 : 3;
  return text("; %s%s times as fast as skinning in the vertex shader (%s to %s)",
              alternate(run, *vertex) ? "its submission is " : "", rounded(speed.median, digits).c_str(),
              rounded(speed.low).c_str(), rounded(speed.high).c_str());
}

std::string skinning_comparison(const RunReport& run, const Comparison& compared) {
  if (!compared.position_error) return "";
  return text(
      "Vertices, against the CPU skinner on %s: %s of them, positions within %.2g of the diagonal (%.0e "
      "allowed%s), normals within %.2g degrees (%.2f%s).\n",
      compared.pose_error_mm ? "the palettes used" : "exact palettes", grouped(*compared.vertices).c_str(),
      *compared.position_error, kMaxPositionError,
      run.options.format == vulkan::VertexFormat::kPacked ? " beyond the rounding to 16 bits" : "",
      *compared.normal_degrees, kMaxNormalDegrees,
      *compared.normal_degrees > kMaxNormalDegrees ? ", more where morph targets are rounded" : "");
}

std::string pose_comparison(const Report& report, const Comparison& compared) {
  const std::string line =
      "Palettes, against the exact evaluator: " + grouped(compared.posed_meshes) + " of them, within ";
  if (!compared.pose_error_mm || !report.bake)
    return line + text("%.2g of the diagonal (%.0e allowed).\n", compared.palette_error, kMaxPaletteError);
  const double allowed_mm = std::max(report.bake->max_error_mm, report.bake->error_mm);
  std::string left_out;
  if (*compared.pose_error_mm > allowed_mm * kBlendGain)
    left_out += "; more at levels of detail that are baked coarsely, and where chains reach for targets";
  if (compared.at_discontinuity > 0)
    left_out += "; " + grouped(compared.at_discontinuity) + " at a discontinuity not counted";
  if (compared.folded_blends > 0)
    left_out += "; " + grouped(compared.folded_blends) + " blends at a level with fewer joints not counted";
  return line + text("%s mm on a character of 1.8 m (%s allowed, %s of blends)%s.\n",
                     millimeters(*compared.pose_error_mm).c_str(), millimeters(allowed_mm).c_str(),
                     millimeters(allowed_mm * kBlendGain).c_str(), left_out.c_str());
}

std::string comparison(const Report& report, const RunReport& run) {
  std::string lines;
  if (run.compared) lines += skinning_comparison(run, *run.compared) + pose_comparison(report, *run.compared);
  if (run.compared && run.compared->shared_degrees) {
    lines += text("Shared poses, against each character's own pose: within %.2f degrees (%.2f stated).\n",
                  *run.compared->shared_degrees, run.shared_degrees);
  }
  if (run.validation_messages) lines += grouped(*run.validation_messages) + " validation messages.\n";
  return lines;
}

}  // namespace

std::string summary(const Report& report, const RunReport& run) {
  const auto frame = median_of(run, Stage::kFrame);
  if (!frame) return text("%s characters, no frame measured.", grouped(run.options.characters).c_str());
  std::string line = text("%s characters in %s ms a frame", grouped(run.options.characters).c_str(),
                          rounded(*frame, digits_of(run[Stage::kFrame], run.repeats)).c_str());
  if (const auto speed = skinned_vertices_per_second(run)) {
    line += text("; skinning %s makes %s million vertices a second",
                 run.async_compute == "none" ? "alone" : "while drawing",
                 rounded(*speed / 1e6, digits_of(run[run.skin_stage()], run.repeats)).c_str());
  }
  if (const auto share = skin_share_of_copy(run, report.device)) {
    line += text(", %.0f %% of this device's copy bandwidth", *share * 100);
  }
  return line + speed_against_vertex(report, run) + ".";
}

std::vector<StageTimes> stages_of(const RunReport& run) {
  std::vector<StageTimes> stages;
  for (const StageRow& row : all_stages()) {
    if (run.has(row.stage)) stages.push_back({row.name, &run[row.stage]});
    if (row.stage != Stage::kDraw || run.passes_drawn.size() < 2) continue;
    for (const PassTimes& pass : run.passes_drawn) stages.push_back({"gpu " + pass.name, &pass.ms});
  }
  return stages;
}

std::optional<double> ns_per_joint(const RunReport& run, const CpuReport& cpu) {
  const auto sample = median_of(run, Stage::kSample);
  if (!sample || run.joints_evaluated == 0) return {};
  return *sample * 1e6 * cpu.threads / double(run.joints_evaluated);
}

std::optional<double> skinned_vertices_per_second(const RunReport& run) {
  const auto skin = median_of(run, run.skin_stage());
  if (!skin || *skin <= 0) return {};
  return double(run.work.skinned_vertices) / (*skin / 1e3);
}

uint64_t touched_bytes(const RunReport& run) {
  const uint64_t read = run.options.compact_palettes ? sizeof(Matrix3x4) / sizeof(CompactMatrix) : 1;  // once expanded
  return run.work.skinned_bytes + run.work.palette_bytes * read + run.work.mesh_bytes + run.work.job_bytes;
}

std::optional<double> skin_gb_per_second(const RunReport& run) {
  const auto skin = median_of(run, run.skin_stage());
  if (!skin || *skin <= 0) return {};
  return double(touched_bytes(run)) / (*skin / 1e3) / 1e9;
}

/// Repeats are less alike than frames, so that they come first, where there are enough of them.
TimeRatio speed_over_vertex(const Report& report, const RunReport& run) {
  const RunReport* vertex = vertex_run(report, run);
  if (!vertex) return {};
  const Stage stage = alternate(run, *vertex) ? Stage::kSubmission : Stage::kFrame;
  const double miss_share = kMaxMissShare / double(report.runs.size());
  const TimeRatio by_repeats = paired_ratio(repeat_medians(run[stage], run.repeats),
                                            repeat_medians((*vertex)[stage], vertex->repeats), miss_share);
  return by_repeats.is_known ? by_repeats : paired_ratio(run[stage], (*vertex)[stage], miss_share);
}

std::optional<double> skin_share_of_copy(const RunReport& run, const DeviceReport& device) {
  const auto speed = skin_gb_per_second(run);
  if (run.skinning == SkinningMode::kCpu || !speed || !device.copy_gb_per_second || *device.copy_gb_per_second <= 0)
    return {};
  return *speed / *device.copy_gb_per_second;
}

std::string preamble(const DeviceReport& device, const CpuReport& cpu, const std::optional<BakeReport>& bake) {
  const BuildReport build = this_build();
  std::string lines = text("device  %s (%s), driver %s, Vulkan %s\n", device.name.c_str(), device.type.c_str(),
                           or_unknown(device.driver).c_str(), device.api.c_str());
  lines += text("cpu     %s, %u %s, %s\n", or_unknown(cpu.name).c_str(), cpu.threads,
                noun(cpu.threads, "thread", "threads"), cpu.instruction_set.c_str());
  if (bake) {
    const std::string read = bake->read > 0 ? text(" (%u read from files)", bake->read) : "";
    lines += text("bake    %u %s in %s ms%s, within %.4f mm of the clips on a character of 1.8 m (%.4f asked)\n",
                  bake->models, noun(bake->models, "model", "models"), rounded(bake->ms).c_str(), read.c_str(),
                  bake->error_mm, bake->max_error_mm);
  }
  lines += text("sinew   %s, commit %s, %s build\n", build.version.c_str(), or_unknown(build.commit).c_str(),
                or_unknown(build.type).c_str());
  return lines;
}

std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings = report.bake ? report.bake->warnings : std::vector<std::string>();
  if (report.device.type == "cpu") warnings.push_back("this device is a CPU. Its times say nothing about a GPU.");
  if (!this_build().optimized)
    warnings.push_back("this build is not optimized. Its times say nothing; build in Release.");
  return warnings;
}

namespace {

/// What skinning and palettes work against. Empty for a window, which does not measure it.
std::string bandwidths(const Report& report) {
  std::string line;
  if (const auto& copy = report.device.copy_gb_per_second) line = "This device copies " + rounded(*copy) + " GB/s";
  if (const auto& store = report.cpu.store_gb_per_second)
    line += (line.empty() ? "This CPU stores " : "; the CPU stores ") + rounded(*store) + " GB/s";
  return line.empty() ? "" : line + ".\n";
}

}  // namespace

std::string table(const Report& report) {
  std::string lines;
  for (const RunReport& run : report.runs) {
    lines += "\n" + heading(run) + optimizations(run) + update_rate(run) + budget(run) + shadows(run) + counts(run) +
             copies(run) + async_compute(run) + evaluation(report, run) + device_clock(run) + overlap(run);
    lines += text("  %-*s", kNameWidth, "milliseconds");
    for (const Percentile& stated : kPercentiles) lines += text(" %9s", stated.name);
    lines += "   spread\n";
    for (const StageTimes& stage : stages_of(run)) lines += row(stage, run.repeats);
    lines += summary(report, run) + "\n" + comparison(report, run);
  }
  if (report.is_interrupted) lines += "Interrupted: the last run has fewer frames than were asked for.\n";
  return lines + bandwidths(report);
}

}  // namespace sinew::app
