#include "person.h"

#include <algorithm>
#include <cmath>

#include "example.h"
#include "sinew/animation/pose.h"
#include "sinew/import/import.h"

namespace steps {
namespace {

using example::check;
using sinew::Vec3;

float linear(uint8_t encoded) {
  const float value = float(encoded) / 255;
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/// The texel at these coordinates, which repeat; nothing is filtered.
Vec3 color_at(const sinew::Image& image, sinew::Vec2 uv) {
  const auto texel = [](float u, uint32_t size) {
    return std::min(uint32_t((u - std::floor(u)) * float(size)), size - 1);
  };
  const uint8_t* rgba = &image.rgba[4 * (size_t(texel(uv.y, image.height)) * image.width + texel(uv.x, image.width))];
  return {linear(rgba[0]), linear(rgba[1]), linear(rgba[2])};
}

}  // namespace

sinew::Character load_person(const std::string& file) {
  sinew::Character character = check(sinew::load_character(file));
  sinew::convert_space(character);
  if (character.clips.empty()) host::fail("'" + file + "' has no clips");
  return character;
}

host::Camera camera_for(const sinew::Character& character) {
  std::vector<sinew::Matrix3x4d> model_from_joint(character.skeleton.joint_count());
  sinew::walk_hierarchy(character.skeleton, character.skeleton.rest_pose, model_from_joint);
  sinew::Box box = sinew::kEmptyBox;
  for (const sinew::Matrix3x4d& joint : model_from_joint) sinew::include(box, sinew::transform_point(joint, {}));
  const Vec3 size = sinew::size_of(box), middle = (box.low + box.high) * 0.5f;
  const float largest = std::max({size.x, size.y, size.z});
  return {{middle.x, middle.y + 0.1f * largest, middle.z}, 2.95f * largest, 0.6f, 0.16f, 0.5f};
}

uint32_t clip_of(const sinew::Character& character, const char* name) {
  return sinew::find_clip(character.clips, name).value_or(0);
}

std::vector<Vec3> vertex_colors(const sinew::Character& character) {
  const std::vector<sinew::Vec2> uvs = check(sinew::base_color_uvs(character.mesh, character.materials));
  std::vector<Vec3> colors(uvs.size());
  for (const sinew::MeshPart& part : character.mesh.parts) {
    const sinew::Material& material = character.materials[part.material];
    for (uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      const int32_t image = material.base_color_texture.image;
      const Vec3 texel = image < 0 ? Vec3{1, 1, 1} : color_at(character.images[size_t(image)], uvs[v]);
      colors[v] = {texel.x * material.base_color.x, texel.y * material.base_color.y, texel.z * material.base_color.z};
    }
  }
  return colors;
}

}  // namespace steps
