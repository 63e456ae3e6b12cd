// A road through hills, for a column that marches along z.
#pragma once

#include "scene/scene.h"

namespace sinew::app {

/// Adds a road, `road_meters` wide and a little more, hills with trees and fields at both sides, and banners. All of it
/// repeats after some meters, and so does the march: Scene::course_meters. It is built around z = `front_meters`, where
/// the column begins. `scale`: see Architecture.
void add_country(float road_meters, float front_meters, float scale, uint64_t seed, Scene& scene);

}  // namespace sinew::app
