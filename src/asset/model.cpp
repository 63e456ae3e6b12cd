#include "sinew/asset/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "error.h"
#include "exceptions.h"
#include "one_line.h"

namespace sinew {

using namespace internal;
namespace {

bool is_valid(const Box& box) {
  const auto in_order = [](float low, float high) { return low <= high && std::isfinite(low) && std::isfinite(high); };
  return in_order(box.low.x, box.high.x) && in_order(box.low.y, box.high.y) && in_order(box.low.z, box.high.z);
}

Status validate_bounds(const CharacterBounds& bounds, const BakedCharacter& baked) {
  const size_t clips = baked.clips.size();
  if (bounds.clips.size() != clips) {
    return invalid("bounds: of " + std::to_string(bounds.clips.size()) + " clips, the bake has " +
                   std::to_string(clips));
  }
  if (!bounds.pairs.empty() && bounds.pairs.size() != clips * (clips + 1) / 2) {
    return invalid("bounds: their pairs of clips are incomplete");
  }
  bool valid = is_valid(bounds.rest) && is_valid(bounds.blended) && is_valid(bounds.layered);
  for (const Box& box : bounds.clips) valid = valid && is_valid(box);
  for (const Box& box : bounds.pairs) valid = valid && is_valid(box);
  if (!valid) return invalid("bounds: a box is turned inside out or not finite");
  return {};
}

Status about(const std::string& part, Status status) {
  if (status) return status;
  return Error{status.error().code, part + ": " + status.error().message};
}

Status validate_socket(const Socket& socket, const Skin& skin) {
  if (socket.entry >= skin.palette_size()) return invalid("the palette has no entry " + std::to_string(socket.entry));
  if (!is_finite(matrix_cast<double>(socket.mesh_from_socket))) return invalid("its matrix is not finite");
  return {};
}

Status validate_bake(const BakedCharacter& baked, const Character& character, const Skin& skin, uint32_t targets) {
  if (Status status = validate(baked); !status) return status;
  return validate(baked, character, skin, targets);
}

Status validate_bake(const BakedCharacter& baked, const Character& character) {
  return validate_bake(baked, character, character.skin, character.mesh.target_count());
}

/// What belongs to the palette of a level.
Status validate_palette(const ModelLevel& level, const Character& character, const std::vector<NamedSocket>& sockets) {
  if (Status status = validate(level.skin, character.skeleton); !status) return status;
  Status status = validate_bake(level.baked, character, level.skin, level.mesh.target_count());
  if (!status) return status;
  if (level.sockets.size() != sockets.size()) {
    return invalid("it has " + std::to_string(level.sockets.size()) + " sockets, the model has " +
                   std::to_string(sockets.size()));
  }
  for (size_t i = 0; i < sockets.size(); ++i) {
    status = about("socket '" + sockets[i].name + "'", validate_socket(level.sockets[i], level.skin));
    if (!status) return status;
  }
  return {};
}

/// Of all levels, with any palette. Small ones have other parts than the finest level, and no tangents.
Status validate_level_mesh(const Mesh& mesh, const Character& character) {
  const Mesh& finest = character.mesh;
  for (const MeshPart& part : mesh.parts) {
    if (part.material < character.materials.size()) continue;
    return invalid("part '" + part.name + "' has material " + std::to_string(part.material) + " of " +
                   std::to_string(character.materials.size()));
  }
  if (mesh.blend != finest.blend) return invalid("it is skinned in another way than the mesh");
  if (finest.tangents.empty() && !mesh.tangents.empty()) return invalid("it has tangents, the mesh has none");
  return {};
}

Status validate_level(const ModelLevel& level, const Character& character, const std::vector<NamedSocket>& sockets) {
  const Mesh &mesh = level.mesh, &finest = character.mesh;
  const Skin& skin = level.has_palette() ? level.skin : character.skin;
  if (Status status = validate(mesh, skin.palette_size()); !status) return status;
  if (!std::isfinite(level.error) || level.error < 0) return invalid("its error is negative or not finite");
  if (Status status = validate_level_mesh(mesh, character); !status) return status;
  const bool drops_targets = level.has_palette() && mesh.target_count() == 0;
  if (!drops_targets && mesh.target_count() != finest.target_count())
    return invalid("it has other morph targets than the mesh");
  if (level.has_palette()) return validate_palette(level, character, sockets);
  if (level.baked.palette_size > 0 || !level.baked.clips.empty() || !level.sockets.empty())
    return invalid("it has a bake or sockets, but no palette of its own");
  return {};
}

Status validate_mask(const NamedMask& mask, const Skeleton& skeleton) {
  if (mask.factors.size() != skeleton.joint_count()) {
    return invalid("it has " + std::to_string(mask.factors.size()) + " factors for " +
                   std::to_string(skeleton.joint_count()) + " joints");
  }
  for (const float factor : mask.factors) {
    if (!(factor >= 0 && factor <= kMaxMaskFactor)) return invalid("a factor is negative, too large or no number");
  }
  return {};
}

Status validate_wearable(const Wearable& wearable, const Character& character, const std::vector<ModelLevel>& levels) {
  if (wearable.meshes.size() != levels.size() + 1) {
    return invalid("it has " + std::to_string(wearable.meshes.size()) + " meshes, the model has " +
                   std::to_string(levels.size() + 1) + " levels");
  }
  for (size_t level = 0; level < wearable.meshes.size(); ++level) {
    const Mesh& mesh = wearable.meshes[level];
    if (mesh.vertex_count() == 0 && mesh.indices.empty()) continue;
    const bool own = level > 0 && levels[level - 1].has_palette();
    const std::string part = "level " + std::to_string(level);
    Status status = validate(mesh, (own ? levels[level - 1].skin : character.skin).palette_size());
    if (status) status = validate_level_mesh(mesh, character);
    if (status && mesh.target_count() != 0) status = invalid("it has morph targets");
    if (!status) return about(part, status);
  }
  return {};
}

template <class File>
Status validate_wearables(const File& file) {
  const std::vector<Wearable>& wearables = file.wearables;
  if (wearables.size() > kMaxWearables)
    return invalid("it has more than " + std::to_string(kMaxWearables) + " wearables");
  for (size_t i = 0; i < wearables.size(); ++i) {
    const std::string part = "wearable '" + wearables[i].name + "'";
    const auto same = [&](const Wearable& other) { return other.name == wearables[i].name; };
    if (std::any_of(wearables.begin(), wearables.begin() + ptrdiff_t(i), same))
      return about(part, invalid("there are two of this name"));
    Status status = about(part, validate_wearable(wearables[i], file.character, file.levels));
    if (!status) return status;
  }
  return {};
}

template <class Named>
std::optional<uint32_t> find(const std::vector<Named>& all, std::string_view name) {
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return uint32_t(i);
  }
  return {};
}

/// Of CharacterFile, and of Model.
template <class File>
Status validate_parts(const File& file) {
  const Character& character = file.character;
  for (size_t i = 0; i < file.levels.size(); ++i) {
    const std::string part = "level of detail " + std::to_string(i + 1);
    if (Status status = about(part, validate_level(file.levels[i], character, file.sockets)); !status) return status;
  }
  for (const NamedSocket& named : file.sockets) {
    Status status = about("socket '" + named.name + "'", validate_socket(named.socket, character.skin));
    if (!status) return status;
  }
  for (const NamedMask& mask : file.masks) {
    if (Status status = about("mask '" + mask.name + "'", validate_mask(mask, character.skeleton)); !status)
      return status;
  }
  return validate_wearables(file);
}

Result<SharedModel> take_model(CharacterFile&& file) {
  if (!file.baked) return Error{ErrorCode::kUnsupported, "it has no bake"};
  if (!file.bounds) return Error{ErrorCode::kUnsupported, "it has no bounds"};
  auto model = std::make_shared<Model>();
  model->character = std::move(file.character);
  model->baked = std::move(*file.baked);
  model->bounds = std::move(*file.bounds);
  model->levels = std::move(file.levels);
  model->sockets = std::move(file.sockets);
  model->masks = std::move(file.masks);
  model->wearables = std::move(file.wearables);
  if (file.report) model->report = std::move(*file.report);
  return SharedModel(std::move(model));
}

Error about_file(const std::string& path, const Error& error) {
  return {error.code, one_line("cannot read '" + path + "': " + error.message)};
}

}  // namespace

