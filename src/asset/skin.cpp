#include "sinew/asset/skin.h"

#include "error.h"
#include "exceptions.h"

namespace sinew {

using namespace internal;

Status validate(const Skin& skin, const Skeleton& skeleton) SINEW_TRY {
  if (skin.entries.size() > 65536) {
    return invalid("skin: " + std::to_string(skin.entries.size()) + " palette entries, more than 65536");
  }
  for (size_t i = 0; i < skin.entries.size(); ++i) {
    const PaletteEntry& entry = skin.entries[i];
    if (entry.joint < kNoJoint || entry.joint >= int32_t(skeleton.joint_count())) {
      return invalid("skin: entry " + std::to_string(i) + " names joint " + std::to_string(entry.joint) + " of " +
                     std::to_string(skeleton.joint_count()));
    }
    if (i > 0 && entry.joint < skin.entries[i - 1].joint) {
      return invalid("skin: entry " + std::to_string(i) + " is not in the order of its joint");
    }
    if (!is_finite(entry.joint_from_mesh)) {
      return invalid("skin: the inverse bind matrix of entry " + std::to_string(i) + " is not finite");
    }
  }
  return {};
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
