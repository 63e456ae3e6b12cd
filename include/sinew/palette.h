// Stage four: joints in model space become the matrices a vertex is multiplied with.
#pragma once

#include <span>

#include "sinew/math.h"
#include "sinew/skin.h"

namespace sinew {

/// palette[e] = model_from_joint(joint of e) * joint_from_mesh(e), rounded once to float; constants as they are.
///
/// `palette` holds palette_size matrices of 48 bytes and is written in order, never read: it may be mapped memory.
void build_palette(const Skin& skin, std::span<const Matrix3x4d> model_from_joint, std::span<Matrix3x4> palette);

}  // namespace sinew
