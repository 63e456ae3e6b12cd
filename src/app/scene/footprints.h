// Footprints of people on a terrain. They follow from the scene time alone: no frame has to see a foot land.
#pragma once

#include <vector>

#include "scene/model.h"
#include "scene/scene.h"

namespace sinew::app {

/// The steps of a clip of a model: find_footsteps(), and where the soles are then. For Model::steps. Empty where no
/// feet are found. Allocates.
std::vector<Step> steps_of(const Model& model, uint32_t clip);

/// A footprint, in world space. The directions have unit length, and are at right angles.
struct Footprint {
  Vec3 at, ahead, normal;
  float scale = 1;  // of the person
  float age_seconds = 0;
};
inline constexpr float kFootprintSeconds = 9;  // until it has faded

/// Appends the footprints of a person who walks that are younger than kFootprintSeconds. The walker passes the markers
/// of its clip where the feet land: its clip and its way advance at the same constant speed.
void add_footprints(const Model& model, const Scene& scene, uint32_t instance, double seconds,
                    std::vector<Footprint>& prints);

/// Appends what is drawn of a footprint: triangles just above the ground that fade to the color of a path.
void draw_footprint(const Footprint& print, std::vector<StandVertex>& vertices);

}  // namespace sinew::app
