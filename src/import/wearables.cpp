#include "wearables.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "asset/error.h"
#include "asset/morph.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/pose.h"
#include "sinew/asset/cpu_skin.h"
#include "sinew/import/lod.h"

namespace sinew::internal {
namespace {

Error about(const std::string& wearable, const std::string& fault) {
  return {ErrorCode::kInvalidArgument, "wearable '" + wearable + "': " + fault};
}

// --- parts of meshes ---

void append_vertex(const Mesh& from, uint32_t v, Mesh& to) {
  const auto append = [v](const auto& source, auto& target) {
    if (!source.empty()) target.push_back(source[v]);
  };
  append(from.positions, to.positions), append(from.normals, to.normals), append(from.tangents, to.tangents);
  append(from.uvs, to.uvs), append(from.second_uvs, to.second_uvs), append(from.colors, to.colors);
  const auto influences = from.influences_of(v);
  to.influences.insert(to.influences.end(), influences.begin(), influences.end());
  to.first_influence.push_back(uint32_t(to.influences.size()));
}

/// A mesh of these parts alone.
Mesh mesh_of_parts(const Mesh& from, const std::vector<bool>& is_chosen) {
  Mesh mesh;
  mesh.first_influence = {0}, mesh.blend = from.blend;
  std::vector<uint32_t> new_index(from.vertex_count(), kRemovedVertex);
  for (size_t p = 0; p < from.parts.size(); ++p) {
    if (!is_chosen[p]) continue;
    MeshPart part = from.parts[p];
    const uint32_t first_vertex = mesh.vertex_count(), first_index = uint32_t(mesh.indices.size());
    for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      new_index[v] = mesh.vertex_count();
      append_vertex(from, v, mesh);
    }
    for (uint32_t i = part.first_index; i < part.first_index + part.index_count; ++i)
      mesh.indices.push_back(new_index[from.indices[i]]);
    part.first_vertex = first_vertex, part.first_index = first_index;
    mesh.parts.push_back(std::move(part));
  }
  for (const MorphTarget& target : from.targets) mesh.targets.push_back(reindexed(target, new_index));
  return mesh;
}

/// Which parts have one of the names.
Result<std::vector<bool>> choose_parts(const WearableOptions& wanted, const Mesh& mesh) {
  std::vector<bool> is_chosen(mesh.parts.size(), wanted.parts.empty());
  for (const std::string& name : wanted.parts) {
    bool found = false;
    for (size_t p = 0; p < mesh.parts.size(); ++p) {
      if (mesh.parts[p].name == name) is_chosen[p] = found = true;
    }
    if (!found) return about(wanted.name, "there is no part '" + name + "'");
  }
  return is_chosen;
}

// --- of another character ---

Result<std::vector<Matrix3x4>> rest_palette(const Character& character) {
  std::vector<Matrix3x4> palette(character.skin.palette_size());
  EvaluationScratch scratch;
  const Playback rest;
  Status status = evaluate_exact(character, {&rest, 1}, character.skin.palette_size(), palette, scratch);
  if (!status) return status.error();
  return palette;
}

/// Where an entry of another character goes: the entry, and what it does to vertices.
struct EntryMap {
  uint16_t entry = 0;
  Matrix3x4d mesh_from_other;
};

/// The joint of the character that stands for an entry of the other one. That of a joint has its name.
Result<uint32_t> joint_for(const WearableOptions& wanted, const PaletteEntry& entry, const Skeleton& skeleton) {
  const std::string& name =
      !wanted.joint.empty() || entry.joint == kNoJoint ? wanted.joint : wanted.from->skeleton.joint_names[entry.joint];
  if (name.empty()) return about(wanted.name, "a vertex follows no joint, and WearableOptions::joint is empty");
  const auto joint = find_joint(skeleton, name);
  if (!joint) return about(wanted.name, "the character has no joint '" + name + "'");
  return *joint;
}

/// Of all entries that move vertices of `mesh`. Vertices keep their place relative to the joint.
Result<std::vector<EntryMap>> map_entries(const WearableOptions& wanted, const Mesh& mesh, CharacterFile& file) {
  const Character& from = *wanted.from;
  std::vector<bool> is_used(from.skin.palette_size());
  for (const Influence& influence : mesh.influences) is_used[influence.entry] = true;
  const auto palette = rest_palette(from);
  if (!palette) return palette.error();
  std::vector<uint32_t> joints(is_used.size());
  for (size_t e = 0; e < is_used.size(); ++e) {
    if (!is_used[e]) continue;
    const auto joint = joint_for(wanted, from.skin.entries[e], file.character.skeleton);
    if (!joint) return joint.error();
    joints[e] = *joint;
    if (const auto added = palette_entry_of(file, *joint); !added) return added.error();
  }
  std::vector<EntryMap> map(is_used.size());
  for (size_t e = 0; e < is_used.size(); ++e) {
    if (!is_used[e]) continue;
    const uint16_t entry = *palette_entry_of(file, joints[e]);  // when the palette has all its entries
    const Matrix3x4d joint_from_other =
        wanted.joint.empty() ? from.skin.entries[e].joint_from_mesh
                             : matrix_cast<double>(wanted.joint_from_wearable) * matrix_cast<double>((*palette)[e]);
    map[e] = {entry, inverse(file.character.skin.entries[entry].joint_from_mesh) * joint_from_other};
  }
  return map;
}

/// Influences of one entry become one.
void merge_influences(std::vector<Influence>& influences) {
  std::vector<Influence> merged;
  for (const Influence& influence : influences) {
    const auto same = std::ranges::find(merged, influence.entry, &Influence::entry);
    if (same == merged.end())
      merged.push_back(influence);
    else
      same->weight += influence.weight;
  }
  std::ranges::stable_sort(merged, std::greater<>(), &Influence::weight);
  influences = std::move(merged);
}

/// `entry_of(e)` is the new entry of entry e.
template <class EntryOf>
void replace_entries(Mesh& mesh, EntryOf entry_of) {
  std::vector<Influence> all, own;
  std::vector<uint32_t> first = {0};
  for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
    const auto influences = mesh.influences_of(v);
    own.assign(influences.begin(), influences.end());
    for (Influence& influence : own) influence.entry = entry_of(influence.entry);
    merge_influences(own);
    all.insert(all.end(), own.begin(), own.end());
    first.push_back(uint32_t(all.size()));
  }
  mesh.influences = std::move(all), mesh.first_influence = std::move(first);
}

