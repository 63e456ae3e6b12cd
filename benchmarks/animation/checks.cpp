#include "checks.h"
#include "asset/larger_error.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace sinew::bench {

using internal::larger_error;

namespace {

constexpr uint32_t kInstances = 203;  // not a multiple of the number of SIMD lanes
constexpr int kFrames = 5;
constexpr double kBaselineBound = 1e-4;
constexpr double kFloatError = 2e-3;    // millimeters: single-precision rounding, not in the bake's error
constexpr double kChainGain = 10;       // what chains make of the bake's error, within reach
constexpr float kPointDistance = 0.1f;  // meters: from a joint to the compared points

double largest_difference(std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k < 12; ++k) {
      largest = larger_error(largest, std::abs(double(a[i].m[k / 4][k % 4]) - b[i].m[k / 4][k % 4]));
    }
  }
  return largest;
}

/// Transforms points around each entry's joint by two palettes. Returns the largest distance in millimeters.
double largest_distance_mm(const Skin& skin, std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
  double largest = 0;
  for (size_t e = 0; e < skin.entries.size(); ++e) {
    const Matrix3x4d bind = inverse(skin.entries[e].joint_from_mesh);
    for (const float side : {-kPointDistance, kPointDistance}) {
      for (const Vec3 offset : {Vec3{side, 0, 0}, Vec3{0, side, 0}, Vec3{0, 0, side}}) {
        const Vec3 point = transform_point(bind, offset);
        const auto moved = [&](const Matrix3x4& m) { return transform_point(matrix_cast<double>(m), point); };
        largest = larger_error(largest, 1000 * double(length(moved(a[e]) - moved(b[e]))));
      }
    }
  }
  return largest;
}

/// The palettes of `playbacks` from the exact evaluator.
std::vector<Matrix3x4> evaluate_exact_or_throw(const Subject& subject, std::span<const Playback> playbacks,
                                               const ChainTargets& targets = {}) {
  const uint32_t stride = subject.palette_stride;
  std::vector<Matrix3x4> palettes(playbacks.size() * stride);
  EvaluationScratch scratch;
  if (!evaluate_exact(subject.character, playbacks, stride, palettes, scratch, subject.masks, targets))
    throw std::bad_alloc();
  return palettes;
}

/// Calls `compare(palette, exact palette)` for every instance in each frame, and returns the largest result.
template <class Compare>
double largest_over_frames(const Row& row, PaletteBuffer& buffer, Compare compare) {
  const uint32_t stride = row.subject.palette_stride;
  const uint32_t entries = row.subject.character.skin.palette_size();
  ChainTargets targets;
  if (row.chains != nullptr) targets = {*row.chains, first_targets(*row.targets, kInstances)};
  std::vector<Playback> playbacks = row.make_playbacks(kInstances);
  const std::span<Matrix3x4> palettes = buffer.first(size_t(kInstances) * stride);
  Matrix3x4 poison;
  for (auto& r : poison.m) std::fill(std::begin(r), std::end(r), NAN);
  double largest = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    row.next_frame(playbacks);
    std::fill(palettes.begin(), palettes.end(), poison);
    row.evaluate(playbacks, palettes);
    const std::vector<Matrix3x4> exact = evaluate_exact_or_throw(row.subject, playbacks, targets);
    for (size_t i = 0; i < kInstances; ++i) {
      largest = larger_error(
          largest, compare(palettes.subspan(i * stride, entries), std::span(exact).subspan(i * stride, entries)));
    }
  }
  return largest;
}

/// Checks the tutorial apart: each animator keeps its own time. The exact evaluator gets the same times.
Check check_tutorial(Subjects& subjects) {
  std::vector<Playback> playbacks = make_playbacks(kInstances, 1);
  std::vector<TutorialAnimator> animators;
  for (const Playback& playback : playbacks) {
    animators.emplace_back(subjects.tutorial, playback.layers[0].clip, playback.layers[0].time_seconds);
  }
  double largest = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    advance_times(playbacks, 1);
    const std::vector<Matrix3x4> exact = evaluate_exact_or_throw(subjects.rigid, playbacks);
    for (size_t i = 0; i < kInstances; ++i) {
      animators[i].update(kFrameSeconds);
      std::vector<Matrix3x4> palette(animators[i].matrices().size());
      for (size_t e = 0; e < palette.size(); ++e) {
        for (int k = 0; k < 12; ++k) palette[e].m[k / 4][k % 4] = animators[i].matrices()[e][k % 4][k / 4];
      }
      largest = larger_error(
          largest,
          largest_difference(palette, std::span(exact).subspan(i * subjects.rigid.palette_stride, palette.size())));
    }
  }
  return {"tutorial", largest, kBaselineBound, ""};
}

/// The bound of a row in millimeters. A blend's error exceeds the error of its clips, because the mean of quaternions
/// is shorter than they are. Its bound is therefore the error that the bake was allowed.
double crowd_bound(const Row& row) {
  const bool blends = row.make_playbacks(1)[0].layers[1].weight > 0;
  const double error = blends ? 1000 * double(BakeOptions().max_error) : bake_error_mm(row.subject.baked);
  return (row.chains == nullptr ? error : kChainGain * error) + kFloatError;
}

Check check_row(const Row& row, PaletteBuffer& buffer) {
  if (!row.name.starts_with("crowd")) {
    return {row.name, largest_over_frames(row, buffer, largest_difference), kBaselineBound, ""};
  }
  const auto distance = [&](std::span<const Matrix3x4> a, std::span<const Matrix3x4> b) {
    return largest_distance_mm(row.subject.character.skin, a, b);
  };
  return {row.name, largest_over_frames(row, buffer, distance), crowd_bound(row), " mm"};
}

}  // namespace

std::vector<Check> check_rows(Subjects& subjects) {
  std::vector<Check> checks = {check_tutorial(subjects)};
  for (const Row& row : make_rows(subjects)) {
    if (row.name != "exact") checks.push_back(check_row(row, subjects.palettes));
  }
  return checks;
}

double bake_error_mm(const BakedCharacter& baked) {
  float largest = 0;
  for (const BakedClip& clip : baked.clips) largest = larger_error(largest, clip.error);
  return 1000 * double(largest);
}

}  // namespace sinew::bench
