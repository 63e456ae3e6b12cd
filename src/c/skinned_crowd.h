// What the handle of a crowd holds.
#pragma once

#include "sinew/runtime/skinned_crowd.h"
#include "skinner_info.h"

struct SinewSkinnedCrowd {
  sinew::c::Callbacks callbacks;
  sinew::vulkan::SkinnedCrowd crowd;
  sinew::vulkan::MeshStreams streams;
};
