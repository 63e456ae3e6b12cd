// The people of a scene in which some walk, some dance and others watch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scene/scene.h"
#include "scene/scenes/architecture.h"
#include "scene/scenes/placing.h"
#include "scene/scenes/scenes.h"

namespace sinew::app {

/// Who takes a place. Where there is no such model, anyone.
enum class Who : uint8_t {
  kTownsfolk,  // neither of the next two
  kGuard,      // has a weapon
  kAthlete,    // in shirt and shorts
  kAnyone
};

/// Colors of clothes, in their palettes; none: one at random.
struct Outfit {
  std::optional<uint8_t> top = {}, trousers = {};
};

/// People who walk on a loop one behind the other, evenly.
struct File {
  Oval loop;
  uint32_t wanted = 0;  // if there are so many places
  float step = 2;       // meters between two of them, at least
  bool backward = false;
  bool with_children = false;
  float jitter = 0.2f;  // of what is between two of them
};

/// What a scene has besides its people. Lengths are those of a scene for people.
struct Setting {
  Architecture& built;
  float radius = 0, clear_meters = 0, drift_meters = 0;  // as Scene has them
  Orbit camera;
  std::span<const Lamp> lamps = {};
};

/// Collects the people of a scene. Those that cannot do what their place asks for are of another model. Neighbors
/// differ in look or colors. Lengths are those of a scene for people: they are multiplied by `scale`.
class People {
 public:
  People(std::span<const Model> models, const SceneRequest& request, float scale);
  People(std::span<const Model> models, const SceneRequest& request) : People(models, request, scale_of(models)) {}

  uint32_t missing() const { return count_ - uint32_t(people_.size()); }  // people that have no place yet
  bool full() const { return missing() == 0; }
  /// Random numbers for the place of the next person.
  Random random(uint64_t salt) const { return {mix(own_random(0).state ^ salt)}; }

  uint16_t add_role(const Role& role);
  /// A role of people who walk at the speed of the act's clips, or stand on its loop where no model walks. All on a
  /// loop have one speed: where children are among them, the others walk slower, and the children step faster.
  uint16_t add_walk(uint8_t act, const Oval& loop, bool backward = false, bool with_children = false);

  /// Someone who stays. Does nothing when the scene is full.
  void stand(uint16_t role, Vec3 position, float heading, Outfit outfit = {}, Who who = Who::kTownsfolk);
  /// The model of the next place() of anyone, its scale, and someone who stays there. Meters, without the scale.
  uint32_t next() const { return dealt_[people_.size()]; }
  float next_scale() const;
  void place(uint16_t role, const CrowdInstance& placed, Outfit outfit, Who who = Who::kAnyone);
  /// Someone who walks, from a place on the loop of the role.
  void walk(uint16_t role, float meters, Outfit outfit = {}, Who who = Who::kTownsfolk);
  /// Those of a file, who do an act that walks.
  void walk_in_file(uint8_t act, const File& file);
  /// Two files of half as many each that pass each other, `apart` meters beside the middle of the loop.
  void pass_each_other(uint8_t act, File file, float apart);

  float scale() const { return scale_; }
  Scene scene(const Setting& setting) const;

 private:
  Random own_random(uint64_t salt) const { return {mix(seed_ ^ mix(people_.size() ^ salt))}; }
  template <class Fits>
  uint32_t next_model(Fits fits) const;
  bool walks(uint32_t model, uint16_t role) const;
  bool suits(uint32_t model, float scale, Who who) const;
  float draw_scale(bool may_be_child) const;
  uint64_t cell_of(Vec3 position) const;
  bool has_twin_near(uint32_t model, const CrowdInstance& placed) const;
  void add(uint32_t model, uint16_t role, CrowdInstance placed, Outfit outfit);

  std::span<const Model> models_;
  uint32_t count_ = 0;
  uint64_t seed_ = 0;
  float children_ = 0;
  float scale_ = 1;
  std::vector<uint32_t> dealt_;
  std::vector<Role> roles_;
  std::vector<bool> has_children_;  // one per role
  std::vector<Placed> people_;
  std::unordered_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> near_;  // look and tint, by cell_of()
};

}  // namespace sinew::app
