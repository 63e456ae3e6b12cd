// Characters: files, and what a character consists of.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "character.h"

namespace sinew::c {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{2} << 30;  // as load_character_file() has it

SinewTexture texture_of(const Texture& from) {
  return {from.image,
          from.uv_set,
          {from.offset.x, from.offset.y},
          {from.scale.x, from.scale.y},
          from.rotation,
          uint32_t(from.wrap_u),
          uint32_t(from.wrap_v),
          uint32_t(from.magnify),
          uint32_t(from.minify),
          uint32_t(from.mip)};
}

const Mesh& mesh_of(const CharacterContent& content, uint32_t level) {
  if (level == 0) return content.character.mesh;
  if (level < content.level_count()) return content.coarse_levels[level - 1].mesh;
  refuse("level is " + std::to_string(level) + ", but the character has " + std::to_string(content.level_count()));
}

struct alignas(64) Block {
  std::byte bytes[64];
};

/// A copy that begins at a multiple of 64 bytes, as decode_character() needs it.
std::vector<Block> aligned_copy(std::span<const std::byte> bytes) {
  std::vector<Block> copy(bytes.size() / sizeof(Block) + 1);
  if (!bytes.empty()) std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copy;
}

}  // namespace

std::vector<SinewMorphTarget> targets_of(const Mesh& mesh) {
  std::vector<SinewMorphTarget> targets;
  for (const MorphTarget& target : mesh.targets) {
    targets.push_back({target.name.c_str(), target.rest_weight, uint32_t(target.vertices.size()),
                       target.vertices.data(), floats_of(target.positions), floats_of(target.normals),
                       floats_of(target.tangents)});
  }
  return targets;
}

SinewCharacter* make_character(CharacterFile&& file) {
  auto handle = std::make_unique<SinewCharacter>();
  handle->content = std::make_shared<CharacterContent>();
  handle->content->character = std::move(file.character);
  handle->content->targets = targets_of(handle->content->character.mesh);
  handle->content->baked = std::move(file.baked);
  handle->content->bounds = std::move(file.bounds);
  handle->content->report = std::move(file.report);
  for (ModelLevel& level : file.levels) handle->content->coarse_levels.emplace_back(std::move(level));
  return handle.release();
}

const CharacterContent& content_of(const SinewCharacter* character, const char* name) {
  return *required(character, name).content;
}

CharacterContent& changeable(SinewCharacter* character) {
  std::shared_ptr<CharacterContent>& content = required(character, "character").content;
  if (content.use_count() > 1) refuse("character: an evaluator or a planner uses it; destroy that first");
  return *content;
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

SinewResult sinew_character_load(const char* path, SinewCharacter** out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = nullptr;
    *out = make_character(take(load_character_file(&required(path, "path"))));
  });
}

SinewResult sinew_character_load_memory(const void* bytes, size_t size_bytes, SinewCharacter** out, SinewError* error) {
  return call(error, __func__, [&] {
    required(out, "out") = nullptr;
    const auto given = array(static_cast<const std::byte*>(bytes), size_bytes, "bytes");
    if (size_bytes > kMaxFileBytes)
      refuse("size_bytes is " + std::to_string(size_bytes) + ", but a file has at most 2 GiB");
    const std::vector<Block> copy = aligned_copy(given);
    *out = make_character(take(decode_character({copy.front().bytes, size_bytes})));
  });
}

SinewResult sinew_character_write(const SinewCharacter* character, const char* path, SinewError* error) {
  return call(error, __func__, [&] {
    const CharacterContent& content = content_of(character);
    check(write_character_file(&required(path, "path"), {content.character, content.baked, content.report}));
  });
}

void sinew_character_destroy(SinewCharacter* character) { delete character; }

SinewResult sinew_character_to_meters(SinewCharacter* character, SinewError* error) {
  return call(error, __func__, [&] {
    CharacterContent& content = changeable(character);
    if (content.character.space == ModelSpace()) return;
    convert_space(content.character);
    content.targets = targets_of(content.character.mesh);
    content.drop_bake();                                                           // of the old space
    std::erase_if(content.coarse_levels, std::mem_fn(&CoarseLevel::has_palette));  // likewise
  });
}

SinewResult sinew_character_info(const SinewCharacter* character, SinewCharacterInfo* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewCharacterInfo& info) {
    const CharacterContent& content = content_of(character);
    const Character& from = content.character;
    info.name = from.name.c_str();
    info.joint_count = from.skeleton.joint_count();
    info.clip_count = uint32_t(from.clips.size());
    info.part_count = uint32_t(from.mesh.parts.size());
    info.material_count = uint32_t(from.materials.size());
    info.image_count = uint32_t(from.images.size());
    info.palette_size = from.skin.palette_size();
    info.level_count = uint32_t(content.level_count());
    info.baked = content.baked ? 1 : 0;
    info.target_count = from.mesh.target_count();
    info.warning_count = content.report ? uint32_t(content.report->warnings.size()) : 0;
    put(from.space.up, info.up);
    put(from.space.front, info.front);
    info.meters_per_unit = from.space.meters_per_unit;
  });
}

SinewResult sinew_character_joint(const SinewCharacter* character, uint32_t index, SinewJoint* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewJoint& joint) {
    const Skeleton& skeleton = content_of(character).character.skeleton;
    const Transform& rest = element(skeleton.rest_pose, index, "joint");
    joint.name = skeleton.joint_names[index].c_str();
    joint.parent = skeleton.parents[index];
    put(rest.translation, joint.translation);
    put(rest.scale, joint.scale);
    std::memcpy(joint.rotation, &rest.rotation, sizeof joint.rotation);
  });
}

