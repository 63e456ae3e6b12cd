// Who is in a frame's cast.
#include "cast.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace sinew::app {
namespace {

constexpr const char* kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";

std::vector<Model> built_in(size_t count = 1) {
  std::vector<Model> models;
  for (size_t i = 0; i < count; ++i) {
    auto model = load_model(kBuiltIn, {});
    EXPECT_TRUE(model);
    models.push_back(std::move(*model));
  }
  return models;
}

View default_view(const Scene& scene) { return view_of(frame_crowd(scene), 1280, 720); }

/// Batches cover the copies, copies the sharers, and nobody is in it twice.
void expect_sound(const Cast& cast, std::span<const Model> models, const Scene& scene) {
  uint32_t copy = 0, sharer = 0;
  for (const CastBatch& batch : cast.batches) {
    EXPECT_EQ(batch.first_copy, copy);
    EXPECT_GT(batch.copy_count, 0u);
    EXPECT_LT(batch.level, models[batch.model].levels.size());
    copy += batch.copy_count;
  }
  ASSERT_EQ(copy, cast.copies.size());
  ASSERT_EQ(copy, cast.playbacks.size());
  for (const Copy& one : cast.copies) {
    EXPECT_EQ(one.first_sharer, sharer);
    EXPECT_GT(one.sharer_count, 0u);
    sharer += one.sharer_count;
  }
  ASSERT_EQ(sharer, cast.sharers.size());
  std::vector<uint32_t> sorted = cast.sharers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
  EXPECT_EQ(cast.counters.visible, cast.sharers.size());
  EXPECT_EQ(cast.counters.visible + cast.counters.culled, scene.instances.size());
}

TEST(Cast, OfTwoModelsHasEverybodyInTheirBatches) {
  const std::vector<Model> models = built_in(2);
  const Scene scene = make_scene(models, 5001, 1);
  ThreadPool pool(1);
  Casting casting(models, scene, pool);
  const Cast& cast = casting.cast(default_view(scene), 20);
  expect_sound(cast, models, scene);
  ASSERT_EQ(cast.batches.size(), 2u);
  for (const CastBatch& batch : cast.batches) {
    for (uint32_t i = batch.first_copy; i < batch.first_copy + batch.copy_count; ++i) {
      const uint32_t instance = cast.copies[i].instance;
      const Batch& of_scene = scene.batches[batch.model];
      EXPECT_GE(instance, of_scene.first_instance);
      EXPECT_LT(instance, of_scene.first_instance + of_scene.instance_count);
      const Playback expected = playback_at(models[batch.model], scene.instances[instance], 20);
      EXPECT_EQ(std::memcmp(&cast.playbacks[i], &expected, sizeof expected), 0);
    }
  }
}

}  // namespace
}  // namespace sinew::app
