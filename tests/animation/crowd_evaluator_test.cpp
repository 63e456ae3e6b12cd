#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include "asset/for_each.h"
#include "lanes/lane_code.h"
#include "rig.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "threads.h"

namespace sinew {

using namespace internal;

namespace {

using test::Palettes;
using test::random_rig;
using test::RigOptions;
using test::Scaling;

/// A character whose last of several clips is additive, its bake, two masks, and playbacks for a crowd of it.
struct Crowd {
  Character character;
  BakedCharacter baked;
  std::vector<std::vector<float>> masks{2};

  explicit Crowd(const RigOptions& options) : character(random_rig(options)) {
    if (Clip& last = character.clips.back(); options.clips > 2) {
      std::vector<Transform> first(options.joints);
      sample_clip(last, character.skeleton, last.start_seconds, first);
      last = *make_additive(last, character.skeleton, first);
    }
    baked = std::move(*bake(character));
    std::mt19937 random(options.seed);
    for (std::vector<float>& mask : masks) {
      for (uint32_t joint = 0; joint < options.joints; ++joint)
        mask.push_back(random() % 3 == 0 ? 0 : float(random() % 100) / 50);
    }
  }

  CrowdEvaluator evaluator(std::string_view instruction_set = {}) const {
    CrowdEvaluator made(baked, instruction_set);
    for (const std::vector<float>& mask : masks) EXPECT_TRUE(made.add_mask(mask));
    return made;
  }

  Palettes evaluate(std::span<const Playback> instances, std::string_view instruction_set = {},
                    const ParallelFor& parallel_for = {}, StoreMode store_mode = StoreMode::kAuto) const {
    Palettes palettes(instances.size(), baked.palette_size);
    EXPECT_TRUE(evaluator(instruction_set)
                    .evaluate({.instances = instances,
                               .palette_stride = palettes.stride(),
                               .palettes = palettes.all(),
                               .store_mode = store_mode},
                              parallel_for));
    return palettes;
  }

  /// Instances of one to four layers each, at random times, some of them far outside of the clips.
  std::vector<Playback> random_playbacks(size_t count, uint32_t seed = 1) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> time(-0.1f, 1.1f), weight(0.1f, 2.0f);
    std::vector<Playback> instances(count);
    for (Playback& playback : instances) {
      for (uint32_t l = 0; l < 1 + random() % kMaxLayers; ++l) {
        const float far[] = {-INFINITY, INFINITY, -1e30f, 1e30f};
        playback.layers[l] = {uint32_t(random() % baked.clips.size()),
                              random() % 16 == 0 ? far[random() % 4] : time(random), weight(random),
                              uint32_t(random() % 3)};
      }
    }
    return instances;
  }
};

bool same_bytes(Palettes& a, Palettes& b) {
  return std::memcmp(a.all().data(), b.all().data(), a.all().size_bytes()) == 0;
}

bool all_finite(std::span<const Matrix3x4> palette) {
  for (const Matrix3x4& matrix : palette) {
    for (const auto& row : matrix.m) {
      for (const float value : row) {
        if (!std::isfinite(value)) return false;
      }
    }
  }
  return true;
}

TEST(Pieces, CoverAnyCountOnce) {
  for (const uint32_t count : {0u, 1u, 64u, 65u, 1024u, 1025u, 100001u, 1u << 31, UINT32_MAX - 1, UINT32_MAX}) {
    const Pieces pieces(count, 64);
    uint32_t next = 0;
    ASSERT_LE(pieces.count(), 16u);
    for (uint32_t piece = 0; piece < pieces.count(); ++piece) {
      ASSERT_EQ(pieces.begin(piece), next) << count;
      ASSERT_GT(pieces.end(piece), next) << count;
      next = pieces.end(piece);
    }
    ASSERT_EQ(next, count);
  }
}

class EveryLaneCode : public testing::TestWithParam<Scaling> {
 protected:
  Crowd crowd{{.joints = 29, .scaling = GetParam()}};
};

std::string name_of(Scaling scaling) {
  return scaling == Scaling::kNone ? "Rigid" : scaling == Scaling::kUniform ? "UniformScale" : "ScalePerAxis";
}

INSTANTIATE_TEST_SUITE_P(CrowdEvaluator, EveryLaneCode,
                         testing::Values(Scaling::kNone, Scaling::kUniform, Scaling::kPerAxis),
                         [](const auto& given) { return name_of(given.param); });

TEST_P(EveryLaneCode, AgreesWithTheScalarOne) {
  const std::vector<Playback> instances = crowd.random_playbacks(100);
  Palettes scalar = crowd.evaluate(instances, "scalar");
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    EXPECT_LT(test::largest_distance(crowd.character, scalar, palettes, 0.1), 1e-5) << lane_code.name;
  }
}

