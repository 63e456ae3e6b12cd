// Materials and images of FBX files.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "fbx/fbx_lost.h"
#include "fbx/fbx_objects.h"
#include "image.h"
#include "scene.h"

namespace sinew::internal {

/// Reads materials into a scene. Borrows all arguments.
class FbxMaterials {
 public:
  FbxMaterials(const FbxObjects& objects, ImageReader& images, LostFeatures& lost, Scene& scene)
      : objects_(objects), images_(images), lost_(lost), scene_(scene) {}

  /// The scene's material for a material of the file, and the set of texture coordinates that its image uses.
  struct Read {
    int32_t material = -1;
    std::string uv_set;
  };
  const Read& read(uint32_t object);

 private:
  struct Texture {
    int32_t image = -1;
    std::string uv_set;
    uint32_t object = 0;  // 0: none
    bool uses_alpha = false;
  };
  Texture texture_of(uint32_t material, const std::vector<std::string_view>& properties);
  uint32_t first_texture(uint32_t object);
  int32_t image_of(uint32_t texture);
  std::vector<uint8_t> content_of(const FbxObject& video) const;
  void read_opacity(uint32_t object, const Texture& color, Material& material);

  const FbxObjects& objects_;
  ImageReader& images_;
  LostFeatures& lost_;
  Scene& scene_;
  std::map<uint32_t, Read> known_;
  std::unordered_map<std::string, int32_t> image_named_;
};

}  // namespace sinew::internal
