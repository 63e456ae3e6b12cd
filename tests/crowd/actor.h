// The built-in character, as the example host loads it.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "host.h"

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

}  // namespace sinew::crowd
