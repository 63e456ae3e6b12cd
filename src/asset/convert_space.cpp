#include "sinew/asset/character.h"

namespace sinew {
namespace {

struct Axes {
  Vec3 right, up, front;
};

Axes axes_of(const ModelSpace& space) {
  const Vec3 up = normalize(space.up, {0, 1, 0});
  const Vec3 front = normalize(space.front - up * dot(space.front, up), {up.y, up.z, up.x});
  return {cross(up, front), up, front};
}

}  // namespace

Matrix3x4d target_from_source(const ModelSpace& source, const ModelSpace& target) {
  const Axes from = axes_of(source), to = axes_of(target);
  const double scale = double(source.meters_per_unit) / double(target.meters_per_unit);
  const auto component = [](Vec3 v, int i) { return double(i == 0 ? v.x : i == 1 ? v.y : v.z); };
  Matrix3x4d result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result.m[row][column] = scale * (component(to.right, row) * component(from.right, column) +
                                       component(to.up, row) * component(from.up, column) +
                                       component(to.front, row) * component(from.front, column));
    }
  }
  return result;
}

void convert_space(Character& character, const ModelSpace& target) {
  const Matrix3x4d convert = target_from_source(character.space, target);
  character.skeleton.model_from_root = convert * character.skeleton.model_from_root;
  for (PaletteEntry& entry : character.skin.entries) {
    if (entry.joint == kNoJoint) entry.joint_from_mesh = convert * entry.joint_from_mesh;
  }
  const Axes axes = axes_of(target);
  character.space = {axes.up, axes.front, target.meters_per_unit};
}

}  // namespace sinew
