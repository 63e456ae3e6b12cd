#include "pick_pose.h"

#include <algorithm>
#include <string>

#include "crowd_impl.h"
#include "sinew/animation/weights.h"

namespace sinew::vulkan::internal {
namespace {

/// The host's palette is in mapped memory, where each byte is read once.
Status read_host_pose(const CrowdImpl& crowd, const CrowdPalette& palette, uint32_t instance, PickPose& pose) {
  const HostPosedMesh* mesh = crowd.host_poses.of(instance, false);
  if (mesh == nullptr) return Error{ErrorCode::kInvalidArgument, "pick: the pose of the host is gone"};
  const InstanceRange& range = *mesh->placed->range;
  const size_t entries = palette.skin->palette_size(), first = size_t{mesh->index} * range.palette_stride;
  pose.palette.clear();
  if (palette.compact) {
    for (const CompactMatrix& own : range.compact_palettes.subspan(first, entries))
      pose.palette.push_back(expand(own, palette.baked->scale));
  } else {
    const auto own = range.palettes.subspan(first, entries);
    pose.palette.assign(own.begin(), own.end());
  }
  const auto weights = range.target_count == 0
                           ? std::span<float>()
                           : range.weights.subspan(size_t{mesh->index} * range.weight_stride, range.target_count);
  pose.weights.assign(weights.begin(), weights.end());
  return {};
}

/// The targets of one instance, as those of instance 0 of a call. Chains that were taken away since are left out.
void find_targets(const CrowdImpl& crowd, const CrowdModel& model, uint32_t instance, PickPose& pose) {
  const auto own = crowd.targets_of(instance);
  pose.targets.assign(own.begin(), own.end());
  std::erase_if(pose.targets, [&](const ChainTarget& target) { return target.chain >= model.chains.size(); });
  for (ChainTarget& target : pose.targets) target.instance = 0;
}

Status evaluate_pose(const CrowdModel& model, const CrowdPalette& palette, const Mesh& mesh, const Playback& playback,
                     PickPose& pose) {
  const uint32_t entries = palette.skin->palette_size(), targets = mesh.target_count();
  pose.palette.resize(align_up(entries, 4));
  pose.weights.resize(targets);
  if (palette.evaluator.baked() == nullptr) {  // a PoseWriter is in its place
    const Character& character = model.model->character;
    if (Status status = evaluate_exact(character, *palette.skin, {&playback, 1}, uint32_t(pose.palette.size()),
                                       pose.palette, pose.scratch, model.masks, {model.chains, pose.targets});
        !status)
      return status;
    return targets == 0 ? Status() : evaluate_weights_exact(character, {&playback, 1}, targets, pose.weights);
  }
  EvaluationInfo info;
  info.instances = {&playback, 1}, info.targets = pose.targets;
  info.palettes = pose.palette, info.palette_stride = uint32_t(pose.palette.size());
  if (Status status = palette.evaluator.evaluate(info); !status) return status;
  return targets == 0 ? Status() : evaluate_weights(*palette.baked, {&playback, 1}, targets, pose.weights);
}

}  // namespace

uint32_t batch_of(const CrowdImpl& crowd, uint32_t posed_mesh) {
  const auto& batches = crowd.planner.last().batches;
  const auto own = std::ranges::find_if(
      batches, [&](const crowd::PosedBatch& batch) { return posed_mesh - batch.first_mesh < batch.mesh_count; });
  return uint32_t(own - batches.begin());
}

Status read_pose(const CrowdImpl& crowd, uint32_t batch, uint32_t posed_mesh, PickPose& pose) {
  const crowd::Plan& plan = crowd.planner.last();
  const crowd::PosedBatch& own = plan.batches[batch];
  const CrowdPalette& palette = crowd.models.palette_of(own);
  const uint32_t instance = plan.posed_meshes[posed_mesh].instance;
  if (own.host_posed) return read_host_pose(crowd, palette, instance, pose);
  find_targets(crowd, crowd.models[own.model], instance, pose);
  return evaluate_pose(crowd.models[own.model], palette, *crowd.models.mesh_of(own).mesh, plan.playbacks[posed_mesh],
                       pose);
}

Result<Matrix3x4d> joint_of(const CrowdImpl& crowd, uint32_t model, uint32_t instance, const Playback& playback,
                            uint32_t joint, PickPose& pose) {
  const CrowdModel& own = crowd.models[model];
  const Character& character = own.model->character;
  pose.palette.resize(character.skin.palette_size());
  find_targets(crowd, own, instance, pose);
  if (Status status = evaluate_exact(character, {&playback, 1}, character.skin.palette_size(), pose.palette,
                                     pose.scratch, own.masks, {own.chains, pose.targets});
      !status)
    return status.error();
  return pose.scratch.model_from_joint[joint];
}

Result<Matrix3x4d> joint_of_host(const CrowdImpl& crowd, uint32_t batch, uint32_t posed_mesh, uint32_t joint,
                                 PickPose& pose) {
  const Skin& skin = *crowd.models.palette_of(crowd.planner.last().batches[batch]).skin;
  const auto entry = std::find_if(skin.entries.begin(), skin.entries.end(),
                                  [&](const PaletteEntry& own) { return own.joint == int32_t(joint); });
  if (entry == skin.entries.end()) {
    return Error{ErrorCode::kUnsupported,
                 "joint_transform: the host poses the instance, and its palette has no joint " + std::to_string(joint)};
  }
  if (Status status = read_pose(crowd, batch, posed_mesh, pose); !status) return status.error();
  const auto& model_from_mesh = pose.palette[size_t(entry - skin.entries.begin())];
  return matrix_cast<double>(model_from_mesh) * inverse(entry->joint_from_mesh);
}

}  // namespace sinew::vulkan::internal
