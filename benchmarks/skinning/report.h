// The results of a run, printed as a table and written as JSON.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "gpu/compute.h"
#include "outfit.h"

namespace sinew::bench {

/// The result of one variant at one number of characters. Times are device time.
struct Row {
  std::string variant;
  uint32_t format = 0, vertex_bytes = 0, characters = 0;
  uint64_t vertices = 0, bytes = 0;
  double median_seconds = 0, p10_seconds = 0;
  double ratio_to_reference = 0;  // of median times, at the same number of characters
  Check check;

  double vertices_per_second() const { return double(vertices) / median_seconds; }
  double gb_per_second() const { return double(bytes) / median_seconds / 1e9; }
};

/// What each part of the kernel alone reaches for one size of a vertex, in vertices a second, and what the whole does.
struct Bounds {
  uint32_t characters = 0, vertex_bytes = 0;
  double stores = 0, gathers = 0, arithmetic = 0, chosen = 0;

  double lowest() const { return std::min({stores, gathers, arithmetic}); }
  double share() const { return chosen / lowest(); }
};

/// Other work of a frame than skinning, for the same crowd. Medians.
struct FrameWork {
  uint32_t characters = 0;
  double convert_on_device_seconds = 0, convert_on_cpu_seconds = 0;  // palettes for dual quaternions; one thread
  double palettes_seconds = 0, weights_seconds = 0;  // the crowd evaluator, one thread; 0 without morph targets
};

struct Report {
  std::string device, device_type, driver, api, model;
  uint32_t vertices = 0, joints = 0, frames = 0;
  double mean_influences = 0;
  bool palettes_in_device_memory = false;
  app::CopySpeed copy;
  std::vector<Row> rows;
  std::vector<Bounds> bounds;  // empty without --bounds
  std::vector<FrameWork> work;
  std::vector<std::pair<uint32_t, std::vector<OutfitRow>>> outfits;  // of each number of characters
};

/// Prints the device, its copy speed and the model.
void print_subject(const Report& report);

/// Prints the rows with one number of characters.
void print_rows(const Report& report, uint32_t characters);

/// Of the rows with one number of characters, by size of a vertex; none where their parts were not measured.
std::vector<Bounds> bounds_of(const Report& report, uint32_t characters);
void print_bounds(std::span<const Bounds> bounds);

/// Prints what else a frame does.
void print_work(const FrameWork& work);

/// Prints the time per vertex of "chosen" for each number of characters, relative to its best.
void print_scaling(const Report& report);

/// Writes the report as JSON. On failure no incomplete file is left; see write_file().
Status write_json(const Report& report, const std::string& path);

}  // namespace sinew::bench
