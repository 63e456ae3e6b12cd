// The search of SkinnedCrowd::pick(): spheres of the drawn instances, then the boxes of their posed clusters of
// triangles, then triangles; the nearest spheres first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pick_mesh.h"
#include "pick_pose.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/plan.h"
#include "sinew/runtime/pick.h"

namespace sinew::vulkan::internal {

struct CrowdImpl;

class Picker {
 public:
  /// The arguments are checked. The crowd has a frame.
  Result<std::optional<crowd::PickHit>> pick(const CrowdImpl& crowd, const crowd::Instances& instances,
                                             const crowd::Ray& ray, float max_distance);

  PickPose& pose() { return pose_; }

 private:
  /// An instance that is drawn with a body or a wearable, and whose sphere the ray enters.
  struct Candidate {
    float entry = 0;
    uint32_t instance = 0, batch = 0, posed_mesh = 0;
  };
  struct Search;
  struct JointWeight {
    int32_t joint = kNoJoint;
    float weight = 0;
  };

  void find_candidates(const CrowdImpl& crowd, const crowd::Instances& instances, const crowd::Ray& ray,
                       float max_distance);
  Status try_candidate(const Candidate& candidate, Search& search);
  Status read_body(const Candidate& candidate, const CrowdImpl& crowd);
  void try_mesh(const crowd::PosedBatch& batch, Search& search);
  void begin_instance(const Mesh& mesh, const Matrix3x4& world_from_model, Vec3 origin);
  bool may_hit(const PickMesh& mesh, const PickCluster& cluster, const Search& search) const;
  void try_triangles(const Mesh& mesh, const PickCluster& cluster, Search& search);
  const std::array<double, 3>& skinned(const Mesh& mesh, uint32_t vertex);
  void skin_all(const Mesh& mesh);
  int32_t joint_at(const Skin& skin, const Mesh& mesh, const crowd::PickHit& hit);

  std::vector<Candidate> candidates_;

  // Of the candidate that is tried.
  uint32_t body_ = crowd::kNoPosedMesh;  // whose pose was read
  PickPose pose_;
  std::span<const float> weights_;         // of the mesh that is tried
  std::vector<Matrix3x4d> ray_from_mesh_;  // its palette, in world space relative to the ray's origin
  Matrix3x4d ray_from_model_;
  std::vector<uint32_t> skinned_for_;             // of each vertex: for which candidate it was skinned last
  std::vector<std::array<double, 3>> positions_;  // of each vertex, as ray_from_mesh_
  uint32_t tried_ = 0;
  std::vector<Vec3> model_positions_, model_normals_;  // with dual quaternions
  std::vector<JointWeight> joint_weights_;
};

}  // namespace sinew::vulkan::internal
