// The models of an FBX file as nodes: their hierarchy, what their transforms are made of, and how they take over the
// scale of their parents.
#pragma once

#include <string>
#include <vector>

#include "double_transform.h"
#include "fbx/fbx_objects.h"
#include "fbx/fbx_stack.h"
#include "scene.h"

namespace sinew::internal {

/// How the scale of the parent reaches a node. FBX calls them RSrs, RrSs and Rrs.
enum class FbxInherit : uint8_t {
  kNormal,         // as in any hierarchy: the parent's transform times the node's
  kScaleByScale,   // rotations are multiplied, and scales are multiplied axis by axis: no shear
  kNotFromParent,  // likewise, without the scale of the parent: Maya's segment scale compensate
};

/// What an FBX transform has besides translation, rotation and scale:
/// T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1.
struct FbxPivots {
  Double3 rotation_offset{}, rotation_pivot{}, scaling_offset{}, scaling_pivot{};
  Double4 before{0, 0, 0, 1}, after{0, 0, 0, 1};  // rotations around the animated one
  EulerOrder order = EulerOrder::kXyz;

  bool move_with_rotation() const;  // rotation or scale change the translation too
};

struct FbxNode {
  uint32_t object = 0;
  int32_t parent = -1;  // the index of an earlier node; -1: none
  FbxInherit inherit = FbxInherit::kNormal;
  int32_t scale_from = -1;  // the node whose scale is multiplied with this one's; -1: none
  FbxPivots pivots;
  EulerOrder layer_order = EulerOrder::kXyz;  // in which layers mix rotations, also where the pivots have no order
  Double3 translation{}, rotation{}, scaling{1, 1, 1};  // without animation; degrees
  Matrix3x4d node_from_geometry;
  bool has_geometric_transform = false, is_visible = true;

  /// A child does not take over the scale of this node: it becomes two nodes of the scene, one below the other, the
  /// first without the scale, the second with it.
  bool is_split = false;
  uint32_t unscaled_node = 0, full_node = 0;  // in the scene; the same unless split
};

class FbxMotion;

/// All nodes, parents before children.
class FbxNodes {
 public:
  /// Borrows `objects`. Reads `stacks` in this call alone: where the scale of a parent is 1 in all of them, the way in
  /// which a child inherits makes no difference, and counts as kNormal.
  FbxNodes(const FbxObjects& objects, const FbxStacks& stacks);

  const std::vector<FbxNode>& nodes() const { return nodes_; }
  /// The node of a model, or null.
  const FbxNode* node_of(uint32_t object) const;
  uint32_t cyclic_models() const { return cyclic_models_; }

  /// Appends the nodes to the scene, below a root, in their rest pose.
  void append_to(Scene& scene);

 private:
  void read_hierarchy();
  void read_node(uint32_t object, int32_t parent);
  void inherit_visibility();
  void append_node(size_t node, bool is_second, const FbxMotion& rest, Scene& scene);
  void simplify_inheritance(const FbxStacks& stacks);

  const FbxObjects& objects_;
  std::vector<FbxNode> nodes_;
  std::vector<int32_t> node_of_object_;  // -1: none
  uint32_t cyclic_models_ = 0;
};

/// The nodes at a time of a stack. Borrows both. Calls may not run in parallel.
class FbxMotion {
 public:
  FbxMotion(const FbxNodes& nodes, const FbxStack& stack);

  struct Channels {
    FbxChannel translation, rotation, scaling;
  };
  const Channels& channels(size_t node) const { return channels_[node]; }

  /// The rotation of FbxNode::unscaled_node relative to its parent in the scene. A unit quaternion.
  Double4 rotation(size_t node, double seconds, Side side) const;
  /// The translation of FbxNode::unscaled_node relative to its parent in the scene, in the file's units.
  Double3 translation(size_t node, double seconds, Side side) const;
  /// The scale of FbxNode::full_node.
  Double3 scale(size_t node, double seconds, Side side) const;

  bool moves(size_t node) const;
  bool turns(size_t node) const { return channels_[node].rotation.is_animated(); }
  bool scales(size_t node) const;

  void append_translation_breaks(size_t node, double begin, double end, std::vector<double>& times) const;
  void append_scale_breaks(size_t node, double begin, double end, std::vector<double>& times) const;

 private:
  const std::vector<FbxNode>& nodes_;
  std::vector<Channels> channels_;
};

}  // namespace sinew::internal
