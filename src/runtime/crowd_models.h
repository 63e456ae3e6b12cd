// The models of a crowd as each of its parts needs them: the planner, the evaluators, the skinner, the host's buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/animation/evaluator.h"
#include "sinew/experimental/crowd_parts.h"
#include "sinew/runtime/skinned_crowd.h"

namespace sinew::vulkan::internal {

/// The triangles of one material in one level of detail.
struct MaterialPiece {
  uint32_t material = 0;
  AlphaMode alpha_mode = AlphaMode::kOpaque;
  uint32_t first_index = 0, index_count = 0;  // in MeshStreams::indices
};

/// A palette of a model, that of the character or of a level of detail: what it needs to be written.
struct CrowdPalette {
  const Skin* skin = nullptr;
  const BakedCharacter* baked = nullptr;
  CrowdEvaluator evaluator;
  bool compact = false;
};

/// A level of detail of a model, or of one of its wearables.
struct CrowdLevel {
  uint32_t model = 0, level = 0;
  uint32_t wearable = kNoWearable;
  uint32_t palette = 0;  // in CrowdModel::palettes
  const Mesh* mesh = nullptr;
  uint32_t first_stream_vertex = 0;
  std::vector<MaterialPiece> pieces;  // by alpha mode
};

struct CrowdModel {
  SharedModel model;
  std::vector<uint32_t> clips;              // that instances may share poses of
  const CharacterBounds* bounds = nullptr;  // these two as in crowd::CharacterInfo
  const BakedCharacter* baked = nullptr;
  float world_per_unit = 1;
  float height = 0;                       // world units
  Vec3 middle;                            // model space
  crowd::Sphere sphere;                   // model space, around all poses; infinite without bounds
  std::vector<crowd::Level> plan_levels;  // for the planner
  std::vector<CrowdPalette> palettes;     // that of the character, then those of levels that have their own
  uint32_t first_level = 0;               // in CrowdModels: the meshes of its levels
  std::vector<uint32_t> first_wearables;  // of each level: the mesh of the first wearable that is to be seen there
  std::vector<uint64_t> drawn_wearables;  // of each level: the bits of those
  std::vector<std::vector<float>> masks;  // as they are now
  std::vector<Chain> chains;              // likewise
  float chain_margin = 0;                 // model units: how far they carry vertices out of the bounds

  uint32_t socket_count() const { return uint32_t(model->sockets.size()); }
};

/// What the skinner of a crowd needs, on top of the host's `info`.
SkinnerInfo skinner_info(SkinnerInfo info, const CrowdOptions& options);

class CrowdModels {
 public:
  /// Makes evaluators where models need them, and lays out the streams.
  static Result<CrowdModels> create(std::span<const SharedModel> models, const CrowdOptions& options,
                                    const experimental::CrowdParts& parts);

  /// Adds the meshes of all levels.
  Status add_to(experimental::SkinningBackend& backend);
  /// For Planner::create(). Valid as long as the models.
  std::vector<crowd::CharacterInfo> characters() const;

  Result<MeshStreams> make_streams() const;

  std::span<const SharedModel> shared() const { return shared_; }
  CrowdModel& operator[](size_t model) { return models_[model]; }
  const CrowdModel& operator[](size_t model) const { return models_[model]; }
  size_t count() const { return models_.size(); }
  /// In the order of crowd::PosedBatch::mesh; then those of wearables.
  const CrowdLevel& level(uint32_t mesh) const { return levels_[mesh]; }
  /// Whether any model has some, and the backend can skin them.
  bool has_wearables() const { return has_wearables_; }
  /// The bits of the wearables that are to be seen with the mesh of a body; their meshes.
  uint64_t drawn_wearables(uint32_t mesh) const {
    return has_wearables_ ? models_[levels_[mesh].model].drawn_wearables[levels_[mesh].level] : 0;
  }
  uint32_t mesh_of_wearable(uint32_t mesh, uint32_t wearable) const;
  const CrowdPalette& palette(uint32_t mesh) const {
    return models_[levels_[mesh].model].palettes[levels_[mesh].palette];
  }
  /// Of all palettes of the model.
  Status set_mask(uint32_t model, uint32_t mask, std::span<const float> factors);
  Status set_chains(uint32_t model, std::span<const Chain> chains);

 private:
  Status add_palette(uint32_t model, uint32_t level, const CrowdOptions& options, bool evaluated);
  void add_level(uint32_t model, uint32_t level);
  void add_wearables(uint32_t model);
  void lay_out(CrowdLevel level);
  float error_of(const CrowdLevel& level) const;
  uint32_t worn_vertices(const CrowdLevel& level) const;

  std::vector<SharedModel> shared_;
  std::vector<CrowdModel> models_;
  std::vector<CrowdLevel> levels_;
  std::optional<uint32_t> shown_level_;  // see experimental::CrowdParts::level
  uint32_t index_count_ = 0, vertex_count_ = 0;
  bool has_wearables_ = false;
};

}  // namespace sinew::vulkan::internal
