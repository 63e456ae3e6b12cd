// How to bake, as C++ takes it.
#pragma once

#include "sinew/asset/baked_character.h"
#include "sinew/c/animation.h"

namespace sinew::c {

inline BakeOptions bake_options(const SinewBakeOptions& given) {
  BakeOptions options;
  if (given.max_error != 0) options.max_error = given.max_error;
  if (given.error_radius != 0) options.error_radius = given.error_radius;
  if (given.min_frames_per_second != 0) options.min_frames_per_second = given.min_frames_per_second;
  if (given.max_frames_per_second != 0) options.max_frames_per_second = given.max_frames_per_second;
  return options;
}

}  // namespace sinew::c
