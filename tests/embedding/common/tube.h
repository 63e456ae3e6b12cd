// The character of the consumers: a tube of four joints that bends, made in code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>
#include <vector>

#include "sinew/asset/character.h"

inline constexpr uint32_t kJoints = 4, kRings = 13, kSides = 8;
inline constexpr float kLength = 4, kRadius = 0.4f;

inline sinew::Matrix3x4d moved_along_y(double y) {
  sinew::Matrix3x4d matrix;
  matrix.m[1][3] = y;
  return matrix;
}

inline void add_vertex(sinew::Mesh& mesh, uint32_t ring, uint32_t side) {
  const float y = kLength * float(ring) / (kRings - 1), angle = 2 * std::numbers::pi_v<float> * float(side) / kSides;
  const sinew::Vec3 normal{std::cos(angle), 0, std::sin(angle)};
  mesh.positions.push_back({normal.x * kRadius, y, normal.z * kRadius});
  mesh.normals.push_back(normal);
  mesh.uvs.push_back({float(side) / kSides, y / kLength});
  const uint32_t joint = std::min(uint32_t(y), kJoints - 1);
  const float next = joint + 1 < kJoints ? (y - float(joint)) / 2 : 0;  // at most half
  mesh.influences.push_back({uint16_t(joint), 1 - next});
  if (next > 0) mesh.influences.push_back({uint16_t(joint + 1), next});
  mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
}

inline sinew::Mesh make_tube_mesh() {
  sinew::Mesh mesh;
  mesh.first_influence.push_back(0);
  for (uint32_t ring = 0; ring < kRings; ++ring) {
    for (uint32_t side = 0; side < kSides; ++side) {
      add_vertex(mesh, ring, side);
      if (ring + 1 == kRings) continue;
      const uint32_t a = ring * kSides + side, b = ring * kSides + (side + 1) % kSides;
      for (const uint32_t index : {a, b, a + kSides, b, b + kSides, a + kSides}) mesh.indices.push_back(index);
    }
  }
  mesh.parts.push_back(
      {"tube", sinew::PartKind::kSkinned, 0, 0, mesh.vertex_count(), 0, uint32_t(mesh.indices.size())});
  return mesh;
}

inline sinew::Character make_tube() {
  sinew::Character tube;
  tube.name = "tube";
  tube.materials.push_back({"plain"});
  tube.mesh = make_tube_mesh();
  sinew::Clip clip{"bend", 0, 1, {}, false};
  for (uint32_t joint = 0; joint < kJoints; ++joint) {
    tube.skeleton.joint_names.push_back("joint");
    tube.skeleton.parents.push_back(int32_t(joint) - 1);
    sinew::Transform rest;
    rest.translation.y = joint > 0 ? kLength / kJoints : 0;
    tube.skeleton.rest_pose.push_back(rest);
    tube.skin.entries.push_back({int32_t(joint), moved_along_y(-double(joint))});
    sinew::JointTracks tracks;
    tracks.joint = joint;
    tracks.rotation.times_seconds = {0, 1};
    tracks.rotation.values = {{}, sinew::normalize(sinew::Quat{0.1f, 0, 0.35f, 1})};
    clip.tracks.push_back(tracks);
  }
  tube.clips.push_back(clip);
  return tube;
}

/// Writes the palettes of `count` instances from `first` on, in a frame; the next palette begins `stride` matrices
/// later.
using WritePalettes = std::function<void(uint64_t frame, uint32_t first, uint32_t count, uint32_t stride,
                                         std::span<sinew::Matrix3x4> palettes)>;

/// What an instance shows in a frame: how far it bends, from 0 to 1.
inline float bend_of(uint64_t frame, uint32_t instance) { return float((frame * 3 + instance) % 10) / 10; }

/// Palettes of sinew::asset alone, for hosts without the evaluator.
inline void write_by_hand(uint64_t frame, uint32_t first, uint32_t count, uint32_t stride,
                          std::span<sinew::Matrix3x4> palettes) {
  for (uint32_t i = 0; i < count; ++i) {
    const double angle = 0.7 * double(bend_of(frame, first + i)), c = std::cos(angle), s = std::sin(angle);
    const sinew::Matrix3x4d turned{{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
    sinew::Matrix3x4d joint = turned;
    for (uint32_t j = 0; j < kJoints; ++j) {
      palettes[size_t{i} * stride + j] = sinew::matrix_cast<float>(joint * moved_along_y(-double(j)));
      joint = joint * moved_along_y(1) * turned;
    }
  }
}
