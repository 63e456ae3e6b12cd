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
#include "materials.h"
#include "scene.h"

namespace sinew::internal {

/// Reads materials into a scene. Borrows all arguments.
class FbxMaterials {
 public:
  FbxMaterials(const FbxObjects& objects, ImageReader& images, LostFeatures& lost, Scene& scene)
      : objects_(objects), images_(images), lost_(lost), scene_(scene) {}

  /// The scene's material for a material of the file, and the sets of texture coordinates that its images use.
  struct Read {
    int32_t material = -1;
    std::vector<std::string> uv_sets;  // by Texture::uv_set
    bool has_normal_map = false;
  };
  const Read& read(uint32_t object);

 private:
  /// A texture of the file.
  struct Map {
    int32_t image = -1;
    std::string uv_set;
    uint32_t object = 0;  // 0: none
    bool uses_alpha = false;
  };
  Map map_of(uint32_t material, const std::vector<std::string_view>& properties);
  Texture texture(const Map& map, const std::string& material, UvSets<std::string>& sets);
  uint32_t first_texture(uint32_t object);
  int32_t image_of(uint32_t texture);
  std::vector<uint8_t> content_of(const FbxObject& video) const;
  void read_opacity(uint32_t object, const Map& color, Material& material);
  void read_metallic_roughness(uint32_t object, Material& material, UvSets<std::string>& sets);
  void read_normal_map(uint32_t object, Material& material, UvSets<std::string>& sets);
  void read_emission(uint32_t object, Material& material, UvSets<std::string>& sets);
  void lose_other_images(uint32_t material);

  const FbxObjects& objects_;
  ImageReader& images_;
  LostFeatures& lost_;
  Scene& scene_;
  std::map<uint32_t, Read> known_;
  std::unordered_map<std::string, int32_t> image_named_;
  MetallicRoughness metallic_roughness_;
  std::set<uint32_t> transformed_, layered_;  // that are counted as lost
};

}  // namespace sinew::internal
