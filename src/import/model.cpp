#include "sinew/import/model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <utility>

#include "asset/error.h"
#include "asset/one_line.h"
#include "failure.h"
#include "sinew/animation/bake.h"
#include "sinew/animation/bounds.h"
#include "sinew/animation/evaluator.h"
#include "sinew/animation/weights.h"
#include "sinew/asset/cpu_skin.h"
#include "wearables.h"

namespace sinew {

using namespace internal;
namespace {

Error about(const std::string& part, const Error& error) { return {error.code, part + ": " + error.message}; }

Error no_joint(const std::string& part, const std::string& joint) {
  return {ErrorCode::kInvalidArgument, part + ": the character has no joint '" + joint + "'"};
}

/// The positions of the vertices in a pose, in model space.
Result<std::vector<Vec3>> positions_in(const Character& character, const Playback& playback) {
  const uint32_t entries = character.skin.palette_size(), targets = character.mesh.target_count();
  std::vector<Matrix3x4> palette(entries);
  std::vector<float> weights(targets);
  EvaluationScratch scratch;
  if (Status status = evaluate_exact(character, {&playback, 1}, entries, palette, scratch); !status)
    return status.error();
  if (Status status = evaluate_weights_exact(character, {&playback, 1}, targets, weights); !status)
    return status.error();
  std::vector<Vec3> positions(character.mesh.vertex_count()), normals(positions.size());
  skin_on_cpu(character.mesh, palette, positions, normals, {}, weights);
  return positions;
}

/// The largest extent of the rest pose along an axis.
Result<float> rest_extent(const Character& character) {
  const Result<std::vector<Vec3>> rest = positions_in(character, {});
  if (!rest) return rest.error();
  const Vec3 extent = rest->empty() ? Vec3() : size_of(bounding_box(*rest));
  const float largest = std::max({extent.x, extent.y, extent.z});
  if (!(largest > 0)) return Error{ErrorCode::kInvalidData, "size: the rest pose has no extent"};
  return largest;
}

/// Divides all lengths of the model by `factor`; what a unit is stays the same.
void scale_space(Character& character, float factor) {
  const float unit = character.space.meters_per_unit;
  ModelSpace scaled = character.space;
  scaled.meters_per_unit *= factor;
  convert_space(character, scaled);
  character.space.meters_per_unit = unit;
}

Status make_sockets(std::span<const SocketOptions> sockets, CharacterFile& file) {
  const Character& character = file.character;
  for (const SocketOptions& wanted : sockets) {
    const auto joint = find_joint(character.skeleton, wanted.joint);
    if (!joint) return no_joint("socket '" + wanted.name + "'", wanted.joint);
    if (const auto added = palette_entry_of(file, *joint); !added) return added.error();
  }
  for (const SocketOptions& wanted : sockets) {  // when the palette has all its entries
    const auto socket = make_socket(character, *find_joint(character.skeleton, wanted.joint), wanted.joint_from_socket);
    if (!socket) return about("socket '" + wanted.name + "'", socket.error());
    file.sockets.push_back({wanted.name, *socket});
  }
  return {};
}

Result<NamedMask> make_mask(const Skeleton& skeleton, const MaskOptions& wanted) {
  NamedMask mask{wanted.name, std::vector<float>(skeleton.joint_count())};
  for (const std::string& name : wanted.joints) {
    const auto joint = find_joint(skeleton, name);
    if (!joint) return no_joint("mask '" + wanted.name + "'", name);
    mask.factors[*joint] = 1;
  }
  for (uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {  // parents come first
    const int32_t parent = skeleton.parents[joint];
    if (parent != kNoJoint && mask.factors[size_t(parent)] == 1) mask.factors[joint] = 1;
  }
  for (float& factor : mask.factors) factor = wanted.inverted ? 1 - factor : factor;
  return mask;
}

Status make_masks(std::span<const MaskOptions> masks, CharacterFile& file) {
  for (const MaskOptions& wanted : masks) {
    Result<NamedMask> mask = make_mask(file.character.skeleton, wanted);
    if (!mask) return mask.error();
    file.masks.push_back(std::move(*mask));
  }
  return {};
}

Status make_levels(const ModelOptions& options, CharacterFile& file) {
  if (options.levels.triangle_shares.empty() && !options.levels.small_levels) return {};
  const LevelContext context{file.sockets, file.masks, file.baked->options, options.parallel_for,
                             &file.report->warnings};
  return put_value(make_levels(file.character, context, options.levels), file.levels);
}

bool is_standard(const ModelSpace& a) {
  const ModelSpace b;
  return length(a.up - b.up) + length(a.front - b.front) < 1e-6f && a.meters_per_unit == b.meters_per_unit;
}

/// Changes that a bake does not survive. True if there was one.
Result<bool> fit_space(const ModelOptions& options, Character& character) {
  bool changed = false;
  if (options.size < 0 || !std::isfinite(options.size))
    return Error{ErrorCode::kInvalidArgument, "size: it is negative or not finite"};
  if (options.convert_space && !is_standard(character.space)) {
    convert_space(character);
    changed = true;
  }
  if (options.size == 0) return changed;
  const Result<float> extent = rest_extent(character);
  if (!extent) return extent.error();
  if (std::abs(*extent / options.size - 1) < 1e-3f) return changed;
  scale_space(character, *extent / options.size);
  return true;
}

template <class Named, class Options>
std::vector<Options> lacking(const std::vector<Named>& made, const std::vector<Options>& wanted) {
  std::vector<Options> missing;
  std::ranges::copy_if(wanted, std::back_inserter(missing), [&](const Options& one) {
    return std::ranges::find(made, one.name, &Named::name) == made.end();
  });
  return missing;
}

/// Sockets of levels of detail are those of the file: where the file gets others, the levels are made again.
bool have_sockets(const std::vector<ModelLevel>& levels) {
  return std::ranges::any_of(levels, &ModelLevel::has_palette);
}

/// Sockets, masks and wearables. True if the palette or the mesh has changed.
Result<bool> make_names(const ModelOptions& options, CharacterFile& file) {
  const uint32_t entries = file.character.skin.palette_size();
  const std::vector<SocketOptions> sockets = lacking(file.sockets, options.sockets);
  if (!sockets.empty() && have_sockets(file.levels)) file.levels.clear();
  if (Status status = make_sockets(sockets, file); !status) return status.error();
  if (Status status = make_masks(lacking(file.masks, options.masks), file); !status) return status.error();
  const Result<bool> changed = make_wearables(options.wearables, file);
  if (!changed) return changed.error();
  return *changed || file.character.skin.palette_size() != entries;
}

Status make_bake(const ModelOptions& options, CharacterFile& file) {
  if (!file.baked) {
    const Status status = put_value(bake(file.character, options.bake, options.progress), file.baked);
    if (!status) return status;
    file.bounds.reset();
  }
  if (file.bounds) return {};
  return put_value(measure_bounds(file.character, *file.baked, file.wearables), file.bounds);
}

}  // namespace

Status complete_file(CharacterFile& file, const ModelOptions& options) try {
  if (Status status = validate(file); !status) return status;
  if (!file.report) file.report.emplace();  // every model has one
  const bool was_whole = file.baked && file.bounds;
  const Result<bool> moved = fit_space(options, file.character);
  if (!moved) return moved.error();
  const bool had_levels = !file.levels.empty();
  const Result<bool> added = make_names(options, file);
  if (!added) return added.error();
  const bool has_levels = !file.levels.empty() || !had_levels;
  if (*moved || *added) {
    file.baked.reset(), file.bounds.reset(), file.levels.clear();
  }
  if (!was_whole) {
    if (Status status = order_by_influences(file.character.mesh); !status) return status;
  }
  if (Status status = make_bake(options, file); !status) return status;
  const bool keeps_levels = was_whole && has_levels && !*moved && !*added;
  if (Status status = keeps_levels ? Status() : make_levels(options, file); !status) return status;
  const auto lacks_meshes = [&](const Wearable& own) { return own.meshes.size() != file.levels.size() + 1; };
  const bool fits = keeps_levels && std::ranges::none_of(file.wearables, lacks_meshes);
  return fits ? Status() : fit_wearables(file);
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

Result<SharedModel> make_model(CharacterFile file, const ModelOptions& options) try {
  if (Status status = complete_file(file, options); !status) return status.error();
  return to_model(std::move(file));
} catch (const std::bad_alloc&) {
  return Error{ErrorCode::kOutOfMemory, "out of memory"};
}

Result<SharedModel> load_model(const std::string& path, const ModelOptions& options, const ImportOptions& import) try {
  const auto cannot_make = [&](const Error& error) {
    return Error{error.code, one_line("cannot make a model of '" + path + "': " + error.message)};
  };
  CharacterFile file;
  const bool changes = !import.animation_files.empty() || import.max_influences > 0 || import.tangents;
  const bool stored = is_character_file(path) && !changes;
  const Status read = stored ? put_value(load_character_file(path), file)
                             : put_value(load_character(path, import, &file.report.emplace()), file.character);
  if (!read) return read.error();
  Result<SharedModel> model = make_model(std::move(file), options);
  if (!model) return cannot_make(model.error());
  return model;
} catch (const std::bad_alloc&) {
  return out_of_memory(path);
}

}  // namespace sinew