TEST_P(EveryLaneCode, AgreesWithTheExactEvaluator) {
  const std::vector<Playback> instances = crowd.random_playbacks(500);
  Palettes exact = test::evaluate_exact(crowd.character, instances, crowd.masks);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    EXPECT_LT(test::largest_distance(crowd.character, exact, palettes, 0.1), 5e-4) << lane_code.name;
  }
}

TEST_P(EveryLaneCode, WritesWholeCacheLinesOfEachPaletteAndNothingElse) {
  for (const LaneCode& lane_code : available_lane_code()) {
    for (uint32_t count = 1; count <= 33; ++count) {
      const std::vector<Playback> instances = crowd.random_playbacks(count, count);
      // The stride is 4 matrices longer than needed, and one palette before and after the output stays NaN.
      const uint32_t used = (crowd.baked.palette_size + 3) / 4 * 4, stride = used + 4;
      Palettes guarded(count + 2, stride);
      Palettes expected = crowd.evaluate(instances, lane_code.name);
      const auto inside = guarded.all().subspan(stride, count * stride);
      ASSERT_TRUE(crowd.evaluator(lane_code.name).evaluate(instances, stride, inside));
      for (size_t i = 0; i < guarded.all().size(); ++i) {
        const size_t instance = i / stride, entry = i % stride;
        const bool palette = instance >= 1 && instance <= count && entry < used;
        ASSERT_EQ(std::isnan(guarded.all()[i].m[1][2]), !palette) << lane_code.name << ", " << count << ": " << i;
        if (!palette || entry >= crowd.baked.palette_size) continue;
        ASSERT_EQ(std::memcmp(&guarded.all()[i], &expected.of(instance - 1)[entry], 48), 0) << lane_code.name;
      }
    }
  }
}

/// Memory without alignment: every multiple of 4 bytes, and several strides.
TEST_P(EveryLaneCode, WritesTheSameBytesToAnyAddressAndStride) {
  const std::vector<Playback> instances = crowd.random_playbacks(37);
  const size_t palette_bytes = crowd.baked.palette_size * sizeof(Matrix3x4);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes expected = crowd.evaluate(instances, lane_code.name);
    for (const StoreMode store_mode : {StoreMode::kCached, StoreMode::kStreaming}) {
      for (uint32_t extra = 0; extra < 5; ++extra) {
        for (size_t offset = 0; offset < 64; offset += 4) {
          const uint32_t stride = crowd.baked.palette_size + extra;
          Palettes room(instances.size() + 1, stride + 4);
          float* const first = &room.all()[0].m[0][0] + offset / sizeof(float);
          const std::span palettes(reinterpret_cast<Matrix3x4*>(first), instances.size() * stride);
          ASSERT_TRUE(crowd.evaluator(lane_code.name)
                          .evaluate({.instances = instances,
                                     .palette_stride = stride,
                                     .palettes = palettes,
                                     .store_mode = store_mode}));
          const auto where = testing::Message() << lane_code.name << ", stride " << stride << ", offset " << offset;
          for (size_t i = 0; i < instances.size(); ++i) {
            ASSERT_EQ(std::memcmp(&palettes[i * stride], expected.of(i).data(), palette_bytes), 0)
                << where << ": " << i;
          }
          ASSERT_TRUE(offset == 0 || std::isnan(first[-1])) << where;
          const bool on_cache_lines = offset == 0 && stride % 4 == 0;
          ASSERT_TRUE(on_cache_lines || extra == 0 || std::isnan(palettes.back().m[0][0])) << where;
          ASSERT_TRUE(std::isnan(first[palettes.size() * 12])) << where;
        }
      }
    }
  }
}

