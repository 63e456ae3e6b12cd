// EXPERIMENTAL: may change or go in any version. How CrowdEvaluator writes palettes, for benchmarks and tests.
#pragma once

#include <cstdint>
#include <span>

#include "sinew/animation/evaluator.h"
#include "sinew/api.h"
#include "sinew/asset/math.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"

namespace sinew::experimental {

/// Streaming stores bypass the caches: faster if the palettes do not fit the caches, slower if they do. kAuto, as in
/// CrowdEvaluator::evaluate(), streams above 8 MiB of palettes per call.
enum class StoreMode : uint8_t { kAuto, kCached, kStreaming };

/// CrowdEvaluator::evaluate() with a choice of stores. The palettes are the same.
SINEW_API Status evaluate(const CrowdEvaluator& evaluator, std::span<const Playback> instances, uint32_t palette_stride,
                          std::span<Matrix3x4> palettes, const ParallelFor& parallel_for, StoreMode store_mode);

}  // namespace sinew::experimental
