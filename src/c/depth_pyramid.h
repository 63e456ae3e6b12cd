// The pyramid behind its handle.
#pragma once

#include "sinew/c/occlusion.h"
#include "sinew/crowd/occlusion.h"

struct SinewDepthPyramid {
  sinew::crowd::DepthPyramid pyramid;
};
