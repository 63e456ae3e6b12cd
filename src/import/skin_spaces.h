// Skins whose inverse bind matrices differ by the space of their meshes alone.
#pragma once

#include <cstdint>

#include "scene.h"

namespace sinew::internal {

/// Optimizers and character creators give each part of a body a skin whose matrices also undo the quantization, or the
/// place, of that part: for the same joints there are as many palette entries as parts. Where the matrices of a skin
/// are those of an earlier one times a constant, within 1e-6 of the mesh's diagonal, its meshes move to the space of
/// the earlier skin, and it gets the same matrices. Skins stay as they are if one of their meshes has another skin too,
/// or a vertex without weights; and skins that are compared with 64 others in vain. Returns how many matrices became
/// those of an earlier skin.
uint32_t unify_skin_spaces(Scene& scene);

}  // namespace sinew::internal