/// The vertices as these matrices, one for each entry, move them.
void move_vertices(Mesh& mesh, std::span<const Matrix3x4> matrices) {
  std::vector<Vec3> positions(mesh.vertex_count()), normals(mesh.vertex_count());
  std::vector<Vec4> tangents(mesh.tangents.size());
  skin_on_cpu(mesh, matrices, positions, normals, tangents);
  mesh.positions = std::move(positions), mesh.normals = std::move(normals), mesh.tangents = std::move(tangents);
}

/// Adds an image, unless there is one with its pixels: wearables of one file share theirs.
int32_t add_image(const Image& image, std::vector<Image>& to) {
  const auto same = std::ranges::find_if(to, [&](const Image& own) {
    return own.width == image.width && own.height == image.height && own.rgba == image.rgba;
  });
  const auto place = int32_t(same - to.begin());
  if (same == to.end()) to.push_back(image);
  return place;
}

/// Materials of the other character that the mesh uses, and their images, join those of this one.
void add_materials(const Character& from, Mesh& mesh, Character& to) {
  std::vector<uint32_t> material_of(from.materials.size(), UINT32_MAX);
  for (MeshPart& part : mesh.parts) {
    uint32_t& material = material_of[part.material];
    if (material == UINT32_MAX) {
      material = uint32_t(to.materials.size());
      to.materials.push_back(from.materials[part.material]);
      for (Texture* texture : to.materials.back().textures()) {
        if (texture->image >= 0) texture->image = add_image(from.images[size_t(texture->image)], to.images);
      }
    }
    part.material = material;
  }
}

