// Compact palettes of CrowdEvaluator are its matrices, within the bound of CompactMatrix.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "asset/larger_error.h"
#include "lanes/lane_code.h"
#include "rig.h"

namespace sinew {
namespace {

using internal::available_lane_code;
using internal::LaneCode;

std::vector<Playback> random_playbacks(const BakedCharacter& baked, size_t count, uint32_t max_layers) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> time(-0.1f, 1.1f), weight(0.1f, 2.0f);
  std::vector<Playback> instances(count);
  for (Playback& playback : instances) {
    for (uint32_t l = 0; l < 1 + random() % max_layers; ++l)
      playback.layers[l] = {uint32_t(random() % baked.clips.size()), time(random), weight(random)};
  }
  return instances;
}

/// Room for compact palettes, `offset` elements after a cache line, filled with 0xcc.
class CompactPalettes {
 public:
  CompactPalettes(size_t instances, uint32_t stride, uint32_t offset)
      : stride_(stride), offset_(offset), lines_(instances * stride / 4 + 2) {
    std::memset(static_cast<void*>(lines_.data()), 0xcc, lines_.size() * sizeof(Line));
  }
  std::span<CompactMatrix> all() { return {&lines_[0].matrices[0] + offset_, lines_.size() * 4 - offset_}; }
  const CompactMatrix& of(size_t instance, uint32_t entry) { return all()[instance * stride_ + entry]; }

 private:
  struct alignas(64) Line {
    CompactMatrix matrices[4];
  };
  uint32_t stride_, offset_;
  std::vector<Line> lines_;
};

/// The largest distance of a moved point, over its bound.
double share_of_bound(const Matrix3x4& matrix, const Matrix3x4& again) {
  double share = 0;
  for (const Vec3 point : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, 0}}) {
    const Vec3 moved = transform_point(matrix, point);
    const double bound = 9e-6 * double(length(point)) + 4e-6 * double(length(moved)) + 1e-9;
    share = std::max(share, double(length(transform_point(again, point) - moved)) / bound);
  }
  return share;
}

TEST(CompactPalettes, AreTheMatricesWithEveryLaneCode) {
  for (const uint32_t joints : {1u, 29u, 60u}) {
    const BakedCharacter baked = *bake(test::random_rig({.joints = joints}));
    const std::vector<Playback> instances = random_playbacks(baked, 77, 3);
    test::Palettes matrices(77, baked.palette_size);
    const uint32_t stride = uint32_t(palette_stride(baked.palette_size));
    for (const LaneCode& lane_code : available_lane_code()) {
      const CrowdEvaluator evaluator(baked, lane_code.name);
      ASSERT_TRUE(evaluator.evaluate(instances, matrices.stride(), matrices.all()));
      for (const uint32_t offset : {0u, 1u}) {  // in place, and copied
        CompactPalettes compact(77, stride, offset);
        ASSERT_TRUE(evaluator.evaluate(instances, stride, compact.all()));
        double largest = 0;
        for (size_t i = 0; i < 77; ++i) {
          for (uint32_t e = 0; e < baked.palette_size; ++e)
            largest = sinew::internal::larger_error(
                largest, share_of_bound(matrices.of(i)[e], expand(compact.of(i, e), baked.scale)));
        }
        EXPECT_LE(largest, 1) << lane_code.name << ' ' << joints;
        EXPECT_EQ(compact.of(76, stride).words[0], 0xccccccccu) << "written beyond the last palette";
      }
    }
  }
}

/// Past the caches, as a large crowd is written.
TEST(CompactPalettes, AreTheSameWhereTheyAreStreamed) {
  const BakedCharacter baked = *bake(test::random_rig({.joints = 40}));
  const std::vector<Playback> few = random_playbacks(baked, 64, 2);
  std::vector<Playback> many;
  while (many.size() < 16384) many.insert(many.end(), few.begin(), few.end());
  const CrowdEvaluator evaluator(baked);
  CompactPalettes small(few.size(), 40, 0), large(many.size(), 40, 0);
  ASSERT_TRUE(evaluator.evaluate(few, 40, small.all()));
  ASSERT_TRUE(evaluator.evaluate(many, 40, large.all()));
  for (size_t i = 0; i < many.size(); i += 61) {
    for (uint32_t e = 0; e < 40; ++e)
      ASSERT_EQ(std::memcmp(&large.of(i, e), &small.of(i % few.size(), e), sizeof(CompactMatrix)), 0) << i;
  }
}

TEST(CompactPalettes, AreRefusedWhereJointsScale) {
  const BakedCharacter baked = *bake(test::random_rig({.joints = 5, .scaling = test::Scaling::kUniform}));
  ASSERT_TRUE(baked.scales());
  CompactPalettes compact(1, 8, 0);
  const Playback rest;
  const Status status = CrowdEvaluator(baked).evaluate({&rest, 1}, 8, compact.all());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(compact.of(0, 0).words[0], 0xccccccccu);
  EXPECT_FALSE(CrowdEvaluator().evaluate({&rest, 1}, 8, compact.all()));
}

}  // namespace
}  // namespace sinew
