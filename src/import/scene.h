// The intermediate scene: every reader writes it, the conversion reads it. Units, axes and values are those of the
// file. The reader has checked indices, counts and the order of nodes. It has not checked values: they may be NaN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/asset/character.h"

namespace sinew::internal {

struct SceneNode {
  std::string name;
  int32_t parent = -1;  // the index of an earlier node; -1 at a root
  Matrix3x4d parent_from_node;
  Transform rest;                  // parent_from_node decomposed into T * R * S; shear is lost
  std::string humanoid_name = {};  // see Skeleton::humanoid_names
};

struct SceneInfluence {
  uint32_t joint = 0;  // an index into SceneSkin::nodes of the skin that the mesh is used with
  float weight = 0;
};

/// Triangles with one material. Attributes have one element per vertex, or none. Morph targets name vertices of this
/// mesh. Several meshes of one node share their weights: that of target t is for target t of each.
struct SceneMesh {
  std::string name;
  int32_t material = -1;  // -1: none, the plain material
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;        // empty: none
  bool has_tangents = false;        // whether the file has tangents
  std::vector<Vec4> tangents;       // empty: none, or not requested; w as in Mesh, 0: unknown handedness
  std::vector<Vec2> uvs;            // empty: none; uv set 0 of the material
  std::vector<Vec2> second_uvs;     // empty: none; uv set 1
  std::vector<VertexColor> colors;  // empty: none
  std::vector<uint32_t> indices;
  std::vector<uint32_t> first_influence;  // offsets as in Mesh; empty: no influences
  std::vector<SceneInfluence> influences;
  std::vector<MorphTarget> targets;
  // A vertex without a weight above 0 follows the node of the mesh; or, if this is set, the joint of its first
  // influence, whatever its weight.
  bool weightless_follow_first_joint = false;
};

/// An inverse bind matrix that says nothing: conversion computes it from the rest pose.
inline constexpr Matrix3x4d kUnknownMatrix{{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};

struct SceneSkin {
  std::vector<uint32_t> nodes;
  std::vector<Matrix3x4d> joint_from_mesh;  // inverse bind matrices, one per node
};

/// A mesh attached to a node, with the skin that deforms it.
struct SceneMeshUse {
  uint32_t node = 0, mesh = 0;
  int32_t skin = -1;                     // -1: rigid, the mesh follows the node
  std::vector<float> rest_weights = {};  // of the node's morph targets; empty: those of the targets
};

/// The animation of one node, in local space.
struct SceneTracks {
  uint32_t node = 0;
  Track<Vec3> translation;
  Track<Quat> rotation;
  Track<Vec3> scale;
};

/// The animation of one morph weight of a node.
struct SceneWeightTrack {
  uint32_t node = 0, target = 0;
  Track<float> weight;
};

struct SceneClip {
  std::string name;
  std::vector<SceneTracks> tracks;             // in any order; of several tracks of one property the last one counts
  std::vector<SceneWeightTrack> weights = {};  // likewise
  std::vector<std::string> repairs;            // warnings about what the reader changed
  std::optional<float> end_seconds = std::nullopt;  // the clip is [0, end_seconds]; none: the keys' range
  std::vector<Marker> markers = {};                 // ascending; those outside the clip are left out
};

/// How well tracks keep curves of the file that they cannot hold as they are; see ImportReport. Of all clips of a file.
struct CurveFit {
  uint32_t file_keys = 0, track_keys = 0;
  double largest_error = 0;
};

/// The warning of readers of hidden nodes. Their meshes are left out, unless none would be left.
inline constexpr const char* kAllMeshesHidden = "all its meshes are hidden: they are shown";

struct Scene {
  ModelSpace space;
  std::vector<SceneNode> nodes;  // in depth-first order, parents before children
  std::vector<SceneMesh> meshes;
  std::vector<SceneSkin> skins;
  std::vector<SceneMeshUse> uses;
  std::vector<SceneClip> clips;
  std::vector<Material> materials;
  std::vector<Image> images;
  bool loses_clips = false;  // the file may have clips that are not read: a motion warning says so
  CurveFit fit;
  std::vector<std::string> motion_warnings;  // what the reader does not keep of the motion of nodes
  Blend blend = Blend::kLinear;              // of all skins
  bool draws_first_frame = false;  // the file has no mesh: the reader has drawn its joints, as the first frame has them
};

inline void set_rest(SceneNode& node, const Transform& rest) {
  node.rest = rest;
  node.parent_from_node = to_matrix(rest);
}
inline void set_rest(SceneNode& node, const Matrix3x4d& parent_from_node) {
  node.parent_from_node = parent_from_node;
  node.rest = to_transform(parent_from_node);
}

// The axes and units that a file gives, made valid.

/// Makes `space` valid, with a line in `warnings` for each value that was replaced. A unit that is no length, or none
/// that validate() accepts, becomes `default_unit`; an up axis without direction +y; a front axis without direction, or
/// along the up axis, the one that is usual for the up axis. Other axes get unit length, and the front axis is made
/// perpendicular to the up axis. Throws std::bad_alloc.
void repair_space(ModelSpace& space, std::vector<std::string>& warnings, float default_unit = 1);

// How far the parts of a scene reach: what an error of a node's rotation or scale costs in distance.

constexpr double kMinReach = 0.05;  // of the diagonal: for what hosts attach to joints

/// Of a scene in its rest pose. All lengths are in the scene's units.
struct Reach {
  double diagonal = 0;          // of the box around all vertices, or around the nodes if there are none
  std::vector<double> of_node;  // from a node to the farthest that it moves, in model space
  std::vector<double> stretch;  // length in model space of a unit of the node's parent
  std::vector<Box> attached;    // of each node: its vertices, in its space; kEmptyBox if it has none
};

Reach measure_reach(const Scene& scene);

}  // namespace sinew::internal
