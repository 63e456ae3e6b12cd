#include "made_models.h"

#include <memory>

#include "sinew/import/import.h"
#include "sinew/import/model.h"

namespace sinew::test {
namespace {

constexpr const char* kBuiltIn = SINEW_SOURCE_DIR "/assets/character.glb";

}  // namespace

Character built_in_character() { return std::move(load_character(kBuiltIn)).value(); }

Character box_character(Vec3 half) {
  Character box;
  box.name = "box";
  box.materials.push_back({.name = "felt"});
  box.skin.entries.emplace_back();
  Mesh& mesh = box.mesh;
  mesh.first_influence = {0};
  for (uint32_t face = 0; face < 6; ++face) {
    const uint32_t axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float side = face % 2 == 0 ? 1.0f : -1.0f;
    for (uint32_t corner = 0; corner < 4; ++corner) {
      std::array<float, 3> at = {}, normal = {};
      at[axis] = normal[axis] = side;
      at[u] = corner % 2 == 0 ? -1.0f : 1.0f, at[v] = corner / 2 == 0 ? -side : side;
      mesh.positions.push_back({at[0] * half.x, at[1] * half.y, at[2] * half.z});
      mesh.normals.push_back({normal[0], normal[1], normal[2]});
      mesh.uvs.emplace_back();
      mesh.influences.push_back({0, 1});
      mesh.first_influence.push_back(uint32_t(mesh.influences.size()));
    }
    for (const uint32_t corner : {0u, 1u, 2u, 2u, 1u, 3u}) mesh.indices.push_back(4 * face + corner);
  }
  mesh.parts.push_back({"box", PartKind::kStatic, 0, 0, 24, 0, 36});
  return box;
}

Result<SharedModel> make_plain_model() { return load_model(kBuiltIn); }

Result<SharedModel> make_built_in_model() {
  ModelOptions options;
  options.sockets = {{"hand", "hand_r", {}}};
  options.masks = {{"arm", {"upper_arm_r"}}, {"rest", {"upper_arm_r"}, true}};
  return load_model(kBuiltIn, options);
}

Result<SharedModel> make_dressed_model() {
  auto suit = std::make_shared<Character>(built_in_character());
  suit->skeleton.model_from_root.m[0][3] += 3;  // vertices keep their places relative to the joints
  Matrix3x4 above, beside;
  above.m[1][3] = 0.35f, beside.m[2][3] = 0.2f;
  ModelOptions options;
  options.sockets = {{"hand", "hand_r", {}}};
  options.wearables = {
      {"hat", "head", {}, std::make_shared<Character>(box_character({0.12f, 0.08f, 0.12f})), "head", above},
      {"suit", "clothes", {}, suit},
      {"shield", "hand", {}, std::make_shared<Character>(box_character({0.3f, 0.4f, 0.02f})), "hand_l", beside}};
  return load_model(kBuiltIn, options);
}

}  // namespace sinew::test
