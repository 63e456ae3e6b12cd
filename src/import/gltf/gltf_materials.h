// Materials of a glTF file, and its references to textures.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "folder.h"
#include "gltf/gltf_accessors.h"
#include "gltf/tinygltf.h"
#include "image.h"
#include "lost_features.h"
#include "materials.h"
#include "scene.h"
#include "sinew/asset/material.h"
#include "sinew/asset/math.h"

namespace sinew::internal {

// References to textures of a glTF file, and what else of its materials needs a look at extensions.

/// A texture of the file, the set of texture coordinates that it uses, and their transform.
struct TextureReference {
  int texture = -1;  // of tinygltf; -1: none
  int set = 0;
  Texture use = {};  // offset, scale and rotation; the rest is not filled
};

/// Throws ImportFailure if a member of KHR_texture_transform is not what it should be. `info` is a TextureInfo of
/// tinygltf, or of one of the other two kinds.
TextureReference texture_reference(int texture, int set, const tinygltf::ExtensionMap& extensions);
template <class Info>
TextureReference texture_reference(const Info& info) {
  return texture_reference(info.index, info.texCoord, info.extensions);
}

/// Wrapping and filters of a sampler, written into `use`. Unknown values leave the defaults.
void read_sampler(const tinygltf::Sampler& sampler, Texture& use);

/// The base color of a material; of KHR_materials_pbrSpecularGlossiness, its diffuse color.
struct BaseColor {
  Vec4 factor{1, 1, 1, 1};
  TextureReference texture = {};
};
BaseColor base_color_of(const tinygltf::Material& material);

/// KHR_materials_pbrSpecularGlossiness, or null.
const tinygltf::Value* specular_glossiness_of(const tinygltf::Material& material);

/// What emissiveFactor is multiplied with: KHR_materials_emissive_strength.
float emissive_strength_of(const tinygltf::Material& material);

// The materials and images of a glTF file. Throws ImportFailure.

/// Converts the materials of a model, and decodes the images that they use. Borrows all its arguments.
class GltfMaterials {
 public:
  GltfMaterials(const tinygltf::Model& model, const Folder& folder, bool images, LostFeatures& lost,
                ImportReport& report)
      : model_(model), accessors_(model), lost_(lost), report_(report), images_(folder, images, report) {}

  /// Appends all materials, in the order of the file, and the images.
  void read(Scene& scene);

  /// Of material `index`: the file's sets of texture coordinates that become uv sets 0 and 1, as far as textures use
  /// them.
  const std::vector<int>& uv_sets(int index) const { return sets_[size_t(index)].sets(); }

 private:
  Material material(const tinygltf::Material& source, UvSets<int>& sets, Scene& scene);
  Texture texture(const TextureReference& reference, const std::string& material, UvSets<int>& sets, Scene& scene);
  int32_t texture_image(int texture, Scene& scene);
  int32_t image(int source, Scene& scene);
  std::optional<Image> decode(const tinygltf::Image& image);

  static constexpr int32_t kNotTried = -2;

  const tinygltf::Model& model_;
  const GltfAccessors accessors_;
  LostFeatures& lost_;
  ImportReport& report_;
  ImageReader images_;
  std::vector<int32_t> image_of_;  // the file's image index to the scene's, -1 or kNotTried
  std::vector<UvSets<int>> sets_;  // of each material
  std::set<int> imageless_;        // textures without an image
};

}  // namespace sinew::internal
