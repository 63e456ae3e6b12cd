#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <thread>
#include <type_traits>

#include "asset/for_each.h"
#include "lanes/lane_code.h"
#include "rig.h"
#include "sinew/animation/player.h"

namespace sinew {

using namespace internal;

namespace {

using test::Palettes;
using test::random_rig;
using test::RigOptions;
using test::Scaling;

/// A character, its bake, and playbacks for a crowd of it.
struct Crowd {
  Character character;
  BakedCharacter baked;

  explicit Crowd(const RigOptions& options) : character(random_rig(options)), baked(std::move(*bake(character))) {}

  Palettes evaluate(std::span<const Playback> instances, std::string_view instruction_set = {},
                    const ParallelFor& parallel_for = {}, StoreMode store_mode = StoreMode::kAuto) const {
    Palettes palettes(instances.size(), baked.palette_size);
    const CrowdEvaluator evaluator(baked, instruction_set);
    EXPECT_TRUE(evaluator.evaluate({.instances = instances,
                                    .palette_stride = palettes.stride(),
                                    .palettes = palettes.all(),
                                    .store_mode = store_mode},
                                   parallel_for));
    return palettes;
  }

  /// Instances of one to four layers each, at random times.
  std::vector<Playback> random_playbacks(size_t count, uint32_t seed = 1, uint32_t max_layers = kMaxLayers) const {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> time(-0.1f, 1.1f), weight(0.1f, 2.0f);
    std::vector<Playback> instances(count);
    for (Playback& playback : instances) {
      for (uint32_t l = 0; l < 1 + random() % max_layers; ++l) {
        playback.layers[l] = {uint32_t(random() % baked.clips.size()), time(random), weight(random)};
      }
    }
    return instances;
  }
};

double largest_distance(const Crowd& crowd, Palettes& a, Palettes& b, size_t instances) {
  double largest = 0;
  for (size_t i = 0; i < instances; ++i) {
    largest = test::larger(largest, test::largest_distance(crowd.character, a.of(i), b.of(i), 0.1));
  }
  return largest;
}

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

/// Like a host's thread pool: `user_data` points to the number of threads, which take the tasks in any order.
void run_on_threads(void* user_data, uint32_t count, ParallelFor::Task task, void* task_data) {
  std::atomic<uint32_t> next = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < *static_cast<size_t*>(user_data); ++t) {
    threads.emplace_back([&] {
      for (uint32_t i = next++; i < count; i = next++) task(task_data, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
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
    EXPECT_LT(largest_distance(crowd, scalar, palettes, instances.size()), 1e-5) << lane_code.name;
  }
}

TEST_P(EveryLaneCode, AgreesWithTheExactEvaluator) {
  const std::vector<Playback> instances = crowd.random_playbacks(100);
  Palettes exact = test::evaluate_exact(crowd.character, instances);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    EXPECT_LT(largest_distance(crowd, exact, palettes, instances.size()), 5e-4) << lane_code.name;
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
      ASSERT_TRUE(CrowdEvaluator(crowd.baked, lane_code.name).evaluate(instances, stride, inside));
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
          ASSERT_TRUE(CrowdEvaluator(crowd.baked, lane_code.name)
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

TEST_P(EveryLaneCode, StreamingStoresWriteTheSameBytes) {
  const std::vector<Playback> instances = crowd.random_playbacks(40);
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes cached = crowd.evaluate(instances, lane_code.name, {}, StoreMode::kCached);
    Palettes streamed = crowd.evaluate(instances, lane_code.name, {}, StoreMode::kStreaming);
    EXPECT_TRUE(same_bytes(cached, streamed)) << lane_code.name;
  }
}

TEST_P(EveryLaneCode, GivesFiniteMatricesForAnyPlayback) {
  const float values[] = {0, -0.0f, 0.5f, 1e30f, -1e30f, INFINITY, -INFINITY, NAN, 1e-45f, 3e38f};
  std::vector<Playback> instances;
  for (const float time : values) {
    for (const float weight : values) {
      instances.push_back({{{0, time, weight}}});
      instances.push_back({{{0, time, weight}, {1, 0.3f, 1}}});
      instances.push_back({{{0, time, weight}, {1, time, weight}, {2, 0, weight}, {77, 1, 1}}});
      instances.push_back({{{0xffffffff, time, weight}, {0, time, weight}}});
    }
  }
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    for (size_t i = 0; i < instances.size(); ++i) {
      ASSERT_TRUE(all_finite(palettes.of(i))) << lane_code.name << ", playback " << i;
    }
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
  for (size_t threads : {1, 2, 8}) {
    Palettes parallel = crowd.evaluate(instances, {}, {&threads, run_on_threads});
    EXPECT_TRUE(same_bytes(serial, parallel)) << threads;
  }
}

TEST(CrowdEvaluator, TimesOutsideAClipGiveItsStartOrEnd) {
  const Crowd crowd({.joints = 5, .start_seconds = 2});
  const std::vector<Playback> instances = {{{{0, 2, 1}}}, {{{0, -1e30f, 1}}}, {{{0, -INFINITY, 1}}},
                                           {{{0, 3, 1}}}, {{{0, 1e30f, 1}}},  {{{0, INFINITY, 1}}}};
  Palettes palettes = crowd.evaluate(instances);
  for (size_t end = 0; end < 2; ++end) {
    for (size_t i = 1; i < 3; ++i) {
      EXPECT_EQ(std::memcmp(palettes.of(3 * end).data(), palettes.of(3 * end + i).data(), 5 * 48), 0) << end << i;
    }
  }
}

TEST(CrowdEvaluator, InstanceWithoutWeightOrClipHasTheRestPose) {
  const Crowd crowd({.joints = 7});
  const std::vector<Playback> instances = {{{{0, 0, 0}}},  {{{0, 0, -1}}},        {{{0, 0, NAN}}},
                                           {{{99, 0, 1}}}, {{{0, 0, -INFINITY}}}, Playback{{{0, 0.5f, 1}}}};
  Palettes exact = test::evaluate_exact(crowd.character, instances), baked = crowd.evaluate(instances);
  EXPECT_LT(largest_distance(crowd, exact, baked, instances.size()), 2e-4);
  EXPECT_GT(test::largest_distance(crowd.character, baked.of(0), baked.of(5), 0.1), 0.01)
      << "the clip differs from the rest pose";
}

/// What is left of playbacks of another character: layers of clips that are there, without masks.
std::vector<Playback> meant_for(const Character& character, std::span<const Playback> given) {
  std::vector<Playback> left(given.begin(), given.end());
  for (Playback& playback : left) {
    for (Layer& layer : playback.layers) {
      if (layer.clip >= character.clips.size()) layer = {.weight = 0};
      layer.mask = 0;
    }
  }
  return left;
}

TEST(CrowdEvaluator, PlaybacksOfAPlayerOfAnotherCharacterAreSafe) {
  const Character other = random_rig({.joints = 80, .clips = 9, .start_seconds = 4, .duration_seconds = 3});
  Player player(other, 200, 6);
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 800; ++i) {
    const PlayOptions options{.start_seconds = double(random() % 30) / 10, .mask = uint32_t(random() % 7)};
    (void)player.cross_fade(i % 200, random() % 9, double(random() % 2), options);
    if (i % 200 == 0) {
      ASSERT_TRUE(player.advance(0.4));
    }
  }
  Crowd crowd({.joints = 7, .clips = 3});
  crowd.character.clips[1].additive = true;
  crowd.baked = *bake(crowd.character);
  const std::vector<Playback> meant = meant_for(crowd.character, player.playbacks());
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(player.playbacks(), lane_code.name),
             expected = crowd.evaluate(meant, lane_code.name);
    for (size_t i = 0; i < meant.size(); ++i) ASSERT_TRUE(all_finite(palettes.of(i))) << lane_code.name << i;
    ASSERT_LT(largest_distance(crowd, palettes, expected, meant.size()), 1e-6) << lane_code.name;
  }
  Palettes exact = test::evaluate_exact(crowd.character, player.playbacks()),
           expected = test::evaluate_exact(crowd.character, meant);
  EXPECT_EQ(largest_distance(crowd, exact, expected, meant.size()), 0);
}

TEST(CrowdEvaluator, InfiniteAndTinyWeightsBlendEqually) {
  const Crowd crowd({.joints = 7});
  const std::vector<Playback> instances = {{{{0, 0.2f, INFINITY}, {1, 0.8f, INFINITY}}},
                                           {{{0, 0.2f, 1e-42f}, {1, 0.8f, 1e-42f}}},
                                           {{{0, 0.2f, 1}, {1, 0.8f, 1}}}};
  Palettes exact = test::evaluate_exact(crowd.character, instances), baked = crowd.evaluate(instances);
  EXPECT_LT(largest_distance(crowd, exact, baked, instances.size()), 5e-4);
  EXPECT_LT(test::largest_distance(crowd.character, baked.of(0), baked.of(2), 0.1), 1e-6);
}

TEST(CrowdEvaluator, BlendsStayFiniteAlongAChain) {
  // A joint's quaternion is the product of all rotations above it, whose lengths multiply as well.
  for (const uint32_t joints : {60u, 300u}) {
    const Crowd crowd(
        {.joints = joints, .clips = 2, .duration_seconds = 0.3f, .swing = 3, .branching = 0, .bone_length = 1e-3f});
    const std::vector<Playback> instances = crowd.random_playbacks(20);
    for (const LaneCode& lane_code : available_lane_code()) {
      Palettes palettes = crowd.evaluate(instances, lane_code.name);
      for (size_t i = 0; i < instances.size(); ++i) ASSERT_TRUE(all_finite(palettes.of(i))) << lane_code.name;
    }
  }
}

TEST(CrowdEvaluator, HalfTurnsBetweenStepKeysStayFiniteAlongAChain) {
  const Crowd crowd({.joints = 600,
                     .clips = 1,
                     .keys_per_second = 2,
                     .swing = 6.28f,
                     .branching = 0,
                     .bone_length = 1e-3f,
                     .interpolation = Interpolation::kStep});
  std::vector<Playback> instances;
  for (int i = 0; i < 400; ++i) instances.push_back({{{0, float(i) / 400, 1}}});
  for (const LaneCode& lane_code : available_lane_code()) {
    Palettes palettes = crowd.evaluate(instances, lane_code.name);
    for (size_t i = 0; i < instances.size(); ++i) ASSERT_TRUE(all_finite(palettes.of(i))) << lane_code.name << i;
  }
}

TEST(CrowdEvaluator, WideTreesKeepTheStateOfEveryParent) {
  // Joints have several children: a state must stay until the last child is evaluated.
  for (uint32_t seed = 1; seed < 20; ++seed) {
    const Crowd crowd({.joints = 10 * seed, .clips = 1, .swing = 0.1f, .branching = 1 + seed % 4, .seed = seed});
    const std::vector<Playback> instances = crowd.random_playbacks(3);
    Palettes exact = test::evaluate_exact(crowd.character, instances), baked = crowd.evaluate(instances);
    EXPECT_LT(largest_distance(crowd, exact, baked, instances.size()), 3e-4) << seed;
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

TEST(CrowdEvaluator, DefaultPlaybackGivesTheRestPose) {
  const Crowd crowd({.joints = 7});
  const std::vector<Playback> instances = {Playback{}, {{{0, 0.5f, 1}}}};
  Palettes exact = test::evaluate_exact(crowd.character, instances), baked = crowd.evaluate(instances);
  const std::vector<Playback> resting = {{{{99, 0, 1}}}};
  Palettes rest = test::evaluate_exact(crowd.character, resting);
  EXPECT_LT(test::largest_distance(crowd.character, exact.of(0), rest.of(0), 0.1), 1e-6);
  EXPECT_LT(test::largest_distance(crowd.character, baked.of(0), rest.of(0), 0.1), 2e-4);
  EXPECT_GT(test::largest_distance(crowd.character, exact.of(1), rest.of(0), 0.1), 0.01)
      << "the clip differs from the rest pose";
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
