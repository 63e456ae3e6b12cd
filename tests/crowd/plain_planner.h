// A planner that is written to be read: one instance after the other, lists that are sorted by comparison, no threads.
// The planner of the library must give the same plans, and the benchmark compares its time with this one's.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "crowd/motion_paths.h"
#include "sinew/crowd/planner.h"

namespace sinew::test {

/// Culling, levels of detail, update rates, outfits and generations, without shared poses, previous poses and a memory
/// budget.
class PlainPlanner {
 public:
  PlainPlanner(std::span<const crowd::ModelInfo> characters, const crowd::PlanOptions& options);

  void set_chain_margin(uint32_t character, float margin) { chain_margins_[character] = margin; }
  const crowd::Plan& plan(const crowd::Instances& instances, const crowd::PlanFrame& frame);
  const crowd::Plan& last() const { return now_; }

 private:
  struct Seen {
    uint32_t instance = 0, character = 0, level = 0, group = 0;
    uint32_t kept_mesh = crowd::kNoPosedMesh;  // of the previous plan
    bool shadow_only = false, own_pose = false, host_posed = false;
    float pixels_per_unit = 0;
    Playback playback;
  };
  using PosedMeshes = std::vector<std::pair<crowd::PosedMesh, Playback>>;

  bool is_seen(const crowd::Instances& instances, const crowd::PlanFrame& frame, Seen& seen);
  std::vector<Seen> find_seen(const crowd::Instances& instances, const crowd::PlanFrame& frame);
  void follow_generation(const crowd::Instances& instances, uint32_t instance);
  void choose_level(const crowd::Instances& instances, const crowd::PlanFrame& frame, Seen& seen);
  void choose_group(const crowd::Instances& instances, const crowd::PlanFrame& frame, Seen& seen) const;
  bool keeps(const Seen& seen, uint32_t mesh) const;
  void update_groups(const crowd::Instances& instances, const crowd::PlanFrame& frame, std::vector<Seen>& all);
  void list(std::vector<Seen> all);
  void repeat_group(uint32_t group, std::span<const Seen> all);
  void add_batch(crowd::PosedBatch batch, const PosedMeshes& meshes);
  void add_worn(const crowd::Instances& instances);
  void wear(const crowd::Instances& instances, uint32_t bodies);
  void add_worn_batch(uint32_t bodies, uint32_t wearable, const std::vector<uint32_t>& wearers,
                      const crowd::Instances* instances);
  uint32_t mesh_of(uint32_t character, uint32_t level) const;
  const crowd::PosedBatch& batch_of(uint32_t mesh) const;

  std::vector<crowd::ModelInfo> characters_;
  std::vector<float> chain_margins_;
  crowd::PlanOptions options_;
  std::vector<crowd::internal::MotionPaths> motions_;
  std::vector<std::optional<uint32_t>> levels_;  // of each instance, when it was seen last
  std::vector<uint32_t> own_meshes_;   // of each instance: its posed mesh in the previous plan that it may keep
  std::vector<uint32_t> generations_;  // of each instance, when it was seen last
  uint64_t number_ = 0;
  double seconds_ = 0, frame_seconds_ = 1 / 60.0;
  crowd::Plan now_, previous_;
};

/// Whether two plans show the same instances in the same poses.
inline bool shows_same(const crowd::Plan& a, const crowd::Plan& b) {
  if (a.instances != b.instances || a.playbacks.size() != b.playbacks.size()) return false;
  return a.playbacks.empty() ||
         std::memcmp(a.playbacks.data(), b.playbacks.data(), a.playbacks.size() * sizeof(Playback)) == 0;
}

}  // namespace sinew::test
