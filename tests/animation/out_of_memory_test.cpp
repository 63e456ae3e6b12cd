// Failing allocations in every function of sinew::animation that allocates.
#include "out_of_memory.h"

#include <gtest/gtest.h>

#include <cstring>

#include "rig.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/player.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/root_motion.h"

namespace sinew {
namespace {

using test::expect_out_of_memory;

Character small_character() { return test::random_rig({.joints = 3, .clips = 2, .duration_seconds = 0.1f}); }

TEST(OutOfMemory, FunctionsReturnTheError) {
  const Character character = small_character();
  const BakedCharacter baked = *bake(character);
  expect_out_of_memory([&] { return bake(character); });
  expect_out_of_memory([&] { return measure_bounds(character, baked); });
  const std::vector<Transform>& rest = character.skeleton.rest_pose;
  expect_out_of_memory([&] { return make_additive(character.clips[0], character.skeleton, rest); });
  expect_out_of_memory([&] { return extract_root_motion(character, 0, 0); });
  const std::vector<Playback> playing = {{{{0, 0.05f, 1}}}, {{{0, 0.05f, 1}, {1, 0, 1}}}};
  test::Palettes palettes(playing.size(), character.skin.palette_size());
  expect_out_of_memory([&] {
    EvaluationScratch scratch;
    return evaluate_exact(character, playing, palettes.stride(), palettes.all(), scratch);
  });
}

TEST(OutOfMemory, CrowdEvaluatorReturnsTheError) {
  const Character character = small_character();
  const BakedCharacter baked = *bake(character);
  const std::vector<Playback> playing = {{{{0, 0.05f, 1}}}, {{{0, 0.05f, 1}, {1, 0, 1}}}};
  test::Palettes palettes(playing.size(), baked.palette_size);
  expect_out_of_memory([&] {
    const CrowdEvaluator evaluator(baked);
    return evaluator.evaluate(playing, palettes.stride(), palettes.all());
  });
  CrowdEvaluator evaluator(baked);
  const std::vector<float> mask(3, 1.0f);
  expect_out_of_memory([&] { return evaluator.add_mask(mask); });
  const auto number = evaluator.add_mask(mask);
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 2u) << "failed calls use no number";
  const int64_t before = test::heap_allocations();
  ASSERT_TRUE(evaluator.set_mask(2, mask));
  EXPECT_EQ(test::heap_allocations(), before) << "it may be called in every frame";
  test::fail_heap_after(0);
  const Status status = evaluator.set_mask(3, mask);
  test::fail_heap_after(-1);
  EXPECT_EQ(status.error().code, ErrorCode::kOutOfMemory) << "no memory for the message that there is no mask 3";
}

/// A host's ParallelFor that runs all tasks on this thread. In task 0 the first allocation fails.
void run_without_memory(void*, uint32_t count, ParallelFor::Task task, void* task_data) {
  for (uint32_t i = 0; i < count; ++i) {
    if (i == 0) test::fail_heap_after(0);
    task(task_data, i);
    test::fail_heap_after(-1);
  }
}

TEST(OutOfMemory, TaskOnAHostsThreadThrowsNothing) {
  const Character character = small_character();
  const BakedCharacter baked = *bake(character);
  const std::vector<Playback> playing(1000, Playback{{{0, 0.05f, 1}}});
  test::Palettes palettes(playing.size(), baked.palette_size);
  const CrowdEvaluator evaluator(baked);
  const Status status = evaluator.evaluate(playing, palettes.stride(), palettes.all(), {nullptr, run_without_memory});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kOutOfMemory);
  EXPECT_TRUE(evaluator.evaluate(playing, palettes.stride(), palettes.all()));
  test::Palettes expected(playing.size(), baked.palette_size);
  ASSERT_TRUE(CrowdEvaluator(baked).evaluate(playing, expected.stride(), expected.all()));
  EXPECT_EQ(std::memcmp(palettes.all().data(), expected.all().data(), expected.all().size_bytes()), 0);
}