TEST_P(EveryLaneCode, GivesTheSameBytesWithOrWithoutOtherInstances) {
  const std::vector<Playback> instances = crowd.random_playbacks(50);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes together = crowd.evaluate(instances, lane_code.name);
    for (size_t i = 0; i < instances.size(); ++i) {
      Palettes alone = crowd.evaluate({&instances[i], 1}, lane_code.name);
      ASSERT_EQ(std::memcmp(alone.of(0).data(), together.of(i).data(), together.of(i).size_bytes()), 0)
          << lane_code.name;
    }
  }
}

TEST_P(EveryLaneCode, GivesFiniteMatricesForAnyPlayback) {
  const float values[] = {0, 1, -1, 1e30f, INFINITY, -INFINITY, NAN, 1e-42f};
  std::vector<Playback> instances = crowd.random_playbacks(2000);
  std::mt19937 random(1);
  for (Playback& playback : instances) {
    for (Layer& layer : playback.layers) {
      if (random() % 2 == 0) layer.weight = values[random() % 8];
      if (random() % 4 == 0) layer.time_seconds = values[random() % 8];
      if (random() % 8 == 0) layer.mask = 0xffffffff;
      if (random() % 16 == 0) layer.clip = uint32_t(random());
    }
  }
  crowd.masks[0].assign(29, kMaxMaskFactor), crowd.masks[1].assign(29, 0);
  Palettes exact = test::evaluate_exact(crowd.character, instances, crowd.masks);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    for (size_t i = 0; i < instances.size(); ++i)
      ASSERT_TRUE(all_finite(palettes.of(i)) && all_finite(exact.of(i))) << lane_code.name << ", playback " << i;
  }
}

TEST(CrowdEvaluator, AnyNumberOfThreadsGivesTheSameBytes) {
  const Crowd crowd({.joints = 40});
  const std::vector<Playback> instances = crowd.random_playbacks(12000);  // enough to sort on several threads
  Palettes serial = crowd.evaluate(instances);
  for (size_t first = 0; first < instances.size(); first += 1000) {
    Palettes part = crowd.evaluate(std::span(instances).subspan(first, 1000));
    const auto same = serial.all().subspan(first * serial.stride(), part.all().size());
    EXPECT_EQ(std::memcmp(part.all().data(), same.data(), same.size_bytes()), 0) << first;
  }
  for (uint32_t threads : {1, 2, 8}) {
    Palettes parallel = crowd.evaluate(instances, {}, test::on_threads(threads));
    EXPECT_TRUE(same_bytes(serial, parallel)) << threads;
  }
}

/// A joint's quaternion is the product of all rotations above it, whose lengths multiply as well.
TEST(CrowdEvaluator, MatricesStayFiniteAlongAChain) {
  RigOptions short_chain{
      .joints = 60, .clips = 2, .duration_seconds = 0.3f, .swing = 3, .branching = 0, .bone_length = 1e-3f};
  RigOptions long_chain = short_chain, half_turns = short_chain;
  long_chain.joints = 300;
  half_turns.joints = 600, half_turns.duration_seconds = 1, half_turns.keys_per_second = 2, half_turns.swing = 6.28f;
  half_turns.interpolation = Interpolation::kStep;
  for (const RigOptions& options : {short_chain, long_chain, half_turns}) {
    const Crowd crowd(options);
    std::vector<Playback> instances = crowd.random_playbacks(20);
    for (int i = 0; i < 400; ++i) instances.push_back({{{0, float(i) / 400, 1}}});
    for (const LaneCode& lane_code : available_lane_code()) {
      Palettes palettes = crowd.evaluate(instances, lane_code.name);
      for (size_t i = 0; i < instances.size(); ++i)
        ASSERT_TRUE(all_finite(palettes.of(i))) << lane_code.name << ", " << options.joints << " joints: " << i;
    }
  }
}

