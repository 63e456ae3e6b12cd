// The character: everything a file says about one animated model, validated once so that hot loops need not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/asset/clip.h"
#include "sinew/asset/mesh.h"
#include "sinew/asset/result.h"
#include "sinew/asset/skeleton.h"
#include "sinew/asset/skin.h"

namespace sinew {

/// Rows from the top, 4 bytes a pixel, sRGB with linear alpha.
struct Image {
  std::string name;
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

struct Material {
  std::string name;
  Vec4 base_color{1, 1, 1, 1};    // linear; multiplies the image
  int32_t base_color_image = -1;  // in Character::images, or -1: the plain color
};

/// How the file's own units and axes relate to the world's. Positions are never converted behind the caller's back.
struct ModelSpace {
  Vec3 up{0, 1, 0};
  Vec3 front{0, 0, 1};  // where a character faces; a convention of the format, not a promise
  float meters_per_unit = 1;
};

struct Character {
  std::string name;
  ModelSpace space;
  Skeleton skeleton;
  Skin skin;
  Mesh mesh;
  std::vector<Clip> clips;
  std::vector<Material> materials;  // at least one
  std::vector<Image> images;
};

/// All parts are valid and fit each other; at rest, vertices are within kMaxCoordinate. Call it on what you build.
Status validate(const Character& character);

/// Turns and scales the whole character into another space, for who wants meters and y up whatever the file has: above
/// the roots and of what no joint moves. Joints' local spaces, and so the clips, stay as they are. A bake made before
/// is of the old space. Axes need not be of unit length, and where front leans it is made to stand on up.
void convert_space(Character& character, const ModelSpace& target = {});

}  // namespace sinew
