// The planner behind its handle.
#pragma once

#include <memory>
#include <vector>

#include "character.h"
#include "sinew/c/crowd.h"
#include "sinew/crowd/planner.h"

namespace sinew::c {

/// A model of the crowd: what its ModelInfo points to.
struct Actor {
  std::shared_ptr<const CharacterContent> content;
  std::vector<uint32_t> clips;
  std::vector<crowd::Level> levels;
};

/// What attachments share.
struct PlannerContent {
  std::vector<Actor> actors;  // by number; empty: it is gone
  crowd::Planner planner;
  uint64_t plans = 0;     // their count
  bool has_plan = false;  // that may be drawn

  const crowd::Plan& plan() const {
    if (has_plan) return planner.last();
    refuse(
        "planner: it has no plan, because none was made, the last one failed, or sinew_planner_update_all() was "
        "called");
  }
  /// No plan has batches of a model that is gone: its content may go too.
  void release_gone() {
    for (uint32_t i = 0; i < actors.size(); ++i) {
      if (actors[i].content && planner.is_gone(i)) actors[i] = {};
    }
  }
};

}  // namespace sinew::c

struct SinewPlanner {
  std::shared_ptr<sinew::c::PlannerContent> content;
};

namespace sinew::c {

inline const PlannerContent& content_of(const SinewPlanner* planner) { return *required(planner, "planner").content; }

}  // namespace sinew::c
