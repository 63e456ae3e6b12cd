#include "scene/stand_in.h"

namespace sinew::app {

Model make_stand_in() {
  Model model;
  Character& character = model.character;
  character.skeleton = {{"stand-in"}, {kNoJoint}, {Transform()}, {}};
  character.skin.entries = {{0, {}}};
  Mesh& mesh = character.mesh;
  mesh.positions.resize(3), mesh.uvs.resize(3);
  mesh.normals.assign(3, {0, 1, 0});
  mesh.indices = {0, 1, 2};
  mesh.first_influence = {0, 1, 2, 3};
  mesh.influences.assign(3, {0, 1});
  mesh.parts = {{"stand-in", PartKind::kRigid, 0, 0, 3, 0, 3}};
  character.materials.resize(1);
  model.name = "stand-in";
  model.height = 1.8f, model.radius = 0.3f, model.diagonal = 2;
  return model;
}

void clear_scene(Scene& scene) {
  scene.positions.resize(1), scene.looks.resize(1), scene.randoms.resize(1);
  scene.speeds.resize(1), scene.phases.resize(1), scene.playbacks.resize(scene.playbacks.empty() ? 0 : 1);
  scene.batches = {{scene.batches.front().model, 0, 1}};
  for (ModelPlace& place : scene.models) place.shadow_radius = 0;
}

}  // namespace sinew::app