TEST(CrowdEvaluator, WideTreesKeepTheStateOfEveryParent) {
  // Joints have several children: a state must stay until the last child is evaluated.
  for (uint32_t seed = 1; seed < 20; ++seed) {
    const Crowd crowd({.joints = 10 * seed, .clips = 1, .swing = 0.1f, .branching = 1 + seed % 4, .seed = seed});
    const std::vector<Playback> instances = crowd.random_playbacks(3);
    Palettes exact = test::evaluate_exact(crowd.character, instances, crowd.masks), baked = crowd.evaluate(instances);
    EXPECT_LT(test::largest_distance(crowd.character, exact, baked, 0.1), 3e-4) << seed;
  }
}

TEST(CrowdEvaluator, WithoutInstancesOrEntriesNothingIsWritten) {
  Crowd crowd({.joints = 3});
  EXPECT_TRUE(std::isnan(crowd.evaluate({}).all()[0].m[0][0]));
  crowd.character.skin.entries.clear();
  crowd.baked = std::move(*bake(crowd.character));
  const Playback playback;
  Palettes untouched(1, 4);
  EXPECT_TRUE(CrowdEvaluator(crowd.baked).evaluate({&playback, 1}, 4, untouched.all()));
  EXPECT_TRUE(std::isnan(untouched.all()[0].m[0][0]));
}

TEST(CrowdEvaluator, TooSmallOutputIsRefusedBeforeAnythingIsWritten) {
  const Crowd crowd({.joints = 7});
  const std::vector<Playback> instances = crowd.random_playbacks(3);
  const uint32_t size = crowd.baked.palette_size;
  EvaluationScratch scratch;
  const auto evaluators = {
      std::function([&](uint32_t stride, std::span<Matrix3x4> palettes) {
        return CrowdEvaluator(crowd.baked).evaluate(instances, stride, palettes);
      }),
      std::function([&](uint32_t stride, std::span<Matrix3x4> palettes) {
        return evaluate_exact(crowd.character, instances, stride, palettes, scratch);
      }),
  };
  for (const auto& evaluate : evaluators) {
    Palettes room(3, size + 1);
    const std::span<Matrix3x4> all = room.all();
    for (const auto& [stride, palettes] : {std::pair(size - 1, all), std::pair(size, all.first(3 * size - 1))}) {
      const Status refused = evaluate(stride, palettes);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
      EXPECT_TRUE(std::isnan(all[0].m[0][0]));
    }
    EXPECT_TRUE(evaluate(size, all.first(3 * size)));
  }
}

// --- compact palettes: the matrices, within the bound of CompactMatrix ---

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
    share = test::larger(share, double(length(transform_point(again, point) - moved)) / bound);
  }
  return share;
}

TEST(CompactPalettes, AreTheMatricesWithEveryLaneCode) {
  for (const uint32_t joints : {1u, 29u, 60u}) {
    const Crowd crowd({.joints = joints, .clips = 2});
    const std::vector<Playback> instances = crowd.random_playbacks(77);
    const uint32_t size = crowd.baked.palette_size, stride = uint32_t(palette_stride(size));
    for (const LaneCode& lane_code : available_lane_code()) {
      Palettes matrices = crowd.evaluate(instances, lane_code.name);
      for (const uint32_t offset : {0u, 1u}) {  // in place, and copied
        CompactPalettes compact(77, stride, offset);
        ASSERT_TRUE(crowd.evaluator(lane_code.name).evaluate(instances, stride, compact.all()));
        double largest = 0;
        for (size_t i = 0; i < 77; ++i) {
          for (uint32_t e = 0; e < size; ++e)
            largest =
                test::larger(largest, share_of_bound(matrices.of(i)[e], expand(compact.of(i, e), crowd.baked.scale)));
        }
        EXPECT_LE(largest, 1) << lane_code.name << ' ' << joints;
        EXPECT_EQ(compact.of(76, stride).words[0], 0xccccccccu) << "written beyond the last palette";
      }
    }
  }
}

