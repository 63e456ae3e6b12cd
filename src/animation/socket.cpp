#include <string>
#include <vector>

#include "asset/exceptions.h"
#include "sinew/animation/evaluator.h"

namespace sinew {

using namespace internal;
namespace {

constexpr size_t kMaxEntries = 65536;  // as validate(const Skin&, ...) allows

Error no_such_joint(uint32_t joint) {
  return {ErrorCode::kInvalidArgument, "the character has no joint " + std::to_string(joint)};
}

/// The first entry of a joint; the number of entries if there is none.
size_t entry_of(const Skin& skin, uint32_t joint) {
  size_t entry = 0;
  while (entry < skin.entries.size() && skin.entries[entry].joint != int32_t(joint)) ++entry;
  return entry;
}

Matrix3x4d rest_pose_of(const Skeleton& skeleton, uint32_t joint) {
  Matrix3x4d model_from_joint = to_matrix(skeleton.rest_pose[joint]);
  for (int32_t parent = skeleton.parents[joint]; parent != kNoJoint; parent = skeleton.parents[size_t(parent)])
    model_from_joint = to_matrix(skeleton.rest_pose[size_t(parent)]) * model_from_joint;
  return skeleton.model_from_root * model_from_joint;
}

}  // namespace

Result<Socket> make_socket(const Character& character, uint32_t joint, const Matrix3x4& joint_from_socket) SINEW_TRY {
  if (joint >= character.skeleton.joint_count()) return no_such_joint(joint);
  const size_t entry = entry_of(character.skin, joint);
  if (entry == character.skin.entries.size()) {
    return Error{ErrorCode::kUnsupported, "joint '" + character.skeleton.joint_names[joint] +
                                              "' moves no vertex: add_palette_entry() before the bake keeps it"};
  }
  const Matrix3x4d mesh_from_joint = inverse(character.skin.entries[entry].joint_from_mesh);
  return Socket{uint32_t(entry), matrix_cast<float>(mesh_from_joint * matrix_cast<double>(joint_from_socket))};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status add_palette_entry(Character& character, uint32_t joint) SINEW_TRY {
  if (joint >= character.skeleton.joint_count()) return no_such_joint(joint);
  std::vector<PaletteEntry>& entries = character.skin.entries;
  if (entry_of(character.skin, joint) < entries.size()) return {};
  if (entries.size() >= kMaxEntries) return Error{ErrorCode::kUnsupported, "a palette has at most 65,536 entries"};
  size_t place = 0;  // entries ascend by joint
  while (place < entries.size() && entries[place].joint < int32_t(joint)) ++place;
  entries.insert(entries.begin() + std::ptrdiff_t(place),
                 {int32_t(joint), inverse(rest_pose_of(character.skeleton, joint))});
  for (Influence& influence : character.mesh.influences) influence.entry += influence.entry >= place;
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
