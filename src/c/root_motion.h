// The root track behind its handle.
#pragma once

#include "layout.h"
#include "sinew/animation/root_motion.h"
#include "sinew/c/root_motion.h"

namespace sinew::c {

SINEW_SAME_LAYOUT(SinewGroundMotion, GroundMotion, translation, heading_radians);

inline SinewGroundMotion motion_of(const GroundMotion& motion) { return *seen_as<SinewGroundMotion>(&motion); }

}  // namespace sinew::c

struct SinewRootTrack {
  sinew::RootTrack track;
};
