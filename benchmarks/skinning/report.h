// The results of a run, printed as a table and written as JSON.
#pragma once

#include <string>
#include <vector>

#include "check.h"
#include "copy.h"

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

struct Report {
  std::string device, device_type, driver, api, model;
  uint32_t vertices = 0, joints = 0, frames = 0;
  double mean_influences = 0;
  bool palettes_in_device_memory = false;
  CopySpeed copy;
  std::vector<Row> rows;
};

/// Prints the device, its copy speed and the model.
void print_subject(const Report& report);

/// Prints the rows with one number of characters.
void print_rows(const Report& report, uint32_t characters);

/// Prints the time per vertex of "chosen" for each number of characters, relative to its best.
void print_scaling(const Report& report);

/// Writes the report as JSON. On failure no incomplete file is left; see write_file().
Status write_json(const Report& report, const std::string& path);

}  // namespace sinew::bench
