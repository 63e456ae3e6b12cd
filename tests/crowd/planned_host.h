// A host with the built-in character, as the example host loads it, and its planner.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "host.h"
#include "sinew/crowd/planner.h"

namespace sinew::crowd {

inline const example::Actor& actor() {
  static const std::unique_ptr<example::Actor> loaded = [] {
    auto made = example::load_actor(SINEW_SOURCE_DIR "/assets/character.glb", SINEW_IMPORT_WORKER);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return std::move(*made);
  }();
  return *loaded;
}

/// What a planner needs of it.
inline ModelInfo actor_info() {
  ModelInfo info;
  info.character = &actor().character;
  info.bounds = &actor().bounds, info.baked = &actor().baked;
  info.clips = actor().clips, info.levels = actor().levels;
  info.height = 1.8f;
  return info;
}

inline Planner make_planner(const PlanOptions& options = {}) {
  const ModelInfo character = actor_info();
  auto planner = Planner::create({&character, 1}, options);
  EXPECT_TRUE(planner) << (planner ? "" : planner.error().message);
  return std::move(*planner);
}

/// A crowd, its camera and its time.
struct Host {
  explicit Host(uint32_t count) : crowd(example::make_crowd(actor(), count)) {}

  Instances instances() const {
    return {.models = crowd.characters, .world_from_model = crowd.world_from_model, .playbacks = crowd.playbacks};
  }
  Status plan(Planner& planner, int number, const ParallelFor& parallel_for = {}) {
    example::play(actor(), number / 60.0, crowd);
    return planner.plan(instances(), frame(number), parallel_for);
  }
  PlanFrame frame(int number) const { return {.seconds = number / 60.0, .views = {&view, 1}}; }

  example::Crowd crowd;
  View view = example::camera(1280, 720);
};

}  // namespace sinew::crowd