TEST(CrowdEvaluator, AllocatesNothingWhereItHadAsManyInstancesBefore) {
  const Character character = small_character();
  const BakedCharacter baked = *bake(character);
  std::vector<Playback> playing(3000, Playback{{{0, 0.05f, 1}}});
  for (size_t i = 0; i < playing.size(); i += 3) playing[i].layers[1] = {0, 0.1f, 0.5f};
  test::Palettes palettes(playing.size(), baked.palette_size);
  const CrowdEvaluator evaluator(baked);
  ASSERT_TRUE(evaluator.evaluate(playing, palettes.stride(), palettes.all()));
  const int64_t before = test::heap_allocations();
  ASSERT_TRUE(evaluator.evaluate(playing, palettes.stride(), palettes.all()));
  ASSERT_TRUE(evaluator.evaluate(std::span(playing).first(1700), palettes.stride(), palettes.all()));
  EXPECT_EQ(test::heap_allocations() - before, 0);
}

TEST(OutOfMemory, PlayerWithoutMemoryHasNoInstancesAndReturnsTheError) {
  const Character character = small_character();
  expect_out_of_memory([&] {
    Player player(character, 5);
    return player.play(0, 1);
  });
  test::fail_heap_after(0);
  Player player(character, 5);
  test::fail_heap_after(-1);
  EXPECT_EQ(player.instance_count(), 0u);
  EXPECT_EQ(player.playback(0).layers[0].weight, 0);
  EXPECT_EQ(player.root_motion(0).heading_radians, 0);
  for (const Status& status : {player.play(0, 0), player.cross_fade(0, 0, 1), player.stop(0, 0), player.set_speed(0, 1),
                               player.set_root_track(0, {}), player.advance(1), player.resize(1), player.reset(0)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kOutOfMemory);
  }
}

TEST(OutOfMemory, AResizeWithoutMemoryChangesNothing) {
  Character character = small_character();
  character.clips[0].markers = {{0, "start"}};
  Player player(character, 3);
  ASSERT_TRUE(player.play(2, 0));
  ASSERT_TRUE(player.advance(0.02));
  const std::span<const Playback> playbacks = player.playbacks();
  const Playback before = playbacks[2];
  uint32_t count = 3;
  const auto unchanged = [&] {
    ASSERT_EQ(player.instance_count(), count);
    ASSERT_EQ(player.playbacks().data(), playbacks.data()) << "what the host reads is where it was";
    ASSERT_EQ(std::memcmp(&player.playbacks()[2], &before, sizeof before), 0);
    ASSERT_EQ(player.events().size(), 1u);
  };
  expect_out_of_memory([&] { return player.resize(50); }, unchanged);
  ASSERT_EQ(player.instance_count(), 50u);
  ASSERT_TRUE(player.resize(3));
  const int64_t allocations = test::heap_allocations();
  ASSERT_TRUE(player.resize(50));
  ASSERT_TRUE(player.reset(49));
  EXPECT_EQ(test::heap_allocations(), allocations) << "memory is kept";
  for (count = 51; count < 1000; ++count) ASSERT_TRUE(player.resize(count));
  EXPECT_LT(test::heap_allocations() - allocations, 250) << "instances may come one by one";
}

TEST(OutOfMemory, RefusedCallsOfAPlayerChangeNothing) {
  Player player(small_character(), 2);
  expect_out_of_memory([&] { return player.play(9, 0); });
  expect_out_of_memory([&] { return player.cross_fade(0, 9, 1); });
  expect_out_of_memory([&] { return player.stop(0, 9); });
  expect_out_of_memory([&] { return player.set_speed(9, 1); });
  expect_out_of_memory([&] { return player.reset(9); });
  expect_out_of_memory([&] { return player.resize(UINT32_MAX); });
  expect_out_of_memory([&] { return player.set_root_track(9, {}); });
  expect_out_of_memory([&] { return player.advance(INFINITY); });
  expect_out_of_memory([&] { return validate(Playback{{{9, 0, 1}}}, 1); });
  EXPECT_EQ(player.playback(0).layers[0].weight, 0);
}

}  // namespace
}  // namespace sinew
