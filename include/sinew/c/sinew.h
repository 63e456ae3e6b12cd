// The C interface: all of it. For C11 and newer, for C++, and for other languages, which load the shared library and
// declare the structs as these headers do. sinew/c/vulkan.h is included if the compiler finds Vulkan's header.
#pragma once

#include "sinew/c/animation.h"
#include "sinew/c/asset.h"
#include "sinew/c/attachments.h"
#include "sinew/c/base.h"
#include "sinew/c/crowd.h"
#include "sinew/c/import.h"
#include "sinew/c/inverse_kinematics.h"
#include "sinew/c/material.h"
#include "sinew/c/occlusion.h"
#include "sinew/c/player.h"
#include "sinew/c/root_motion.h"

#ifdef __has_include
#if __has_include(<vulkan/vulkan_core.h>)
#include "sinew/c/acceleration.h"
#include "sinew/c/pick.h"
#include "sinew/c/runtime.h"
#include "sinew/c/vulkan.h"
#endif
#endif
