// The models of a crowd as each of its parts needs them: the planner, the evaluators, the skinner, the host's buffers.
#pragma once

#include <cstdint>
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
struct CrowdMesh {
  uint32_t level = 0, wearable = kNoWearable;
  uint32_t palette = 0;        // in CrowdModel::palettes
  const Mesh* mesh = nullptr;  // without vertices: a wearable that is not drawn at this level
  uint32_t number = 0;         // of the backend
  uint32_t first_stream_vertex = 0;
  std::vector<MaterialPiece> pieces;  // by alpha mode
};

struct CrowdModel {
  SharedModel model;
  std::vector<uint32_t> clips;              // that instances may share poses of
  const CharacterBounds* bounds = nullptr;  // these two as in crowd::CharacterInfo
  const BakedCharacter* baked = nullptr;
  float world_per_unit = 1;
  crowd::Sphere sphere;                                  // model space, around all poses; infinite without bounds
  std::vector<crowd::Level> plan_levels;                 // for the planner
  std::vector<std::vector<uint32_t>> wearable_vertices;  // of each level, as crowd::Level has them
  std::vector<CrowdPalette> palettes;     // that of the character, then those of levels that have their own
  std::vector<CrowdMesh> meshes;          // [1 + wearables][levels]: those of the body, then of each wearable
  std::vector<std::vector<float>> masks;  // as they are now
  std::vector<Chain> chains;              // likewise
  float chain_margin = 0;                 // model units: how far they carry vertices out of the bounds

  uint32_t socket_count() const { return uint32_t(model->sockets.size()); }
  const CrowdMesh& mesh(uint32_t level, uint32_t wearable) const {
    const size_t row = wearable == kNoWearable ? 0 : 1 + size_t{wearable};
    return meshes[row * model->level_count() + level];
  }
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
  const CrowdMesh& mesh_of(const crowd::PosedBatch& batch) const {
    return models_[batch.character].mesh(batch.level, batch.wearable);
  }
  const CrowdPalette& palette_of(const crowd::PosedBatch& batch) const {
    return models_[batch.character].palettes[mesh_of(batch).palette];
  }
  /// Of all palettes of the model.
  Status set_mask(uint32_t model, uint32_t mask, std::span<const float> factors);
  Status set_chains(uint32_t model, std::span<const Chain> chains);

 private:
  Status add_model(const SharedModel& model, const ModelUse& use, const CrowdOptions& options,
                   const experimental::CrowdParts& parts);
  void lay_out(CrowdMesh mesh, CrowdModel& own);

  std::vector<SharedModel> shared_;
  std::vector<CrowdModel> models_;
  uint32_t index_count_ = 0, vertex_count_ = 0;
};

}  // namespace sinew::vulkan::internal
