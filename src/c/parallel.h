// The host's parallel loop.
#pragma once

#include "sinew/asset/parallel.h"
#include "sinew/c/base.h"

namespace sinew::c {

inline ParallelFor loop_of(const SinewParallelFor* given) {
  if (given == nullptr) return {};
  return {given->user_data, given->run};
}

}  // namespace sinew::c
