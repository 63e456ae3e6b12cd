// The plain scene that both readers fill and one conversion reads. Numbers are as the file has them; indices, counts
// and the order of nodes have been checked by the reader, values have not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew {

struct SceneNode {
  std::string name;
  int32_t parent = -1;  // an earlier node; -1 at a root
  Matrix3x4d parent_from_node;
  Transform rest;  // the same as T * R * S, as near as that comes
};

struct SceneInfluence {
  uint32_t joint = 0;  // in the skin the mesh is used with
  float weight = 0;
};

/// Triangles of one material.
struct SceneMesh {
  std::string name;
  int32_t material = -1;  // -1: none, plain
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;   // empty: none
  bool has_tangents = false;   // in the file
  std::vector<Vec4> tangents;  // empty: none, or not asked for; w as in Mesh, 0 where there is none
  std::vector<Vec2> uvs;       // empty: none
  std::vector<uint32_t> indices;
  std::vector<uint32_t> first_influence;  // as in Mesh; empty: none
  std::vector<SceneInfluence> influences;
};

struct SceneSkin {
  std::vector<uint32_t> nodes;
  std::vector<Matrix3x4d> joint_from_mesh;  // one a node
};

/// A mesh hung on a node, and what bends it.
struct SceneMeshUse {
  uint32_t node = 0, mesh = 0;
  int32_t skin = -1;  // -1: the node alone moves it
};

struct SceneTracks {
  uint32_t node = 0;
  Track<Vec3> translation;
  Track<Quat> rotation;
  Track<Vec3> scale;
};

struct SceneClip {
  std::string name;
  std::vector<SceneTracks> tracks;                  // any order; a node may come twice, the later wins
  std::vector<std::string> repairs;                 // what the reader did to them, for the report
  std::optional<float> end_seconds = std::nullopt;  // where the file says so: from 0 until then; else the keys say
};

struct Scene {
  ModelSpace space;
  std::vector<SceneNode> nodes;  // depth-first, parents first
  std::vector<SceneMesh> meshes;
  std::vector<SceneSkin> skins;
  std::vector<SceneMeshUse> uses;
  std::vector<SceneClip> clips;
  std::vector<Material> materials;
  std::vector<Image> images;
};

inline void set_rest(SceneNode& node, const Transform& rest) {
  node.rest = rest;
  node.parent_from_node = to_matrix(rest);
}
inline void set_rest(SceneNode& node, const Matrix3x4d& parent_from_node) {
  node.parent_from_node = parent_from_node;
  node.rest = to_transform(parent_from_node);
}

}  // namespace sinew
