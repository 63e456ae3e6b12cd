// The ways of skinning.
#pragma once

#include <cstdint>

namespace sinew::app {

/// The value of the option; skinning.cpp maps it to a strategy. Code that depends on it asks SkinningProperties.
enum class SkinningMode : uint8_t { kCompute, kVertex, kCpu };

const char* name_of(SkinningMode mode);

}  // namespace sinew::app
