// A level of detail with a palette of its own, made by hand: some joints are merged into their parents.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/animation/bake.h"
#include "sinew/asset/model.h"
#include "sinew/import/lod.h"

namespace sinew::test {

/// The built-in character's right forearm, in the middle of a chain, and everything at the ends of the others.
inline bool is_merged(std::string_view joint) {
  constexpr std::string_view kMerged[] = {"forearm_r", "forearm_twist_r", "scarf", "thumb", "index", "middle",
                                          "ring",      "pinky",           "toe"};
  return std::ranges::any_of(kMerged, [&](std::string_view start) { return joint.starts_with(start); });
}

/// The entries of all joints but the merged ones; of each entry of the character, the entry in its place.
struct MergedSkin {
  Skin skin;
  std::vector<uint16_t> entry_of;
};

inline MergedSkin merge_joints(const Character& character) {
  MergedSkin merged;
  std::map<int32_t, uint16_t> of_joint;
  const auto& entries = character.skin.entries;
  for (const PaletteEntry& entry : entries) {
    if (entry.joint != kNoJoint && is_merged(character.skeleton.joint_names[size_t(entry.joint)])) continue;
    of_joint.try_emplace(entry.joint, uint16_t(merged.skin.entries.size()));
    merged.skin.entries.push_back(entry);
  }
  for (const PaletteEntry& entry : entries) {
    int32_t joint = entry.joint;
    while (joint != kNoJoint && of_joint.count(joint) == 0) joint = character.skeleton.parents[size_t(joint)];
    merged.entry_of.push_back(of_joint.at(joint));
  }
  return merged;
}

inline void renumber(const std::vector<uint16_t>& entry_of, Mesh& mesh) {
  const Mesh old = mesh;
  mesh.influences.clear();
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    std::map<uint16_t, float> weights;
    for (const Influence influence : old.influences_of(v)) weights[entry_of[influence.entry]] += influence.weight;
    std::vector<Influence> own;
    for (const auto& [entry, weight] : weights) own.push_back({entry, weight});
    std::ranges::stable_sort(own, std::ranges::greater(), &Influence::weight);
    mesh.first_influence[v] = uint32_t(mesh.influences.size());
    mesh.influences.insert(mesh.influences.end(), own.begin(), own.end());
  }
  mesh.first_influence.back() = uint32_t(mesh.influences.size());
}

/// `mesh` has the palette of the character. The level has no morph targets.
inline ModelLevel merged_level(const Model& model, const Mesh& mesh) {
  const MergedSkin merged = merge_joints(model.character);
  ModelLevel made;
  made.mesh = mesh;
  made.mesh.targets.clear();
  renumber(merged.entry_of, made.mesh);
  made.skin = merged.skin;
  made.baked = *bake(model.character, made.skin, 0);
  for (const NamedSocket& named : model.sockets)
    made.sockets.push_back({merged.entry_of[named.socket.entry], named.socket.mesh_from_socket});
  return made;
}

/// The model with two coarser levels: one with the palette of the character, and one that has its own.
inline Model with_merged_level(const Model& model) {
  Model made = model;
  std::vector<ModelLevel> coarser = *make_levels(model.character.mesh);  // of the mesh alone: no joints are merged
  made.levels = {coarser[0], merged_level(model, coarser[1].mesh)};
  made.levels[0].error = 0.003f * model.largest_extent(), made.levels[1].error = 0.005f * model.largest_extent();
  return made;
}

}  // namespace sinew::test
