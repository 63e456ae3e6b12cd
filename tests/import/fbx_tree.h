// Random trees of FBX nodes with layers of curves, and where their nodes are: the textbook product of matrices.
//
// Of a node: T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1. How scales of parents reach children
// follows Autodesk's FBX SDK (its example "Transformations", function CalculateGlobalTransform): inherit type 0 is
// R r S s, 1 is R S r s, 2 is R r s.
#pragma once

#include <map>
#include <optional>

#include "fbx_own.h"

namespace sinew::test {

/// A curve, or a number, for each of three numbers.
struct OwnAnimated {
  Own3 fixed{};
  std::array<std::optional<OwnCurve>, 3> curves;

  Own3 at(double seconds) const;
};

struct OwnLayer {
  int mode = 0;  // 0: additive, 1: override, 2: mixes with what is below
  double weight = 1;
  std::optional<OwnCurve> weights;  // in percent
  bool adds_angles = false, adds_scales = false, is_muted = false, is_solo = false;
  std::map<std::pair<size_t, char>, OwnAnimated> animated;  // by node, and 'T', 'R' or 'S'
};

struct OwnStack {
  double start = 0, stop = 1;
  std::vector<OwnLayer> layers;  // from the lowest

  bool plays(const OwnLayer& layer) const;
  std::vector<const OwnCurve*> curves() const;  // of layers that play
};

struct OwnNode {
  int parent = -1, inherit = 1, order = 0;
  bool is_active = true, is_limit_only = false;
  bool is_uniform = false, keeps_scale = false;  // its scale has equal numbers; it is 1 at all times
  Own3 rotation_offset{}, rotation_pivot{}, pre{}, post{}, scaling_offset{}, scaling_pivot{};
  Own3 translation{}, rotation{}, scale{1, 1, 1};
  Own3 geometric_shift{}, geometric_turn{}, geometric_scale{1, 1, 1};

  OwnMatrix geometric() const;
  std::string properties() const;
};

struct OwnTree {
  std::vector<OwnNode> nodes;  // parents before children
  std::vector<OwnStack> stacks;
  // If it has a skin: the model of the mesh, and the matrix from the mesh to each joint. Else each node has a mesh.
  std::optional<OwnNode> body;
  std::vector<OwnMatrix> joint_from_mesh;

  /// From each mesh, or from the part of the skinned mesh that follows a node. `stack`: null for the rest pose.
  std::vector<OwnMatrix> model_from_meshes(const OwnStack* stack, double seconds) const;
  /// Nodes in depth-first order, as meshes of the character are.
  std::vector<size_t> order() const;
  std::string text() const;
};

/// `subset`: bits of the six pivots and offsets that the nodes have.
OwnTree random_tree(OwnRandom& random, uint32_t subset);

}  // namespace sinew::test
