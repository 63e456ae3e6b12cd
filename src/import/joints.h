// The joints of a scene, and the influences of all its skins as those of one palette.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scene.h"
#include "sinew/import/import.h"

namespace sinew::internal {

// The choice of the nodes of a scene that become joints.

/// A skeleton, and how each node of the scene relates to it. The vectors have one element per node.
struct Joints {
  Skeleton skeleton;
  std::vector<int32_t> joint_of;  // the node's joint, else its nearest ancestor's; kNoJoint: no joint moves it
  std::vector<Matrix3x4d> joint_from_node;  // constant, to the space of that joint; to model space if kNoJoint
  std::vector<Matrix3x4d> model_from_node;  // in the rest pose
};

/// A node becomes a joint if the skin of a mesh names it, or if a clip animates it or it is a human bone, and a mesh or
/// such a node is at or below it. Every node between two joints becomes a joint too, and every ancestor of some but not
/// all joints. The transform of the ancestors of all joints becomes model_from_root. Without any mesh, every animated
/// node and every human bone is a joint.
Joints choose_joints(const Scene& scene, std::vector<std::string>& warnings);

// Conversion of the influences of all skins of a scene into influences of one palette.

/// Collects the palette: the distinct (joint, joint_from_mesh) pairs that the influences use.
class PaletteBuilder {
 public:
  /// Returns the palette entry of the pair, and adds it if it is new. Throws ImportFailure beyond 65,536 entries.
  uint16_t entry(const PaletteEntry& entry);

  /// Returns the palette sorted by joint, so that its evaluation walks memory in the order of the skeleton. Renumbers
  /// the entries of `influences` to match.
  Skin finish(std::vector<Influence>& influences) const;

 private:
  struct Less {
    bool operator()(const PaletteEntry& a, const PaletteEntry& b) const;
  };
  std::map<PaletteEntry, uint16_t, Less> entries_;
};

/// Appends the influences of every vertex of the mesh of `use` to `mesh`: normalized, heaviest first, at most
/// `max_influences` per vertex unless that is 0. A vertex without weights gets one influence: the node of `use`, or
/// that of SceneMesh::weightless_follow_first_joint.
void append_influences(const Scene& scene, const SceneMeshUse& use, const Joints& joints, uint32_t max_influences,
                       PaletteBuilder& palette, Mesh& mesh, ImportReport& report);

/// Warns of weights that are negative or not finite, of all skinned meshes: append_influences() leaves them out.
void warn_of_bad_weights(const Scene& scene, ImportReport& report);

/// Reduces every vertex to its heaviest `max_influences` influences, and normalizes them. `max_influences` is not 0.
void limit_influences(Mesh& mesh, uint32_t max_influences, ImportReport& report);

}  // namespace sinew::internal
