// What stands in several scenes: houses, stalls, tents, torches. Lengths in meters of a person's world, see
// Architecture; what has a `heading` looks that way with its front.
#pragma once

#include <vector>

#include "scene/scenes/architecture.h"

namespace sinew::app {

/// A house of some floors. Its front is at z = depth / 2.
struct House {
  float width = 8, depth = 7;
  uint32_t floors = 2;
  Color wall, roof, shutters;
  bool timbered = false;
  bool lit = false;   // its windows
  bool hip = false;   // four slopes instead of two gables
  uint64_t seed = 0;  // of its door, and of which windows are lit

  float wall_height() const { return 0.3f + 2.7f * float(floors); }
};

House random_house(Random& random, bool lit);
void add_house(Architecture& town, Vec3 at, float heading, const House& house);

/// A row of different houses along a line that looks to its right, from `from` to `to`; gaps of a lane now and then.
void add_house_row(Architecture& town, Vec3 from, Vec3 to, Random& random, bool lit);

/// No visitor stands nearer to the middle of a stall or a tent.
inline constexpr float kStallRadius = 2.1f, kTentRadius = 2.6f;

/// A counter with goods below a striped awning.
void add_stall(Architecture& town, Vec3 at, float heading, Random& random);
/// A round tent in two colors, with a pennant.
void add_tent(Architecture& town, Vec3 at, float heading, Random& random);
/// A pole with a fire on it, which is appended to `lamps`.
void add_torch(Architecture& town, Vec3 at, float height, std::vector<Lamp>& lamps);
/// A string that hangs between two points, with lanterns in several colors. Every `lit`th gets a lamp; 0: none.
void add_lanterns(Architecture& town, Vec3 from, Vec3 to, uint32_t count, uint32_t lit, std::vector<Lamp>& lamps);
/// A pole with a long flag.
void add_banner(Architecture& town, Vec3 at, float heading, float height, Color cloth, Color trim);
/// A string of small triangular flags.
void add_bunting(Architecture& town, Vec3 from, Vec3 to, uint32_t count);
/// A basin with water around a column; people keep further away than kFountainRadius.
inline constexpr float kFountainRadius = 3.2f;
void add_fountain(Architecture& town, Vec3 at);
/// Two towers and a wall with an arch between them, 14 meters wide. Its way is 4.4 meters wide.
void add_gate(Architecture& town, Vec3 at, float heading);
/// Logs and stones, and a fire, which is appended to `lamps`.
void add_bonfire(Architecture& town, Vec3 at, std::vector<Lamp>& lamps);

}  // namespace sinew::app
