// The models of a crowd by number, as its planner knows them: those that are there, and those that are removed but
// still shown by a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clip_path.h"
#include "motion_paths.h"
#include "sinew/asset/result.h"
#include "sinew/crowd/frame.h"
#include "sinew/crowd/model_info.h"
#include "sinew/crowd/plan.h"

namespace sinew::crowd::internal {

/// What a planner cannot use in a model; `index` is its number in the message.
std::optional<Error> fault_of(const ModelInfo& info, size_t index);

inline bool is_bounded(const ModelInfo& model) { return model.bounds && model.baked; }

/// A model, and what takes long to measure.
struct Measured {
  ModelInfo info;
  ClipMotion motion;
  WantedMotion wanted;  // what of `motion` is measured
  std::vector<bool> roaming_clips;
};

struct Roster {
  explicit Roster(std::span<const ModelInfo> infos);

  bool is_there(uint32_t model) const { return model < present.size() && present[model] != 0; }

  /// The lowest number of no model.
  uint32_t free_number() const;
  /// Writes down a model under a free number. It is not there before admit(). If memory runs out, or admit() is not to
  /// follow, leave() takes it back.
  void enter(uint32_t number, Measured& measured);
  void admit(uint32_t number);
  void leave(uint32_t number);

  /// It is not there from now on. What is known of it stays until release().
  void remove(uint32_t number, uint64_t kept_until_plan);
  /// Forgets models that are removed, of which `last` has no batch, and that no plan after `plan` shows. Returns their
  /// numbers.
  std::vector<uint32_t> release(uint64_t plan, const Plan& last);

  std::vector<ModelInfo> models;                       // without a Character: it is gone
  std::vector<Box> boxes;                              // around all poses; model space
  std::vector<std::vector<bool>> roaming_clips;        // find_roaming_clips()
  std::vector<float> chain_margins;                    // model space
  std::vector<std::vector<ClipPath>> rotation_paths;   // ClipMotion::turned; empty where poses are never shared
  std::vector<uint8_t> present;                        // 1: there
  std::vector<uint64_t> kept_until;                    // of one that is removed: a number of a plan
  bool has_levels = false, has_roaming_clips = false;  // of any that is not gone
  bool all_bounded = true;                             // of those that are there
  bool has_removed = false;                            // some are removed, and not gone

 private:
  void sum_up();
};

}  // namespace sinew::crowd::internal