SinewResult sinew_character_clip(const SinewCharacter* character, uint32_t index, SinewClip* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewClip& clip) {
    const CharacterContent& content = content_of(character);
    const Clip& from = element(content.character.clips, index, "clip");
    clip.name = from.name.c_str();
    clip.start_seconds = from.start_seconds;
    clip.end_seconds = from.end_seconds;
    clip.additive = from.additive ? 1 : 0;
    if (content.baked) clip.baked_error = content.baked->clips[index].error;
    clip.marker_count = uint32_t(from.markers.size());
  });
}

SinewResult sinew_character_marker(const SinewCharacter* character, uint32_t clip, uint32_t index, SinewMarker* out,
                                   SinewError* error) {
  return call(error, __func__, [&] {
    const Clip& of = element(content_of(character).character.clips, clip, "clip");
    const Marker& from = element(of.markers, index, "marker");
    required(out, "out") = {from.time_seconds, from.name.c_str()};
  });
}

SinewResult sinew_character_material(const SinewCharacter* character, uint32_t index, SinewMaterial* out,
                                     SinewError* error) {
  return query(out, error, __func__, [&](SinewMaterial& material) {
    const Material& from = element(content_of(character).character.materials, index, "material");
    material.name = from.name.c_str();
    std::memcpy(material.base_color, &from.base_color, sizeof material.base_color);
    material.metallic = from.metallic, material.roughness = from.roughness;
    material.normal_scale = from.normal_scale;
    material.occlusion_strength = from.occlusion_strength;
    put(from.emissive, material.emissive);
    material.base_color_texture = texture_of(from.base_color_texture);
    material.metallic_roughness_texture = texture_of(from.metallic_roughness_texture);
    material.normal_texture = texture_of(from.normal_texture);
    material.occlusion_texture = texture_of(from.occlusion_texture);
    material.emissive_texture = texture_of(from.emissive_texture);
    material.alpha_mode = uint32_t(from.alpha_mode);
    material.alpha_cutoff = from.alpha_cutoff;
    material.double_sided = from.double_sided;
    material.unlit = from.unlit;
  });
}

SinewResult sinew_character_image(const SinewCharacter* character, uint32_t index, SinewImage* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewImage& image) {
    const Image& from = element(content_of(character).character.images, index, "image");
    image.name = from.name.c_str();
    image.width = from.width, image.height = from.height;
    image.rgba = from.rgba.data();
  });
}

SinewResult sinew_character_warning(const SinewCharacter* character, uint32_t index, const char** out,
                                    SinewError* error) {
  return call(error, __func__, [&] {
    const CharacterContent& content = content_of(character);
    const std::vector<std::string> none;
    const char*& line = required(out, "out");
    line = element(content.report ? content.report->warnings : none, index, "warning").c_str();
  });
}

SinewResult sinew_character_mesh(const SinewCharacter* character, uint32_t level, SinewMesh* out, SinewError* error) {
  return query(out, error, __func__, [&](SinewMesh& mesh) {
    const CharacterContent& content = content_of(character);
    const Mesh& from = mesh_of(content, level);
    mesh.vertex_count = from.vertex_count();
    mesh.index_count = uint32_t(from.indices.size());
    mesh.influence_count = uint32_t(from.influences.size());
    mesh.positions = floats_of(from.positions), mesh.normals = floats_of(from.normals);
    mesh.tangents = floats_of(from.tangents), mesh.uvs = floats_of(from.uvs);
    mesh.second_uvs = floats_of(from.second_uvs);
    mesh.part_count = uint32_t(from.parts.size());
    mesh.colors = from.colors.empty() ? nullptr : &from.colors[0].r;
    mesh.indices = from.indices.data();
    mesh.first_influence = from.first_influence.data();
    mesh.influences = seen_as<SinewInfluence>(from.influences.data());
    const std::vector<SinewMorphTarget>& targets =
        level == 0 ? content.targets : content.coarse_levels[level - 1].targets;
    mesh.target_count = uint32_t(targets.size());
    mesh.targets = targets.data();
    mesh.blend = uint32_t(from.blend);
    mesh.error = level == 0 ? 0 : content.coarse_levels[level - 1].error;
  });
}

SinewResult sinew_character_part(const SinewCharacter* character, uint32_t level, uint32_t index, SinewPart* out,
                                 SinewError* error) {
  return query(out, error, __func__, [&](SinewPart& part) {
    const MeshPart& from = element(mesh_of(content_of(character), level).parts, index, "part");
    part.name = from.name.c_str();
    part.material = from.material;
    part.first_vertex = from.first_vertex, part.vertex_count = from.vertex_count;
    part.first_index = from.first_index, part.index_count = from.index_count;
  });
}

SinewResult sinew_character_find_clip(const SinewCharacter* character, const char* name, uint32_t* out,
                                      SinewError* error) {
  return call(error, __func__, [&] {
    const std::vector<Clip>& clips = content_of(character).character.clips;
    const auto found = std::ranges::find(clips, std::string_view(&required(name, "name")), &Clip::name);
    const auto index = uint32_t(found - clips.begin());
    put_found(found != clips.end() ? std::optional(index) : std::nullopt, "character", "clip", name, out);
  });
}

SinewResult sinew_character_find_joint(const SinewCharacter* character, const char* name, uint32_t* out,
                                       SinewError* error) {
  return call(error, __func__, [&] {
    const Skeleton& skeleton = content_of(character).character.skeleton;
    put_found(find_joint(skeleton, &required(name, "name")), "character", "joint", name, out);
  });
}
