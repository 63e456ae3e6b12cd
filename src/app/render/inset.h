// A part of the picture, magnified at another place of it.
#pragma once

#include "gpu/host.h"

namespace sinew::app {

/// Two rectangles within the picture that do not overlap, in pixels.
struct Inset {
  VkRect2D from{}, to{};
};

/// Records the copy of an inset, each pixel as a square. `picture` is as the pass that draws it leaves it, see Target;
/// afterwards it is so again.
void record_inset(VkCommandBuffer cmd, VkImage picture, const Inset& inset);

}  // namespace sinew::app
