#include "crowd_models.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "sinew/animation/pose.h"

namespace sinew::vulkan::internal {
namespace {

constexpr float kSmallestHeight = 1e-6f;  // of a model of one point

std::vector<uint32_t> shareable_clips(const Character& character) {
  std::vector<uint32_t> clips;
  for (uint32_t i = 0; i < character.clips.size(); ++i) {
    if (!character.clips[i].additive) clips.push_back(i);
  }
  return clips;
}

/// The parts of a mesh, those with one material together, by alpha mode; else in the order of the materials.
std::vector<const MeshPart*> drawing_order(const Mesh& mesh, const std::vector<Material>& materials) {
  std::vector<const MeshPart*> order;
  for (const MeshPart& part : mesh.parts) order.push_back(&part);
  std::stable_sort(order.begin(), order.end(), [&](const MeshPart* a, const MeshPart* b) {
    const AlphaMode of_a = materials[a->material].alpha_mode, of_b = materials[b->material].alpha_mode;
    return of_a != of_b ? of_a < of_b : a->material < b->material;
  });
  return order;
}

Status add_masks(const Model& model, uint32_t level, CrowdEvaluator& evaluator) {
  for (const NamedMask& mask : model.masks) {
    if (auto added = evaluator.add_mask(mask.factors); !added) return added.error();
  }
  std::vector<Socket> sockets;
  for (uint32_t i = 0; i < model.sockets.size(); ++i) sockets.push_back(model.socket(level, i));
  return evaluator.set_sockets(sockets);
}

/// Appends `elements`, or default ones where there are none: `list` has `size` elements then.
template <class T>
void append(const std::vector<T>& elements, size_t size, std::vector<T>& list) {
  list.insert(list.end(), elements.begin(), elements.end());
  list.resize(size);
}

PaletteKind palette_kind(const Character& character, const CrowdPalette& palette) {
  if (palette.compact) return {PaletteFormat::kCompact, palette.baked->scale};
  const auto scaling = palette_scaling(character.skeleton, *palette.skin, character.clips);
  return {scaling == PaletteScaling::kAny ? PaletteFormat::kMatrices : PaletteFormat::kRigid};
}

/// Whether the bounds of the model are measured; without, it is never culled.
bool has_bounds(const Model& model) {
  return model.baked.palette_size > 0 && model.bounds.clips.size() == model.character.clips.size();
}

/// Without an evaluator where others write the poses.
Result<CrowdPalette> make_palette(const Model& model, uint32_t level, const CrowdOptions& options, bool evaluated) {
  CrowdPalette own;
  own.skin = &model.skin(level), own.baked = &model.bake(level);
  own.compact = options.compact_palettes && !own.baked->scales() && model.sockets.empty();
  if (!evaluated) return own;
  own.evaluator = CrowdEvaluator(*own.baked);
  if (Status added = add_masks(model, level, own.evaluator); !added) return added.error();
  return own;
}

experimental::BackendMesh backend_mesh(const CrowdModel& own, uint32_t model, const CrowdMesh& mesh) {
  const Character& character = own.model->character;
  const CrowdPalette& palette = own.palettes[mesh.palette];
  PaletteKind kind = palette_kind(character, palette);
  kind.target_count = own.meshes[mesh.level].mesh->target_count();
  const bool worn = mesh.wearable != kNoWearable;
  const std::string& name = worn ? own.model->wearables[mesh.wearable].name : character.name;
  return {mesh.mesh,
          model,
          mesh.level,
          mesh.wearable,
          palette.skin->palette_size(),
          name.c_str(),
          own.model->vertex_box(mesh.level),
          kind};
}

/// A level of detail of a body, as the planner takes it; without its bytes.
crowd::Level plan_level(const CrowdModel& own, const CrowdMesh& mesh) {
  crowd::Level level;
  level.error = mesh.level == 0 ? 0 : own.model->levels[mesh.level - 1].error * own.world_per_unit;
  level.vertex_count = mesh.mesh->vertex_count();
  level.palette_size = mesh.palette > 0 ? own.palettes[mesh.palette].skin->palette_size() : 0;
  level.target_count = mesh.mesh->target_count();
  if (!own.wearable_vertices.empty()) level.wearable_vertices = own.wearable_vertices[mesh.level];
  return level;
}

/// Gives a mesh its place in the streams of its model.
void lay_out(CrowdMesh mesh, CrowdModel& own) {
  const std::vector<Material>& materials = own.model->character.materials;
  mesh.first_vertex = own.vertex_count;
  own.vertex_count += mesh.mesh->vertex_count();
  for (const MeshPart* part : drawing_order(*mesh.mesh, materials)) {
    if (part->index_count == 0) continue;  // coarse levels may lose a part
    const AlphaMode alpha = materials[part->material].alpha_mode;
    if (mesh.pieces.empty() || mesh.pieces.back().material != part->material)
      mesh.pieces.push_back({part->material, alpha, own.index_count, 0});
    mesh.pieces.back().index_count += part->index_count;
    own.index_count += part->index_count;
  }
  own.meshes.push_back(std::move(mesh));
}

void add_wearables(CrowdModel& own) {
  const Model& model = *own.model;
  own.wearable_vertices.resize(model.level_count());
  for (uint32_t w = 0; w < model.wearables.size(); ++w) {
    for (uint32_t level = 0; level < model.level_count(); ++level) {
      const Mesh& mesh = model.wearables[w].meshes[level];
      own.wearable_vertices[level].push_back(mesh.vertex_count());
      lay_out({.level = level, .wearable = w, .palette = own.meshes[level].palette, .mesh = &mesh}, own);
    }
  }
}

/// Writes elements at a place of a list that has `size` elements then, default ones where there are none; an empty list
/// stays empty without any.
template <class T>
void write_at(const std::vector<T>& elements, uint32_t first, size_t size, std::vector<T>& list) {
  if (elements.empty()) return;
  list.resize(size);
  std::ranges::copy(elements, list.begin() + first);
}

/// Appends a mesh to streams, which have second uvs and colors where any mesh has some.
Status append_mesh(const Mesh& mesh, const std::vector<Material>& materials, bool colored, bool second,
                   MeshStreams& streams) {
  for (const MeshPart* part : drawing_order(mesh, materials)) {
    const auto begin = mesh.indices.begin() + part->first_index;
    streams.indices.insert(streams.indices.end(), begin, begin + part->index_count);
  }
  const auto base_color = base_color_uvs(mesh, materials);
  if (!base_color) return base_color.error();
  const size_t size = streams.uvs.size() + mesh.vertex_count();
  append(*base_color, size, streams.base_color_uvs);
  append(mesh.uvs, size, streams.uvs);
  if (second) append(mesh.second_uvs, size, streams.second_uvs);
  if (colored) append(mesh.colors, size, streams.colors);
  return {};
}

}  // namespace

Result<CrowdModel> prepare_model(const SharedModel& shared, const ModelUse& use, const CrowdOptions& options,
                                 const experimental::CrowdParts& parts) {
  if (!(use.world_per_unit > 0)) return Error{ErrorCode::kInvalidArgument, "ModelUse::world_per_unit is not above 0"};
  const Model& model = *shared;
  CrowdModel own;
  own.model = shared, own.world_per_unit = use.world_per_unit;
  own.clips = use.clips ? std::vector(use.clips->begin(), use.clips->end()) : shareable_clips(model.character);
  for (const NamedMask& mask : model.masks) own.masks.push_back(mask.factors);
  if (has_bounds(model)) own.bounds = &model.bounds, own.baked = &model.baked;
  crowd::ModelInfo bounded;
  bounded.bounds = own.bounds, bounded.baked = own.baked;
  own.sphere = crowd::bounding_sphere(bounded, {});
  for (uint32_t level = 0; level < model.level_count(); ++level) {
    if (level == 0 || model.has_palette(level)) {
      auto palette = make_palette(model, level, options, parts.poses.write == nullptr);
      if (!palette) return palette.error();
      own.palettes.push_back(std::move(*palette));
    }
    const auto palette = model.has_palette(level) ? uint32_t(own.palettes.size() - 1) : 0;
    lay_out({.level = level, .palette = palette, .mesh = &model.mesh(level)}, own);
  }
  if (parts.backend == nullptr || parts.backend->borrows_palettes()) add_wearables(own);
  for (uint32_t level = 0; level < model.level_count(); ++level)
    own.plan_levels.push_back(plan_level(own, own.meshes[level]));
  return own;
}

Status prepare_meshes(CrowdModel& own, const SkinnerBackend& backend) {
  for (CrowdMesh& mesh : own.meshes) {
    if (mesh.mesh->vertex_count() == 0) continue;
    Status status = put_value(backend.prepare_mesh(backend_mesh(own, 0, mesh)), mesh.prepared);
    if (!status) return status;
  }
  return {};
}

crowd::ModelInfo model_info_of(const CrowdModel& own) {
  crowd::ModelInfo info;
  info.character = &own.model->character;
  info.bounds = own.bounds, info.baked = own.baked;
  info.clips = own.clips, info.levels = own.plan_levels;
  info.height = std::max(own.model->largest_extent() * own.world_per_unit, kSmallestHeight);
  info.middle = own.model->middle();
  return info;
}

/// The first part that is large enough.
uint32_t StreamPlaces::take(uint32_t count) {
  const auto fits = [&](const Free& part) { return part.count >= count; };
  const auto part = std::ranges::find_if(free_, fits);
  if (part == free_.end()) return std::exchange(end_, end_ + count);
  const uint32_t first = part->first;
  part->first += count, part->count -= count;
  if (part->count == 0) free_.erase(part);
  return first;
}

void StreamPlaces::give(uint32_t first, uint32_t count) {
  if (count == 0) return;
  auto next = std::ranges::lower_bound(free_, first, {}, &Free::first);
  if (next != free_.end() && first + count == next->first) {
    count += next->count;
    next = free_.erase(next);
  }
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->count == first) {
    --next;
    first = next->first, count += next->count;
    next = free_.erase(next);
  }
  if (first + count == end_)
    end_ = first;
  else
    free_.insert(next, {first, count});
}

