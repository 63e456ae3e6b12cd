// What to import, as C++ takes it.
#pragma once

#include "border.h"
#include "sinew/c/import.h"
#include "sinew/import/import.h"

namespace sinew::c {

inline ImportOptions import_options(const SinewImportOptions& given) {
  ImportOptions options;
  for (const char* path : array(given.animation_files, given.animation_file_count, "options->animation_files"))
    options.animation_files.push_back(&required(path, "a path in options->animation_files"));
  options.max_influences = given.max_influences;
  options.tangents = given.tangents != 0;
  options.normal_map_tangents = given.normal_map_tangents != 0;
  options.ticks_per_second = given.ticks_per_second;
  options.images = given.without_images == 0;
  options.allow_no_mesh = given.allow_no_mesh != 0;
  return options;
}

inline IsolationOptions isolation_options(const SinewImportOptions& given) {
  IsolationOptions isolation;
  if (given.worker != nullptr) isolation.program = given.worker;
  isolation.seconds = given.seconds;
  isolation.memory_bytes = given.memory_bytes;
  return isolation;
}

}  // namespace sinew::c
