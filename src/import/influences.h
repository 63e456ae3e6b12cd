// Influences of the scene's skins become influences of one palette.
#pragma once

#include <map>
#include <vector>

#include "joints.h"
#include "scene.h"
#include "sinew/import/import.h"

namespace sinew {

/// Collects the distinct (joint, joint_from_mesh) pairs that some influence names.
class PaletteBuilder {
 public:
  /// The entry of the pair, new or known. Throws ImportFailure past 65,536.
  uint16_t entry(const SkinJoint& skin_joint);

  /// Orders the entries by joint, as the skeleton's pass over memory has them, and renames `influences` accordingly.
  Skin finish(std::vector<Influence>& influences) const;

 private:
  struct Less {
    bool operator()(const SkinJoint& a, const SkinJoint& b) const;
  };
  std::map<SkinJoint, uint16_t, Less> entries_;
};

/// Appends the influences of every vertex of the mesh that `use` hangs on a node: normalized, heaviest first, at most
/// `max_influences` where that is not 0. A vertex without weights follows the node.
void append_influences(const Scene& scene, const SceneMeshUse& use, const Joints& joints, uint32_t max_influences,
                       PaletteBuilder& palette, Mesh& mesh, ImportReport& report);

/// Leaves every vertex its heaviest `max_influences`, which is not 0.
void limit_influences(Mesh& mesh, uint32_t max_influences, ImportReport& report);

}  // namespace sinew
