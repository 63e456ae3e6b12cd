// The functions of each scene, for the table in scene_kind.cpp. `models` must not be empty; choose_..._clips() leaves
// Model::clips with at least one clip where it had one.
#pragma once

#include "scene/scene.h"
#include "scene/scenes/scene_request.h"

namespace sinew::app {

void choose_crowd_clips(Model& model);
Scene make_crowd(std::span<const Model> models, const SceneRequest& request);

void choose_festival_clips(Model& model);
Scene make_festival(std::span<const Model> models, const SceneRequest& request);

void choose_stadium_clips(Model& model);
Scene make_stadium(std::span<const Model> models, const SceneRequest& request);

void choose_marathon_clips(Model& model);
Scene make_marathon(std::span<const Model> models, const SceneRequest& request);

void choose_square_clips(Model& model);
Scene make_square(std::span<const Model> models, const SceneRequest& request);

void choose_march_clips(Model& model);
Scene make_march(std::span<const Model> models, const SceneRequest& request);

void choose_hills_clips(Model& model);
Scene make_hills(std::span<const Model> models, const SceneRequest& request);

void choose_stress_clips(Model& model);
Scene make_stress(std::span<const Model> models, const SceneRequest& request);

}  // namespace sinew::app