Status validate(const CharacterFile& file) SINEW_TRY {
  if (Status status = validate(file.character); !status) return status;
  if (Status status = validate_parts(file); !status) return status;
  if (!file.baked && file.bounds) return Error{ErrorCode::kInvalidArgument, "bounds are those of a bake: it has none"};
  if (!file.baked) return {};
  if (Status status = validate_bake(*file.baked, file.character); !status) return status;
  return file.bounds ? validate_bounds(*file.bounds, *file.baked) : Status();
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Status validate(const Model& model) SINEW_TRY {
  if (Status status = validate(model.character); !status) return status;
  if (Status status = validate_parts(model); !status) return status;
  if (Status status = validate_bake(model.baked, model.character); !status) return status;
  return validate_bounds(model.bounds, model.baked);
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

std::optional<uint32_t> find_socket(const Model& model, std::string_view name) { return find(model.sockets, name); }

std::optional<uint32_t> find_mask(const Model& model, std::string_view name) {
  const std::optional<uint32_t> index = find(model.masks, name);
  return index ? std::optional(*index + 1) : std::nullopt;
}

std::optional<uint32_t> find_wearable(const Model& model, std::string_view name) { return find(model.wearables, name); }

Result<SharedModel> to_model(CharacterFile file) SINEW_TRY {
  if (Status status = validate(file); !status) return status.error();
  return take_model(std::move(file));
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

Result<SharedModel> load_model_file(const std::string& path) SINEW_TRY {
  Result<CharacterFile> file = load_character_file(path);
  if (!file) return file.error();
  Result<SharedModel> model = take_model(std::move(*file));  // reading has validated it
  if (!model) return about_file(path, model.error());
  return model;
}
SINEW_CATCH_BAD_ALLOC(return out_of_memory();)

}  // namespace sinew
