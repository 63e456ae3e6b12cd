// The models of a crowd as each of its parts needs them: the planner, the evaluators, the skinner, the host's buffers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pick_mesh.h"
#include "sinew/animation/evaluator.h"
#include "sinew/experimental/crowd_parts.h"
#include "sinew/runtime/skinned_crowd.h"
#include "skinner_backend.h"

namespace sinew::vulkan::internal {

/// The triangles of one material in one level of detail.
struct MaterialPiece {
  uint32_t material = 0;
  AlphaMode alpha_mode = AlphaMode::kOpaque;
  uint32_t first_index = 0, index_count = 0;  // from CrowdModel::first_index
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
  uint32_t palette = 0;               // in CrowdModel::palettes
  const Mesh* mesh = nullptr;         // without vertices: a wearable that is not drawn at this level
  MeshId id;                          // of the backend
  uint32_t first_vertex = 0;          // from CrowdModel::first_vertex
  std::vector<MaterialPiece> pieces;  // by alpha mode
  PreparedMesh prepared;              // until it is added; empty with another backend than the library's
  mutable PickMesh picked;            // prepared when it is met
};

struct CrowdModel {
  SharedModel model;                        // null: there is none of this number
  std::vector<uint32_t> clips;              // that instances may share poses of
  const CharacterBounds* bounds = nullptr;  // these two as in crowd::ModelInfo
  const BakedCharacter* baked = nullptr;
  float world_per_unit = 1;
  crowd::Sphere sphere;                                  // model space, around all poses; infinite without bounds
  std::vector<crowd::Level> plan_levels;                 // for the planner
  std::vector<std::vector<uint32_t>> wearable_vertices;  // of each level, as crowd::Level has them
  std::vector<CrowdPalette> palettes;           // that of the character, then those of levels that have their own
  std::vector<CrowdMesh> meshes;                // [1 + wearables][levels]: those of the body, then of each wearable
  std::vector<std::vector<float>> masks;        // as they are now
  std::vector<Chain> chains;                    // likewise
  float chain_margin = 0;                       // model units: how far they carry vertices out of the bounds
  uint32_t first_index = 0, index_count = 0;    // in the streams
  uint32_t first_vertex = 0, vertex_count = 0;  // likewise
  bool removed = false;                         // no instance of it is drawn; frames in flight may show some

  uint32_t socket_count() const { return uint32_t(model->sockets.size()); }
  const CrowdMesh& mesh(uint32_t level, uint32_t wearable) const {
    const size_t row = wearable == kNoWearable ? 0 : 1 + size_t{wearable};
    return meshes[row * model->level_count() + level];
  }
};

/// What the skinner of a crowd needs, on top of the host's `info`.
SkinnerInfo skinner_info(SkinnerInfo info, const CrowdOptions& options);

/// What a crowd needs to know of a model, without a place in the streams and numbers of meshes: makes evaluators. Reads
/// nothing of a crowd that changes.
Result<CrowdModel> prepare_model(const SharedModel& model, const ModelUse& use, const CrowdOptions& options,
                                 const experimental::CrowdParts& parts);

/// What takes long of adding the meshes to the library's skinner, on any thread.
Status prepare_meshes(CrowdModel& own, const SkinnerBackend& backend);

/// For the planner. Valid as long as the model, also where the CrowdModel is moved.
crowd::ModelInfo model_info_of(const CrowdModel& own);

/// Parts of a list that grows: those that are free are taken again.
class StreamPlaces {
 public:
  uint32_t take(uint32_t count);
  void give(uint32_t first, uint32_t count);
  uint32_t end() const { return end_; }

 private:
  struct Free {
    uint32_t first = 0, count = 0;
  };
  std::vector<Free> free_;  // ascending, none next to another
  uint32_t end_ = 0;
};

/// Where meshes go: those that are prepared to the library's skinner.
struct Backends {
  experimental::SkinningBackend& used;
  SkinnerBackend& own;
};

class CrowdModels {
 public:
  /// Gives a model its number and its places, and adds its meshes. After an error nothing is changed.
  Status add(uint32_t number, CrowdModel model, const Backends& backends);
  /// No instance is drawn from now on. release() ends it when no plan has any.
  void remove(uint32_t number, experimental::SkinningBackend& backend);
  void release(uint32_t number);

  /// Of all models, or of one.
  Result<MeshStreams> make_streams() const;
  Result<MeshStreams> make_streams(uint32_t model) const;

  /// By number; null where there is none.
  std::span<const SharedModel> shared() const { return shared_; }
  bool is_there(uint32_t model) const {
    return model < models_.size() && models_[model].model && !models_[model].removed;
  }
  CrowdModel& operator[](size_t model) { return models_[model]; }
  const CrowdModel& operator[](size_t model) const { return models_[model]; }
  size_t count() const { return models_.size(); }
  const CrowdMesh& mesh_of(const crowd::PosedBatch& batch) const {
    return models_[batch.model].mesh(batch.level, batch.wearable);
  }
  const CrowdPalette& palette_of(const crowd::PosedBatch& batch) const {
    return models_[batch.model].palettes[mesh_of(batch).palette];
  }
  /// Of all palettes of the model.
  Status set_mask(uint32_t model, uint32_t mask, std::span<const float> factors);
  Status set_chains(uint32_t model, std::span<const Chain> chains);

 private:
  Status add_meshes(uint32_t model, CrowdModel& own, const Backends& backends);
  void remove_mesh(const CrowdMesh& mesh, experimental::SkinningBackend& backend);

  std::vector<SharedModel> shared_;
  std::vector<CrowdModel> models_;
  StreamPlaces indices_, vertices_;
};

}  // namespace sinew::vulkan::internal