// --- making ---

Result<Mesh> take_parts(const WearableOptions& wanted, Character& character) {
  if (wanted.parts.empty()) return about(wanted.name, "it names neither parts nor another character");
  auto chosen = choose_parts(wanted, character.mesh);
  if (!chosen) return chosen.error();
  Mesh mesh = mesh_of_parts(character.mesh, *chosen);
  chosen->flip();
  character.mesh = mesh_of_parts(character.mesh, *chosen);
  if (character.mesh.vertex_count() == 0) return about(wanted.name, "nothing of the body is left");
  return mesh;
}

Result<Mesh> copy_parts(const WearableOptions& wanted, CharacterFile& file) {
  const Character& from = *wanted.from;
  if (Status status = validate(from); !status) return about(wanted.name, status.error().message);
  const auto chosen = choose_parts(wanted, from.mesh);
  if (!chosen) return chosen.error();
  Mesh mesh = mesh_of_parts(from.mesh, *chosen);
  const auto map = map_entries(wanted, mesh, file);
  if (!map) return map.error();
  std::vector<Matrix3x4> matrices;
  for (const EntryMap& entry : *map) matrices.push_back(matrix_cast<float>(entry.mesh_from_other));
  mesh.blend = Blend::kLinear;
  move_vertices(mesh, matrices);
  replace_entries(mesh, [&](uint16_t entry) { return (*map)[entry].entry; });
  if (!wanted.joint.empty()) {
    for (MeshPart& part : mesh.parts) part.kind = PartKind::kRigid;
  }
  mesh.blend = file.character.mesh.blend;
  if (file.character.mesh.tangents.empty()) mesh.tangents.clear();
  add_materials(from, mesh, file.character);
  return mesh;
}

Status make_wearable(const WearableOptions& wanted, CharacterFile& file) {
  if (file.wearables.size() == kMaxWearables)
    return about(wanted.name, "a model has at most " + std::to_string(kMaxWearables));
  if (!wanted.from && !wanted.joint.empty()) return about(wanted.name, "`joint` is set, and `from` is not");
  auto mesh = wanted.from ? copy_parts(wanted, file) : take_parts(wanted, file.character);
  if (!mesh) return mesh.error();
  if (mesh->vertex_count() == 0) return about(wanted.name, "it has no vertices");
  if (!std::ranges::all_of(mesh->positions, [](Vec3 position) { return is_finite(position); }))
    return about(wanted.name, "its vertices are not finite where it is worn");
  mesh->targets.clear();
  if (Status status = order_by_influences(*mesh); !status) return status;
  file.wearables.push_back({wanted.name, wanted.choice, {}});
  file.wearables.back().meshes.push_back(std::move(*mesh));
  return {};
}

// --- levels of detail ---

/// A wearable at the levels of detail of its model.
class WearableFitter {
 public:
  static Result<WearableFitter> make(const Mesh& finest, const Character& character,
                                     std::span<const Matrix3x4> palette) {
    WearableFitter fitter(finest, character, palette);
    std::vector<Vec3> positions(finest.vertex_count()), normals(finest.vertex_count());
    skin_on_cpu(finest, palette, positions, normals);
    fitter.diagonal_ = length(size_of(bounding_box(positions)));
    LodOptions options;
    options.triangle_shares = {0.6f, 0.4f, 0.25f, 0.15f, 0.1f, 0.06f, 0.04f, 0.025f, 0.015f};
    options.max_error = 0.5f, options.small_levels = false;
    if (Status made = put_value(make_levels(finest, positions, options), fitter.coarser_); !made) return made.error();
    return fitter;
  }

