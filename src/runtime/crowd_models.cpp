#include "crowd_models.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
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

}  // namespace

Result<CrowdModels> CrowdModels::create(std::span<const SharedModel> models, const CrowdOptions& options,
                                        const experimental::CrowdParts& parts) {
  CrowdModels all;
  all.shown_level_ = parts.level;
  if (models.empty()) return Error{ErrorCode::kInvalidArgument, "a crowd needs a model"};
  for (uint32_t i = 0; i < models.size(); ++i) {
    if (!models[i]) return Error{ErrorCode::kInvalidArgument, "model " + std::to_string(i) + " is null"};
    const Model& model = *models[i];
    all.shared_.push_back(models[i]);
    CrowdModel& own = all.models_.emplace_back();
    own.model = models[i];
    for (const NamedMask& mask : model.masks) own.masks.push_back(mask.factors);
    if (parts.characters.empty()) {
      own.clips = shareable_clips(model.character);
      own.height = std::max(model.largest_extent(), kSmallestHeight), own.middle = model.middle();
      if (model.baked.palette_size > 0) own.bounds = &model.bounds, own.baked = &model.baked;
    } else {
      const crowd::CharacterInfo& given = parts.characters[i];
      own.clips.assign(given.clips.begin(), given.clips.end());
      own.height = given.height, own.middle = given.middle;
      own.bounds = given.bounds, own.baked = given.baked;
      if (!parts.world_per_unit.empty()) own.world_per_unit = parts.world_per_unit[i];
    }
    crowd::CharacterInfo bounded;
    bounded.bounds = own.bounds, bounded.baked = own.baked;
    own.sphere = crowd::bounding_sphere(bounded, {});
    for (uint32_t level = 0; level < model.level_count(); ++level) {
      if (level == 0 || model.has_palette(level)) {
        Status status = all.add_palette(i, level, options, parts.poses.write == nullptr);
        if (!status) return status.error();
      }
      all.add_level(i, level);
    }
  }
  if (parts.backend != nullptr && !parts.backend->borrows_palettes()) return all;
  for (uint32_t i = 0; i < models.size(); ++i) all.add_wearables(i);
  return all;
}

Status CrowdModels::add_palette(uint32_t model, uint32_t level, const CrowdOptions& options, bool evaluated) {
  const Model& from = *models_[model].model;
  CrowdPalette& own = models_[model].palettes.emplace_back();
  own.skin = &from.skin(level), own.baked = &from.bake(level);
  own.compact = options.compact_palettes && !own.baked->scales() && from.sockets.empty();
  if (!evaluated) return {};
  own.evaluator = CrowdEvaluator(*own.baked);
  return add_masks(from, level, own.evaluator);
}

void CrowdModels::add_level(uint32_t model, uint32_t level) {
  CrowdModel& own = models_[model];
  if (level == 0) own.first_level = uint32_t(levels_.size());
  CrowdLevel added{.model = model, .level = level, .mesh = &own.model->mesh(level)};
  added.palette = own.model->has_palette(level) ? uint32_t(own.palettes.size() - 1) : 0;
  lay_out(std::move(added));
}

/// The meshes of all wearables of one level are neighbors.
void CrowdModels::add_wearables(uint32_t model) {
  CrowdModel& own = models_[model];
  const std::vector<Wearable>& wearables = own.model->wearables;
  own.first_wearables.resize(own.model->level_count()), own.drawn_wearables.resize(own.model->level_count());
  for (uint32_t level = 0; level < own.model->level_count(); ++level) {
    own.first_wearables[level] = uint32_t(levels_.size());
    for (uint32_t w = 0; w < wearables.size(); ++w) {
      const Mesh& mesh = wearables[w].meshes[level];
      if (mesh.vertex_count() == 0) continue;
      own.drawn_wearables[level] |= uint64_t{1} << w;
      lay_out({.model = model,
               .level = level,
               .wearable = w,
               .palette = levels_[own.first_level + level].palette,
               .mesh = &mesh});
      has_wearables_ = true;
    }
  }
}

uint32_t CrowdModels::mesh_of_wearable(uint32_t mesh, uint32_t wearable) const {
  const CrowdModel& own = models_[levels_[mesh].model];
  const uint32_t level = levels_[mesh].level;
  const uint64_t before = own.drawn_wearables[level] & ((uint64_t{1} << wearable) - 1);
  return own.first_wearables[level] + uint32_t(std::popcount(before));
}

