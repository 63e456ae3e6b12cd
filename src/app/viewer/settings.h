// What a user has set in the viewer: what is shown, all that can be undone as one value, and what it was before each
// change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/model.h"
#include "sinew/animation/inverse_kinematics.h"
#include "sinew/asset/skeleton.h"
#include "viewer/layers.h"
#include "viewer/playing.h"

namespace sinew::app {

// What `sinew view` shows besides characters: the words of --show, the check boxes of the panel, and their values.

/// What the colors of surfaces mean.
enum class DataColors : uint8_t {
  kMaterials,    // those of the file
  kInfluences,   // how many joints move each vertex
  kLostWeight,   // the weight that a limit of kUsualInfluences would drop
  kJointWeight,  // how much the selected joint moves each vertex
  kLevel,        // the level of detail
};

inline constexpr uint32_t kUsualInfluences = 4;

struct Shown {
  bool bones = false, names = false, axes = false;  // axes: of the selected joint, or of all without one
  bool normals = false, tangents = false;
  bool clip_bounds = false, pose_bounds = false;  // boxes around every pose of the clip, and around this one
  bool wireframe = false;
  bool handles = false;  // of hands and feet, which can be dragged
  DataColors colors = DataColors::kMaterials;
  uint32_t level = 0;                                           // of detail
  bool own_size = false;                                        // see Viewer::set_own_size()
  bool crowd_evaluator = false;                                 // else the exact one
  uint32_t character = 0;                                       // the selected one, which keys and panels are about
  int32_t selected_joint = kNoJoint, hovered_joint = kNoJoint;  // of the selected character

  friend bool operator==(const Shown&, const Shown&) = default;
};

/// A word of --show, and the name of its check box.
struct ShownSwitch {
  const char* word;
  const char* name;
  bool Shown::*flag;
};
inline constexpr ShownSwitch kShownSwitches[] = {
    {"bones", "bones", &Shown::bones},
    {"names", "names", &Shown::names},
    {"axes", "axes", &Shown::axes},
    {"normals", "normals", &Shown::normals},
    {"tangents", "tangents", &Shown::tangents},
    {"clip-bounds", "bounds of the clip", &Shown::clip_bounds},
    {"pose-bounds", "bounds of the pose", &Shown::pose_bounds},
    {"wireframe", "wireframe", &Shown::wireframe},
    {"handles", "handles of limbs", &Shown::handles},
};

/// The same for colors, by DataColors. Materials have no word: they are there without one.
struct ShownColors {
  const char* word;
  const char* name;
};
inline constexpr ShownColors kShownColors[] = {{"", "materials"},
                                               {"influences", "influences"},
                                               {"lost-weight", "lost weight"},
                                               {"weights", "weight of joint"},
                                               {"level", "level of detail"}};

/// Turns on what one word of --show means. False: no such word.
bool show(Shown& shown, std::string_view word);

/// The words of show(), for messages.
std::string show_words();

struct CharacterSettings {
  PlaySettings plays;
  std::vector<ChainTarget> held;  // what holds its limbs
  WeightOverrides weights;        // of its morph targets

  friend bool operator==(const CharacterSettings& a, const CharacterSettings& b) {
    const auto same = [](const ChainTarget& x, const ChainTarget& y) {
      return x.chain == y.chain && length(x.position - y.position) == 0;
    };
    return a.plays == b.plays && a.weights == b.weights && std::ranges::equal(a.held, b.held, same);
  }
};

/// All that can be undone. Not what goes on by itself, such as time and fades, nor the camera.
struct Settings {
  Shown shown;  // without the hovered joint
  float fade_seconds = 0;
  std::vector<CharacterSettings> characters;

  friend bool operator==(const Settings&, const Settings&) = default;
};

/// Undo and redo of a state that is a value: what it was before each change. `State` can be copied and compared.
template <class State>
class History {
 public:
  /// Remembers at most `most` changes; the oldest are forgotten.
  explicit History(State now, size_t most = 100) : now_(std::move(now)), most_(most) {}

  /// Call it when a change has ended, or more often: a state that equals the last one is no change. A change forgets
  /// what was undone.
  void add(State state) {
    const bool changed = !(state == now_);
    if (changed) {
      undone_.clear();
      done_.push_back(std::move(now_));
      if (done_.size() > most_) done_.erase(done_.begin());
    }
    now_ = std::move(state);
  }

  /// The state before the last change, or the one that was undone last. Null: there is none. Valid until the next call.
  const State* undo() { return go(done_, undone_); }
  const State* redo() { return go(undone_, done_); }

 private:
  const State* go(std::vector<State>& from, std::vector<State>& to) {
    if (from.empty()) return nullptr;
    to.push_back(std::exchange(now_, std::move(from.back())));
    from.pop_back();
    return &now_;
  }

  State now_;
  size_t most_;
  std::vector<State> done_, undone_;
};

}  // namespace sinew::app