  /// As coarse as the error of the level allows.
  Result<Mesh> fit(const ModelLevel& level) const {
    if (diagonal_ <= level.error) return Mesh();
    const Mesh* best = finest_;
    for (const ModelLevel& own : coarser_) {
      if (own.error <= level.error) best = &own.mesh;
    }
    Mesh mesh = *best;
    if (level.has_palette()) {
      move_vertices(mesh, palette_);
      replace_entries(mesh, [&](uint16_t entry) { return entry_in(level.skin, entry); });
      if (Status status = order_by_influences(mesh); !status) return status.error();
    }
    return mesh;
  }

 private:
  WearableFitter(const Mesh& finest, const Character& character, std::span<const Matrix3x4> palette)
      : finest_(&finest), character_(&character), palette_(palette) {}

  /// The entry of the joint, or of the nearest one above that the level kept.
  uint16_t entry_in(const Skin& skin, uint16_t entry) const {
    int32_t joint = character_->skin.entries[entry].joint;
    for (; joint != kNoJoint; joint = character_->skeleton.parents[size_t(joint)]) {
      const auto own = std::ranges::find(skin.entries, joint, &PaletteEntry::joint);
      if (own != skin.entries.end()) return uint16_t(own - skin.entries.begin());
    }
    return 0;  // a constant entry, or the one that is nearest to the root
  }

  const Mesh* finest_;
  const Character* character_;
  std::span<const Matrix3x4> palette_;  // of the rest pose
  float diagonal_ = 0;
  std::vector<ModelLevel> coarser_;
};

}  // namespace

Result<uint16_t> palette_entry_of(CharacterFile& file, uint32_t joint) {
  const auto& entries = file.character.skin.entries;
  const size_t count = entries.size();
  if (Status status = add_palette_entry(file.character, joint); !status) return status.error();
  const auto place = std::ranges::find(entries, int32_t(joint), &PaletteEntry::joint) - entries.begin();
  if (entries.size() == count) return uint16_t(place);
  for (NamedSocket& named : file.sockets) named.socket.entry += named.socket.entry >= size_t(place);
  for (Wearable& wearable : file.wearables) {
    for (Influence& influence : wearable.meshes[0].influences) influence.entry += influence.entry >= place;
  }
  return uint16_t(place);
}

Result<bool> make_wearables(std::span<const WearableOptions> wanted, CharacterFile& file) {
  const uint32_t entries = file.character.skin.palette_size(), vertices = file.character.mesh.vertex_count();
  const size_t count = file.wearables.size();
  for (const WearableOptions& own : wanted) {
    const auto same = std::ranges::find(file.wearables, own.name, &Wearable::name);
    if (same - file.wearables.begin() < std::ptrdiff_t(count)) continue;
    if (same != file.wearables.end()) return about(own.name, "two wearables have this name");
    if (Status status = make_wearable(own, file); !status) return status.error();
    file.bounds.reset();
  }
  return file.character.skin.palette_size() != entries || file.character.mesh.vertex_count() != vertices;
}

Status fit_wearables(CharacterFile& file) {
  if (file.wearables.empty()) return {};
  const auto palette = rest_palette(file.character);
  if (!palette) return palette.error();
  for (Wearable& wearable : file.wearables) {
    wearable.meshes.resize(1);
    const auto fitter = WearableFitter::make(wearable.meshes[0], file.character, *palette);
    if (!fitter) return fitter.error();
    std::vector<Mesh> coarser;
    for (const ModelLevel& level : file.levels) {
      auto mesh = fitter->fit(level);
      if (!mesh) return mesh.error();
      coarser.push_back(std::move(*mesh));
    }
    std::ranges::move(coarser, std::back_inserter(wearable.meshes));
  }
  return {};
}

}  // namespace sinew::internal

namespace sinew {

Status add_wearables(CharacterFile& file, std::span<const WearableOptions> wearables) try {
  if (Status status = validate(file); !status) return status;
  const Result<bool> changed = internal::make_wearables(wearables, file);
  if (!changed) return changed.error();
  if (*changed) file.baked.reset(), file.levels.clear();
  return internal::fit_wearables(file);
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

}  // namespace sinew
