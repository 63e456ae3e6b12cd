#include "summary.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <span>
#include <utility>

#include "store.h"

namespace sinew::bench {
namespace {

using Medians = std::map<std::string, MedianReporter::Median>;

#ifdef __clang__
constexpr const char* kCompiler = __VERSION__;  // contains the compiler's name
#else
constexpr const char* kCompiler = "g++ " __VERSION__;
#endif
constexpr const char* kRows[] = {
    "tutorial",           "flat_glm",     "exact",           "crowd",        "crowd_seek",
    "crowd_blend2",       "crowd_masked", "crowd_scale",     "crowd_chains", "crowd_chains_neck",
    "crowd_chains_tenth", "crowd_cached", "crowd_streaming", "store",        "store_cached",
    "store_streaming"};
constexpr const char* kLibraryRows[] = {"tutorial",     "exact",        "crowd",      "crowd_seek",
                                        "crowd_blend2", "crowd_masked", "crowd_scale"};
constexpr const char* kCrowdRows[] = {"crowd_seek",   "crowd_blend2",      "crowd_masked",      "crowd_scale",
                                      "crowd_chains", "crowd_chains_neck", "crowd_chains_tenth"};

std::optional<MedianReporter::Median> find(const Medians& medians, const std::string& row, uint32_t instances) {
  const auto found = medians.find(row + "/" + std::to_string(instances));
  if (found == medians.end()) return {};
  return found->second;
}

/// Prints one line per row, one column per instance count. `cell` returns a value, or nothing if the row was not run.
template <class Cell>
void print_table(const char* title, std::span<const char* const> rows, Cell cell) {
  const auto shown = [&](const char* row) {
    return std::any_of(std::begin(kInstanceCounts), std::end(kInstanceCounts),
                       [&](uint32_t instances) { return cell(row, instances).has_value(); });
  };
  if (std::none_of(rows.begin(), rows.end(), shown)) return;
  std::printf("\n%-32s", title);
  for (const uint32_t instances : kInstanceCounts) std::printf("%10u", instances);
  std::printf("\n");
  for (const char* row : rows) {
    if (!shown(row)) continue;
    std::printf("  %-30s", row);
    for (const uint32_t instances : kInstanceCounts) {
      const std::optional<double> number = cell(row, instances);
      number ? std::printf("%10.2f", *number) : std::printf("%10s", "-");
    }
    std::printf("\n");
  }
}

/// The time per joint of `above`, divided by that of `below`.
std::optional<double> ratio(const Medians& medians, const std::string& above, const std::string& below,
                            uint32_t instances) {
  const auto a = find(medians, above, instances), b = find(medians, below, instances);
  if (!a || !b) return {};
  return a->ns_per_joint / b->ns_per_joint;
}

void print_bandwidth(const Medians& medians, size_t palette_bytes) {
  bool titled = false;
  for (const uint32_t instances : kInstanceCounts) {
    const auto crowd = find(medians, "crowd", instances), store = find(medians, "store", instances);
    const auto cached = find(medians, "store_cached", instances),
               streaming = find(medians, "store_streaming", instances);
    if (!crowd || !store || !cached || !streaming) continue;
    if (!std::exchange(titled, true)) std::printf("\nGB/s of palettes\n");
    const bool streams = crowd_streams(instances * palette_bytes);
    std::printf("  %5u instances: crowd %.1f, %.0f %% of store, which is %s; cached stores %.1f, streaming %.1f\n",
                instances, crowd->gb_per_second, 100 * store->ns_per_joint / crowd->ns_per_joint,
                streams ? "streaming" : "cached", cached->gb_per_second, streaming->gb_per_second);
  }
}

void print_threads(const Medians& medians) {
  if (!find(medians, "crowd_threads2", kThreadedInstances)) return;
  std::printf("\nTwo threads, %u instances, wall time: as fast as one\n", kThreadedInstances);
  for (const std::string row : {"crowd", "store"}) {
    const auto one = find(medians, row, kThreadedInstances), two = find(medians, row + "_threads2", kThreadedInstances);
    if (one && two) std::printf("  %-30s%10.2f times\n", row.c_str(), one->wall_time / two->wall_time);
  }
  if (const auto share = ratio(medians, "store_threads2", "crowd_threads2", kThreadedInstances)) {
    std::printf("  %-30s%10.0f %% of what two threads store\n", "crowd", *share * 100);
  }
}

}  // namespace

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string name = "unknown", family, model;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1), value = line.substr(colon + 2);
    if (key == "model name") name = value;
    if (key == "cpu family") family = value;
    if (key == "model") model = value;
  }
  return family.empty() ? name : name + " (family " + family + ", model " + model + ")";
}

void MedianReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    const bool is_median = run.run_type == Run::RT_Aggregate && run.aggregate_name == "median";
    if (!is_median && runs.size() > 1) continue;  // a single repetition has no aggregates
    const auto counter = [&](const char* name) { return run.counters.at(name).value; };
    runs_.push_back(run);
    medians_[run.run_name.str()] = {counter("ns_per_joint"), counter("gb_per_second"), run.GetAdjustedRealTime()};
  }
}

void MedianReporter::Finalize() {
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
    return std::pair(a.family_index, a.per_family_instance_index) <
           std::pair(b.family_index, b.per_family_instance_index);
  });
  ConsoleReporter::ReportRuns(runs_);
}

void print_subjects(const Subjects& subjects, const std::vector<Check>& checks) {
  const Character& character = subjects.rigid.character;
  std::printf("CPU           %s; widest store %zu bytes\n", cpu_name().c_str(), store_width_bytes());
  std::printf("instructions  %s (of the library; SINEW_SIMD chooses)\n", subjects.rigid.crowd.instruction_set());
  std::printf("compiler      %s, baselines -O3 -DNDEBUG\n", kCompiler);
  std::printf("workload      %u joints, depth %u, %u clips of %.1f s at %.0f Hz, palette %u bytes\n",
              character.skeleton.joint_count(), depth_of(character.skeleton), kClipCount, double(kClipSeconds),
              double(kKeysPerSecond), unsigned(subjects.rigid.palette_stride * sizeof(Matrix3x4)));
  for (const Subject* subject : {&subjects.rigid, &subjects.scaling}) {
    const BakedCharacter& baked = subject->baked;
    std::printf("bake          %s: error %.4f mm, asked %.4f; %.0f Hz, %zu bytes\n", subject->character.name.c_str(),
                bake_error_mm(baked), 1000 * double(BakeOptions().max_error),
                double(baked.clips[0].times.frames_per_second), baked.frames.size() * sizeof(BakedCacheLine));
  }
  for (const Check& check : checks) {
    std::printf("check         %-16s %.6f%s from exact, at most %.6f: %s\n", check.row.c_str(), check.error, check.unit,
                check.bound, check.passed() ? "passed" : "FAILED");
  }
#ifndef NDEBUG
  std::printf("NOT OPTIMIZED: this build has assertions on; its numbers mean nothing\n");
#endif
}

void print_ratios(const Medians& medians, size_t palette_bytes) {
  print_table("ns per joint", {kRows}, [&](const char* row, uint32_t instances) -> std::optional<double> {
    const auto median = find(medians, row, instances);
    if (!median) return {};
    return median->ns_per_joint;
  });
  print_table("times as fast as flat_glm", {kLibraryRows},
              [&](const char* row, uint32_t instances) { return ratio(medians, "flat_glm", row, instances); });
  print_table("times what store costs", {kLibraryRows},
              [&](const char* row, uint32_t instances) { return ratio(medians, row, "store", instances); });
  print_table("times what crowd costs", {kCrowdRows},
              [&](const char* row, uint32_t instances) { return ratio(medians, row, "crowd", instances); });
  print_bandwidth(medians, palette_bytes);
  print_threads(medians);
  std::fflush(stdout);
}

}  // namespace sinew::bench
