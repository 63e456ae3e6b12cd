// What a scene is made for.
#pragma once

#include <cstdint>

namespace sinew::app {

struct SceneRequest {
  uint32_t count = 1000;  // instances
  uint64_t seed = 1;
  float children = 0;  // their share of those who stroll or watch, 0 to 1; scenes without such people have none
};

}  // namespace sinew::app