/// Gives a level its place in the streams.
void CrowdModels::lay_out(CrowdLevel level) {
  const Model& from = *models_[level.model].model;
  CrowdLevel& own = levels_.emplace_back(std::move(level));
  own.first_stream_vertex = vertex_count_;
  vertex_count_ += own.mesh->vertex_count();
  for (const MeshPart* part : drawing_order(*own.mesh, from.character.materials)) {
    if (part->index_count == 0) continue;  // coarse levels may lose a part
    const AlphaMode alpha = from.character.materials[part->material].alpha_mode;
    if (own.pieces.empty() || own.pieces.back().material != part->material)
      own.pieces.push_back({part->material, alpha, index_count_, 0});
    own.pieces.back().index_count += part->index_count;
    index_count_ += part->index_count;
  }
}

SkinnerInfo skinner_info(SkinnerInfo info, const CrowdOptions& options) {
  info.update_groups = options.planner.update_rate ? crowd::kUpdateGroups : 1;
  info.keep_previous |= options.planner.previous_poses;
  return info;
}

Status CrowdModels::add_to(experimental::SkinningBackend& backend) {
  for (const CrowdLevel& level : levels_) {
    CrowdModel& own = models_[level.model];
    const Character& character = own.model->character;
    const CrowdPalette& palette = own.palettes[level.palette];
    const bool worn = level.wearable != kNoWearable;
    PaletteKind kind = palette_kind(character, palette);
    kind.target_count = levels_[own.first_level + level.level].mesh->target_count();
    const std::string& name = worn ? own.model->wearables[level.wearable].name : character.name;
    const auto bytes =
        backend.add_mesh({level.mesh, level.model, level.level, level.wearable, palette.skin->palette_size(),
                          name.c_str(), own.model->vertex_box(level.level), kind});
    if (!bytes) return bytes.error();
    if (worn) {
      own.plan_levels[level.level].static_bytes += *bytes;
      continue;
    }
    const uint32_t own_size = level.palette > 0 ? palette.skin->palette_size() : 0;
    const uint32_t vertices = level.mesh->vertex_count() + (has_wearables_ ? worn_vertices(level) : 0);
    own.plan_levels.push_back({error_of(level), vertices, *bytes, own_size, level.mesh->target_count()});
  }
  return {};
}

/// Of an instance that wears the largest of each choice.
uint32_t CrowdModels::worn_vertices(const CrowdLevel& level) const {
  std::map<std::string_view, uint32_t> largest;
  for (const Wearable& wearable : models_[level.model].model->wearables) {
    uint32_t& of_choice = largest[wearable.choice];
    of_choice = std::max(of_choice, wearable.meshes[level.level].vertex_count());
  }
  uint32_t sum = 0;
  for (const auto& [choice, vertices] : largest) sum += vertices;
  return sum;
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

float CrowdModels::error_of(const CrowdLevel& level) const {
  if (shown_level_) return level.level <= *shown_level_ ? 0 : FLT_MAX;
  const CrowdModel& own = models_[level.model];
  return level.level == 0 ? 0 : own.model->levels[level.level - 1].error * own.world_per_unit;
}

std::vector<crowd::CharacterInfo> CrowdModels::characters() const {
  std::vector<crowd::CharacterInfo> characters;
  for (const CrowdModel& own : models_) {
    crowd::CharacterInfo& info = characters.emplace_back();
    info.character = &own.model->character;
    info.bounds = own.bounds;
    info.baked = own.baked;
    info.clips = own.clips;
    info.levels = own.plan_levels;
    info.height = own.height;
    info.middle = own.middle;
  }
  return characters;
}

Result<MeshStreams> CrowdModels::make_streams() const {
  MeshStreams streams;
  streams.indices.reserve(index_count_);
  const auto any = [&](auto list) {
    return std::any_of(levels_.begin(), levels_.end(),
                       [&](const CrowdLevel& own) { return !(own.mesh->*list).empty(); });
  };
  const bool colored = any(&Mesh::colors), second = any(&Mesh::second_uvs);
  for (const CrowdLevel& level : levels_) {
    const Mesh& mesh = *level.mesh;
    const std::vector<Material>& materials = models_[level.model].model->character.materials;
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
  }
  return streams;
}

}  // namespace sinew::vulkan::internal
