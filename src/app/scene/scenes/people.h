// The people of a scene in which some walk, some dance and others watch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "scene/scene.h"
#include "scene/scenes/architecture.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {

// Words in the names of clips.
inline constexpr std::string_view kWalkWords[] = {" walk ", " walking "}, kRunWords[] = {" run ", " running ", " jog "};

/// What an act plays: the clips with one of `words` in their name. Where a model has none: those of standing people.
struct ActWish {
  std::span<const std::string_view> words;
  bool changes_clips = true;
  float meters_per_second = 0;  // above 0: one clip of `words` that walks, the nearest to this speed of a person
  bool waves = false;           // cheers when a wave of spectators passes
};

/// Sets Model::acts, one for each wish, and Model::clips to the clips of all. Measures clips that walk.
void choose_acts(Model& model, std::span<const ActWish> wishes);

/// Who takes a place: those with a weapon, those without, or all. Where there is no such model, all.
enum class Arms : uint8_t { kNone, kSome, kAny };

/// Colors of clothes, in their palettes; none: one at random.
struct Outfit {
  std::optional<uint8_t> top = {}, trousers = {};
};

/// Whether a picture of a camera, 16:9, shows the head of someone at a position, but not the chest: at its lower edge,
/// or so near that the head fills it. For people, without a scale.
bool crops(const Orbit& camera, Vec3 position);

/// By how much a scene is larger than one designed for people: see Architecture.
float scale_of(std::span<const Model> models);

/// Collects the people of a scene. Those that cannot do what their place asks for are of another model. Lengths are
/// those of a scene for people: they are multiplied by scale_of() the models.
class People {
 public:
  People(std::span<const Model> models, const SceneRequest& request);

  uint32_t missing() const { return count_ - uint32_t(people_.size()); }  // people that have no place yet
  bool full() const { return missing() == 0; }
  /// Random numbers of the next person.
  Random random() const { return {mix(seed_ ^ mix(people_.size()))}; }

  uint16_t add_role(const Role& role);
  /// A role of people who walk at the speed of the act's clips, or stand on its loop where no model walks. All on a
  /// loop have one speed: where children are among them, the others walk slower, and the children step faster.
  uint16_t add_walk(uint8_t act, const Oval& loop, Vec3 center, bool backward = false, bool with_children = false);

  /// Someone who stays. Does nothing when the scene is full.
  void stand(uint16_t role, Vec3 position, float heading, Outfit outfit = {}, Arms arms = Arms::kNone);
  /// The model of the next place(), its scale, and someone of it who stays there. Meters, without the scale.
  uint32_t next() const { return dealt_[people_.size()]; }
  float next_scale() const;
  void place(uint16_t role, const CrowdInstance& placed, Outfit outfit);
  /// Someone who walks, from a place on the loop of the role.
  void walk(uint16_t role, float meters, Outfit outfit = {}, Arms arms = Arms::kNone);

  float scale() const { return scale_; }
  /// With what was built, and lamps; without radius and camera.
  Scene scene(Architecture& built, std::span<const Lamp> lamps = {}) const;

 private:
  template <class Fits>
  uint32_t next_model(Fits fits) const;
  bool has_arms(uint32_t model, Arms arms) const;
  float draw_scale(bool may_be_child) const;
  Placed& add(uint32_t model, uint16_t role, Outfit outfit, float scale);
  bool walks(uint32_t model, uint16_t role) const;

  std::span<const Model> models_;
  uint32_t count_ = 0;
  uint64_t seed_ = 0;
  float children_ = 0;
  float scale_ = 1;
  std::vector<uint32_t> dealt_;
  std::vector<Role> roles_;
  std::vector<bool> has_children_;  // one per role
  std::vector<Placed> people_;
};

}  // namespace sinew::app