/// Past the caches, as a large crowd is written.
TEST(CompactPalettes, AreTheSameWhereTheyAreStreamed) {
  const Crowd crowd({.joints = 40, .clips = 2});
  const std::vector<Playback> few = crowd.random_playbacks(64);
  std::vector<Playback> many;
  while (many.size() < 16384) many.insert(many.end(), few.begin(), few.end());
  const CrowdEvaluator evaluator = crowd.evaluator();
  CompactPalettes small(few.size(), 40, 0), large(many.size(), 40, 0);
  ASSERT_TRUE(evaluator.evaluate(few, 40, small.all()));
  ASSERT_TRUE(evaluator.evaluate(many, 40, large.all()));
  for (size_t i = 0; i < many.size(); i += 61) {
    for (uint32_t e = 0; e < 40; ++e)
      ASSERT_EQ(std::memcmp(&large.of(i, e), &small.of(i % few.size(), e), sizeof(CompactMatrix)), 0) << i;
  }
}

TEST(CompactPalettes, AreRefusedWhereJointsScale) {
  const BakedCharacter baked = *bake(random_rig({.joints = 5, .scaling = Scaling::kUniform}));
  ASSERT_TRUE(baked.scales());
  CompactPalettes compact(1, 8, 0);
  const Playback rest;
  const Status status = CrowdEvaluator(baked).evaluate({&rest, 1}, 8, compact.all());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(compact.of(0, 0).words[0], 0xccccccccu);
  EXPECT_FALSE(CrowdEvaluator().evaluate({&rest, 1}, 8, compact.all()));
}

// --- masks ---

TEST(Masks, InvalidMasksAndNumbersAreRefused) {
  const Result<BakedCharacter> baked = bake(random_rig({.joints = 3}));
  CrowdEvaluator crowd(*baked);
  EXPECT_EQ(*crowd.add_mask(std::vector<float>{0, 1, kMaxMaskFactor}), 1u);
  const struct {
    std::vector<float> factors;
    const char* message;
  } rows[] = {{{1, 1}, "mask: it has 2 factors for 3 joints"},
              {{}, "mask: it has 0 factors for 3 joints"},
              {{1, -0.5f, 1}, "mask: the factor of joint 1 is -0.500000, not one from 0 to 1e6"},
              {{1, 1, INFINITY}, "mask: the factor of joint 2 is inf, not one from 0 to 1e6"},
              {{1, 1, NAN}, "mask: the factor of joint 2 is nan, not one from 0 to 1e6"},
              {{1, 1, 2e6f}, "mask: the factor of joint 2 is 2000000.000000, not one from 0 to 1e6"}};
  for (const auto& [factors, message] : rows) {
    const Result<uint32_t> added = crowd.add_mask(factors);
    const Status set = crowd.set_mask(1, factors);
    ASSERT_TRUE(!added && !set) << message;
    EXPECT_EQ(added.error().message, message);
    EXPECT_EQ(set.error().message, message);
    EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
  }
  for (const uint32_t number : {0u, 2u})
    EXPECT_EQ(crowd.set_mask(number, std::vector<float>(3)).error().message,
              "mask: there is no mask " + std::to_string(number) + ", of 1");
  ASSERT_TRUE(crowd.set_mask(1, std::vector<float>(3)));
  EXPECT_EQ(*crowd.add_mask(std::vector<float>(3)), 2u) << "neither what is refused nor what is set has a new number";
}

// The evaluator keeps a reference to the bake: it cannot be made from a temporary.
static_assert(std::is_constructible_v<CrowdEvaluator, const BakedCharacter&>);
static_assert(!std::is_constructible_v<CrowdEvaluator, BakedCharacter>);
static_assert(!std::is_constructible_v<CrowdEvaluator, decltype(*bake(std::declval<Character>()))>);

TEST(CrowdEvaluator, InstructionSetIsSelectedByName) {
  const Crowd crowd({.joints = 1});
  EXPECT_STREQ(CrowdEvaluator(crowd.baked, "scalar").instruction_set(), "scalar");
  EXPECT_STREQ(CrowdEvaluator(crowd.baked).instruction_set(), available_lane_code()[0].name);
  EXPECT_STREQ(CrowdEvaluator(crowd.baked, "unknown").instruction_set(), available_lane_code()[0].name);
}

}  // namespace
}  // namespace sinew