Status CrowdModels::add(uint32_t number, CrowdModel own, const Backends& backends) {
  if (number >= models_.size()) {
    shared_.resize(size_t{number} + 1);
    models_.resize(size_t{number} + 1);
  }
  if (Status added = add_meshes(number, own, backends); !added) return added;
  own.first_index = indices_.take(own.index_count), own.first_vertex = vertices_.take(own.vertex_count);
  shared_[number] = own.model;
  models_[number] = std::move(own);
  return {};
}

/// After an error those that were added are removed.
Status CrowdModels::add_meshes(uint32_t model, CrowdModel& own, const Backends& backends) {
  const bool is_own = &backends.used == &backends.own;
  for (CrowdMesh& mesh : own.meshes) {
    if (mesh.mesh->vertex_count() == 0) continue;
    const auto id = is_own ? backends.own.skinner().add_mesh(std::move(mesh.prepared))
                           : backends.used.add_mesh(backend_mesh(own, model, mesh));
    if (!id) {
      for (const CrowdMesh* added = own.meshes.data(); added != &mesh; ++added) remove_mesh(*added, backends.used);
      return id.error();
    }
    mesh.id = *id;
    own.plan_levels[mesh.level].static_bytes += backends.used.mesh_bytes(*id);
  }
  return {};
}

