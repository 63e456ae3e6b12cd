// The content of each section of a `.sinew` file, in the order of the file. Every function writes with an ArchiveWriter
// and reads with an ArchiveReader. A change of a function needs a new kCharacterFileVersion.
#pragma once

#include <type_traits>

#include "archive.h"
#include "sinew/asset/character_file.h"

namespace sinew::internal {

template <class Archive>
inline constexpr bool kReads = std::is_same_v<Archive, ArchiveReader>;

template <class Archive, class T>
void transfer_head(Archive& archive, T& character) {
  archive.text(character.name);
  archive.number(character.space.up);
  archive.number(character.space.front);
  archive.number(character.space.meters_per_unit);
}

template <class Archive, class T>
void transfer_skeleton(Archive& archive, T& skeleton) {
  archive.list(skeleton.joint_names, 4, [&](auto& name) { archive.text(name); });
  archive.array(skeleton.parents);
  archive.array(skeleton.rest_pose);
  archive.number(skeleton.model_from_root);
}

template <class Archive, class T>
void transfer_skin(Archive& archive, T& skin) {
  archive.list(skin.entries, 4 + sizeof(Matrix3x4d), [&](auto& entry) {
    archive.number(entry.joint);
    archive.number(entry.joint_from_mesh);
  });
}

/// Palette entries and weights are two arrays, because Influence has padding bytes.
template <class Archive, class T>
void transfer_influences(Archive& archive, T& mesh) {
  std::vector<uint16_t> entries;
  std::vector<float> weights;
  for (const Influence influence : mesh.influences) {
    entries.push_back(influence.entry);
    weights.push_back(influence.weight);
  }
  archive.array(mesh.first_influence);
  archive.array(entries);
  archive.array(weights);
  if constexpr (kReads<Archive>) {
    mesh.influences.resize(std::min(entries.size(), weights.size()));
    for (size_t i = 0; i < mesh.influences.size(); ++i) mesh.influences[i] = {entries[i], weights[i]};
  }
}

template <class Archive, class T>
void transfer_mesh(Archive& archive, T& mesh) {
  archive.array(mesh.positions);
  archive.array(mesh.normals);
  archive.array(mesh.tangents);
  archive.array(mesh.uvs);
  archive.array(mesh.second_uvs);
  archive.array(mesh.colors);
  archive.array(mesh.indices);
  transfer_influences(archive, mesh);
  archive.list(mesh.parts, 28, [&](auto& part) {
    archive.text(part.name);
    archive.choice(part.kind, PartKind::kSkinned);
    archive.number(part.material);
    archive.number(part.first_vertex), archive.number(part.vertex_count);
    archive.number(part.first_index), archive.number(part.index_count);
  });
  archive.choice(mesh.blend, Blend::kDualQuaternion);
  archive.list(mesh.targets, 40, [&](auto& target) {
    archive.text(target.name);
    archive.number(target.rest_weight);
    archive.array(target.vertices);
    archive.array(target.positions);
    archive.array(target.normals);
    archive.array(target.tangents);
  });
}

template <class Archive, class T>
void transfer_track(Archive& archive, T& track) {
  archive.choice(track.interpolation, Interpolation::kCubic);
  archive.array(track.times_seconds);
  archive.array(track.values);
}

template <class Archive, class T>
void transfer_clips(Archive& archive, T& clips) {
  archive.list(clips, 40, [&](auto& clip) {
    archive.text(clip.name);
    archive.number(clip.start_seconds), archive.number(clip.end_seconds);
    archive.choice(clip.additive, true);
    archive.list(clip.tracks, 64, [&](auto& tracks) {
      archive.number(tracks.joint);
      transfer_track(archive, tracks.translation);
      transfer_track(archive, tracks.rotation);
      transfer_track(archive, tracks.scale);
    });
    archive.list(clip.weights, 24, [&](auto& track) {
      archive.number(track.target);
      transfer_track(archive, track.weight);
    });
    archive.list(clip.markers, 8, [&](auto& marker) {
      archive.number(marker.time_seconds);
      archive.text(marker.name);
    });
  });
}

inline constexpr size_t kTextureBytes = 48,
                        kMaterialBytes = 64 + Material::kTextureCount * kTextureBytes;  // without its name's letters

template <class Archive, class T>
void transfer_texture(Archive& archive, T& texture) {
  archive.number(texture.image), archive.number(texture.uv_set);
  archive.number(texture.offset), archive.number(texture.scale), archive.number(texture.rotation);
  archive.choice(texture.wrap_u, Wrap::kClamp), archive.choice(texture.wrap_v, Wrap::kClamp);
  archive.choice(texture.magnify, Filter::kNearest), archive.choice(texture.minify, Filter::kNearest);
  archive.choice(texture.mip, Filter::kNone);
}

template <class Archive, class T>
void transfer_materials(Archive& archive, T& character) {
  archive.list(character.materials, kMaterialBytes, [&](auto& material) {
    archive.text(material.name);
    archive.number(material.base_color);
    archive.number(material.metallic), archive.number(material.roughness);
    archive.number(material.normal_scale), archive.number(material.occlusion_strength);
    archive.number(material.emissive);
    for (auto* texture : material.textures()) transfer_texture(archive, *texture);
    archive.choice(material.alpha_mode, AlphaMode::kBlend);
    archive.number(material.alpha_cutoff);
    archive.choice(material.double_sided, true);
    archive.choice(material.unlit, true);
  });
  archive.list(character.images, 20, [&](auto& image) {
    archive.text(image.name);
    archive.number(image.width), archive.number(image.height);
    archive.array(image.rgba);
  });
}

template <class Archive, class T>
void transfer_bake(Archive& archive, T& baked) {
  archive.number(baked.options);
  archive.number(baked.scale);
  archive.number(baked.joint_count), archive.number(baked.palette_size);
  archive.number(baked.blocks_per_node), archive.number(baked.cache_lines_per_frame);
  archive.list(baked.clips, 36, [&](auto& clip) {
    archive.text(clip.name);
    archive.number(clip.start_seconds), archive.number(clip.end_seconds);
    archive.number(clip.frames_per_second);
    archive.number(clip.first_frame), archive.number(clip.frame_count);
    archive.number(clip.error);
    archive.choice(clip.additive, true);
  });
  archive.array(baked.nodes);
  archive.array(baked.quantizations);
  archive.array(baked.additive_quantizations);
  archive.array(baked.frames);
  archive.array(baked.rest_weights);
  archive.list(baked.clip_weights, 28, [&](auto& weights) {
    archive.number(weights.frames_per_second);
    archive.number(weights.first_target), archive.number(weights.target_count);
    archive.number(weights.first_value), archive.number(weights.frame_count);
    archive.number(weights.error);
  });
  archive.array(baked.weight_targets);
  archive.array(baked.weight_values);
}

template <class Archive, class T>
void transfer_bounds(Archive& archive, T& bounds) {
  archive.array(bounds.clips);
  archive.array(bounds.pairs);
  archive.number(bounds.rest), archive.number(bounds.blended), archive.number(bounds.layered);
}

template <class Archive, class T>
void transfer_socket(Archive& archive, T& socket) {
  archive.number(socket.entry);
  archive.number(socket.mesh_from_socket);
}

/// Only a level with a palette of its own has a bake.
template <class Archive, class T>
void transfer_levels(Archive& archive, T& levels) {
  archive.list(levels, 120, [&](auto& level) {
    archive.number(level.error);
    transfer_mesh(archive, level.mesh);
    transfer_skin(archive, level.skin);
    if (level.has_palette()) transfer_bake(archive, level.baked);
    archive.list(level.sockets, 52, [&](auto& socket) { transfer_socket(archive, socket); });
  });
}

template <class Archive, class Sockets, class Masks>
void transfer_names(Archive& archive, Sockets& sockets, Masks& masks) {
  archive.list(sockets, 56, [&](auto& named) {
    archive.text(named.name);
    transfer_socket(archive, named.socket);
  });
  archive.list(masks, 12, [&](auto& mask) {
    archive.text(mask.name);
    archive.array(mask.factors);
  });
}

template <class Archive, class T>
void transfer_wearables(Archive& archive, T& wearables) {
  archive.list(wearables, 12, [&](auto& wearable) {
    archive.text(wearable.name);
    archive.text(wearable.choice);
    archive.list(wearable.meshes, 64, [&](auto& mesh) { transfer_mesh(archive, mesh); });
  });
}

template <class Archive, class T>
void transfer_report(Archive& archive, T& report) {
  for (auto* count : {&report.joints,
                      &report.palette_entries,
                      &report.clips,
                      &report.meshes,
                      &report.materials,
                      &report.images,
                      &report.vertices,
                      &report.triangles,
                      &report.max_influences,
                      &report.static_vertices,
                      &report.rigid_vertices,
                      &report.skinned_vertices,
                      &report.morph_targets,
                      &report.repaired_differences,
                      &report.normalized_vertices,
                      &report.limited_vertices,
                      &report.unmoved_vertices,
                      &report.normalized_rotation_keys,
                      &report.computed_inverse_binds,
                      &report.computed_normals}) {
    archive.number(*count);
  }
  archive.number(report.file_tangents), archive.number(report.computed_tangents);
  archive.number(report.largest_lost_weight);
  archive.list(report.retargeted, 4, [&](auto& joint) { archive.text(joint); });
  archive.list(report.warnings, 4, [&](auto& warning) { archive.text(warning); });
  archive.number(report.curve_keys), archive.number(report.track_keys);
  archive.number(report.largest_curve_error);
}

/// Structs that are stored byte by byte have no padding bytes.
static_assert(std::has_unique_object_representations_v<BakedCacheLine> && sizeof(BakedNode) == 24 &&
              sizeof(BakedQuantization) == 64 && sizeof(BakeOptions) == 16 && sizeof(Transform) == 40 &&
              sizeof(ModelSpace) == 28 && sizeof(Matrix3x4d) == 96 && sizeof(Box) == 24);

}  // namespace sinew::internal
