// Includes every public header of C++, except sinew/glm.h, which needs glm, and sinew/experimental. The headers in
// sinew/vulkan are included only if the compiler finds <vulkan/vulkan_core.h>.
#pragma once

#include "sinew/api.h"
#include "sinew/asset/baked_character.h"
#include "sinew/asset/bounds.h"
#include "sinew/asset/character.h"
#include "sinew/asset/character_file.h"
#include "sinew/asset/clip.h"
#include "sinew/asset/compact_matrix.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/asset/import_report.h"
#include "sinew/asset/level.h"
#include "sinew/asset/material.h"
#include "sinew/asset/math.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/model.h"
#include "sinew/asset/parallel.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"
#include "sinew/asset/skinned_vertex.h"
#include "sinew/asset/wearable.h"
#include "sinew/profile.h"
#include "sinew/version.h"

#if __has_include("sinew/animation/bake.h")
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/footsteps.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/animation/player.h"
#include "sinew/animation/pose.h"
#include "sinew/animation/retarget.h"
#include "sinew/animation/root_motion.h"
#include "sinew/animation/weights.h"
#endif

#if __has_include("sinew/crowd/attachments.h")
#include "sinew/crowd/attachments.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"
#include "sinew/crowd/occlusion.h"
#include "sinew/crowd/plan.h"
#include "sinew/crowd/planner.h"
#endif

#if __has_include("sinew/import/import.h")
#include "sinew/import/import.h"
#include "sinew/import/lod.h"
#if __has_include("sinew/animation/evaluator.h")
#include "sinew/import/model.h"
#endif
#endif

#if __has_include("sinew/vulkan/draw.h") && __has_include(<vulkan/vulkan_core.h>)
#include "sinew/vulkan/acceleration.h"
#include "sinew/vulkan/draw.h"
#include "sinew/vulkan/skinner.h"
#include "sinew/vulkan/skinner_frame.h"
#include "sinew/vulkan/skinner_info.h"
#include "sinew/vulkan/vulkan_error.h"
#if __has_include("sinew/animation/bake.h")
#include "sinew/vulkan/evaluate.h"
#endif
#endif

#if __has_include("sinew/runtime/skinned_crowd.h") && __has_include(<vulkan/vulkan_core.h>)
#include "sinew/runtime/pick.h"
#include "sinew/runtime/skinned_crowd.h"
#include "sinew/runtime/thread_pool.h"
#endif
