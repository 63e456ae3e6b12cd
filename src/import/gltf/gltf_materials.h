// The materials and images of a glTF file. Throws ImportFailure.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "folder.h"
#include "gltf/gltf_accessors.h"
#include "gltf/gltf_texture.h"
#include "image.h"
#include "lost_features.h"
#include "scene.h"
#include "uv_sets.h"

namespace sinew::internal {

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
