// Materials and images of FBX files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fbx/fbx_lost.h"
#include "fbx/fbx_objects.h"
#include "image.h"
#include "scene.h"
#include "source_material.h"

namespace sinew::internal {

/// Reads materials into a scene. Borrows all arguments.
class FbxMaterials {
 public:
  FbxMaterials(const FbxObjects& objects, ImageReader& images, LostFeatures& lost, Scene& scene)
      : objects_(objects), images_(images), lost_(lost), scene_(scene), conversion_(scene, lost) {}

  const ConvertedMaterial& read(uint32_t object);

 private:
  SourceTexture texture(uint32_t material, const std::vector<std::string_view>& properties);
  uint32_t first_texture(uint32_t object);
  int32_t image_of(uint32_t texture);
  std::vector<uint8_t> content_of(const FbxObject& video) const;
  bool has_others(uint32_t material) const;

  const FbxObjects& objects_;
  ImageReader& images_;
  LostFeatures& lost_;
  Scene& scene_;
  MaterialConversion conversion_;
  std::map<uint32_t, ConvertedMaterial> known_;
  std::unordered_map<std::string, int32_t> image_named_;
  std::set<uint32_t> transformed_, layered_;  // that are counted as lost
};

}  // namespace sinew::internal
