// The drawn pose of an instance, once more: palettes on the device may be slow to read, and are not kept.
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/asset/math.h"
#include "sinew/asset/result.h"

namespace sinew::vulkan::internal {

struct CrowdImpl;

/// Palette and morph weights of one posed mesh. Keeps its memory.
struct PickPose {
  std::vector<Matrix3x4> palette;
  std::vector<float> weights;
  std::vector<ChainTarget> targets;
  EvaluationScratch scratch;
};

/// Writes the pose of a posed mesh of the frame that was updated last, in batch `batch` of its plan.
Status read_pose(const CrowdImpl& crowd, uint32_t batch, uint32_t posed_mesh, PickPose& pose);

/// model_from_joint of a joint in a playback, from the keys of the clips, with the targets of `instance`.
Result<Matrix3x4d> joint_of(const CrowdImpl& crowd, uint32_t model, uint32_t instance, const Playback& playback,
                            uint32_t joint, PickPose& pose);

/// The same from the palette that the host wrote. Error: kUnsupported (the joint has no entry in the palette).
Result<Matrix3x4d> joint_of_host(const CrowdImpl& crowd, uint32_t batch, uint32_t posed_mesh, uint32_t joint,
                                 PickPose& pose);

/// The batch of a posed mesh.
uint32_t batch_of(const CrowdImpl& crowd, uint32_t posed_mesh);

}  // namespace sinew::vulkan::internal
