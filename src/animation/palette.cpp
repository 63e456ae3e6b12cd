#include "sinew/animation/pose.h"

#include <cassert>

namespace sinew {

void build_palette(const Skin& skin, std::span<const Matrix3x4d> model_from_joint, std::span<Matrix3x4> palette) {
  assert(palette.size() == skin.palette_size());
  for (size_t i = 0; i < skin.entries.size(); ++i) {
    const PaletteEntry& entry = skin.entries[i];
    palette[i] =
        matrix_cast<float>(entry.joint == kNoJoint ? entry.joint_from_mesh
                                                   : model_from_joint[size_t(entry.joint)] * entry.joint_from_mesh);
  }
}

}  // namespace sinew
