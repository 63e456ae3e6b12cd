// The stages of a frame, and the statistics of their times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinew::app {

/// Milliseconds, one value for each measured frame, in the order of the frames. Empty: not measured.
using Samples = std::vector<double>;

/// Those before kFrame are the parts of a frame, those of the CPU first.
enum class Stage : uint8_t {
  kCull,        // CPU: the plan
  kSample,      // CPU: evaluation of palettes
  kRecord,      // CPU
  kCpuSkin,     // where the CPU skins
  kUpload,      // GPU, by timestamps, as kSkin and kDraw
  kSkin,        // where the GPU skins
  kDraw,        // all passes
  kFrame,       // from the end of one frame to the end of the next, see add_times()
  kSubmission,  // from submission to completion; only where several modes run alternately
};
inline constexpr size_t kStageCount = 7, kCpuStageCount = 4, kTimeCount = 9;  // kTimeCount: frame and submission too

/// Text, CSV, JSON, comparisons and graphs have their stages from this table.
struct StageRow {
  Stage stage;
  const char *name, *graph_name;  // "gpu skin", "skin"
  const char* json;               // where a run of the report has it: a JSON pointer
};
/// In the order of tables.
std::span<const StageRow> all_stages();

/// The smallest sample such that at least this share of the samples, from 0 to 1, is not above it (nearest-rank
/// method): percentile(samples, 0.5) is the lower median, percentile(samples, 1) the largest. None where there are no
/// samples.
std::optional<double> percentile(Samples samples, double share);

/// What is stated of the times of a stage, besides their spread.
struct Percentile {
  const char* name;
  double share;
};
inline constexpr Percentile kPercentiles[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"max", 1}};

/// Times that vary by more have two digits instead of three, see digits_for().
inline constexpr double kNoisySpread = 0.05;

/// The median of each repeat. None where the samples are not those of `repeats` equal repeats.
std::vector<double> repeat_medians(const Samples& samples, uint32_t repeats);

/// Divides each repeat into equal parts, so that all repeats together have kMinRepeats parts or more (where there are
/// fewer frames, a part for each), and returns the median of each. Frames that are left over are the first of a repeat.
/// None as above.
std::vector<double> part_medians(const Samples& samples, uint32_t repeats);

/// spread_of() the medians of the repeats; with one repeat, of its parts. None without samples.
std::optional<double> spread_of(const Samples& samples, uint32_t repeats);

/// How many digits of times to show: 2 where they are noisy, else 3; and 3 where 2 would show different ones as equal.
int digits_for(std::span<const double> times, bool noisy);
/// Those of the percentiles of a stage, by spread_of().
int digits_of(const Samples& samples, uint32_t repeats);

}  // namespace sinew::app