void CrowdModels::remove_mesh(const CrowdMesh& mesh, experimental::SkinningBackend& backend) {
  if (mesh.mesh->vertex_count() > 0) backend.remove_mesh(mesh.id);
}

void CrowdModels::remove(uint32_t number, experimental::SkinningBackend& backend) {
  for (const CrowdMesh& mesh : models_[number].meshes) remove_mesh(mesh, backend);
  models_[number].removed = true;
}

void CrowdModels::release(uint32_t number) {
  indices_.give(models_[number].first_index, models_[number].index_count);
  vertices_.give(models_[number].first_vertex, models_[number].vertex_count);
  models_[number] = {}, shared_[number] = {};
}

SkinnerInfo skinner_info(SkinnerInfo info, const CrowdOptions& options) {
  info.update_groups = options.planner.update_rate ? crowd::kUpdateGroups : 1;
  info.keep_previous |= options.planner.previous_poses;
  return info;
}

Status CrowdModels::set_mask(uint32_t model, uint32_t mask, std::span<const float> factors) {
  for (CrowdPalette& palette : models_[model].palettes) {
    if (Status status = palette.evaluator.set_mask(mask, factors); !status) return status;
  }
  std::copy(factors.begin(), factors.end(), models_[model].masks[mask - 1].begin());
  return {};
}

Status CrowdModels::set_chains(uint32_t model, std::span<const Chain> chains) {
  CrowdModel& own = models_[model];
  std::vector<Chain> copy(chains.begin(), chains.end());
  Result<float> margin = 0.0f;
  if (own.bounds != nullptr && own.baked != nullptr)
    margin = measure_chain_margin(own.model->character, *own.baked, chains, own.model->wearables);
  if (!margin) return margin.error();
  for (CrowdPalette& palette : own.palettes) {
    Status status = palette.evaluator.set_chains(own.model->character, *palette.skin, chains);
    if (!status) return status;
  }
  own.chains = std::move(copy), own.chain_margin = *margin;
  return {};
}

Result<MeshStreams> CrowdModels::make_streams(uint32_t model) const {
  const CrowdModel& own = models_[model];
  const auto any = [&](auto list) {
    return std::ranges::any_of(own.meshes, [&](const CrowdMesh& mesh) { return !(mesh.mesh->*list).empty(); });
  };
  const bool colored = any(&Mesh::colors), second = any(&Mesh::second_uvs);
  MeshStreams streams;
  streams.first_index = own.first_index, streams.first_vertex = own.first_vertex;
  streams.indices.reserve(own.index_count);
  for (const CrowdMesh& mesh : own.meshes) {
    Status appended = append_mesh(*mesh.mesh, own.model->character.materials, colored, second, streams);
    if (!appended) return appended.error();
  }
  return streams;
}

Result<MeshStreams> CrowdModels::make_streams() const {
  MeshStreams all;
  all.indices.resize(indices_.end());
  all.base_color_uvs.resize(vertices_.end()), all.uvs.resize(vertices_.end());
  for (uint32_t model = 0; model < models_.size(); ++model) {
    if (!models_[model].model) continue;
    const auto own = make_streams(model);
    if (!own) return own.error();
    write_at(own->indices, own->first_index, indices_.end(), all.indices);
    write_at(own->base_color_uvs, own->first_vertex, vertices_.end(), all.base_color_uvs);
    write_at(own->uvs, own->first_vertex, vertices_.end(), all.uvs);
    write_at(own->second_uvs, own->first_vertex, vertices_.end(), all.second_uvs);
    write_at(own->colors, own->first_vertex, vertices_.end(), all.colors);
  }
  return all;
}

}  // namespace sinew::vulkan::internal
