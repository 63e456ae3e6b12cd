// Materials and images of COLLADA files: effects of the common profile.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "collada/collada_document.h"
#include "collada/collada_lost.h"
#include "collada/collada_mesh.h"
#include "image.h"
#include "lost_features.h"
#include "source_material.h"

namespace sinew::internal {

/// Reads materials into a scene. Borrows all arguments.
class ColladaMaterials {
 public:
  ColladaMaterials(const ColladaDocument& document, ImageReader& images, LostFeatures& lost, Scene& scene)
      : document_(document), images_(images), lost_(lost), scene_(scene), conversion_(scene, lost) {}

  /// What an <instance_geometry> or <instance_controller> binds to the symbols of its mesh. A symbol that is not bound
  /// is the id of a material; polygons without a symbol have the first material that is bound.
  ColladaBindings bindings_of(pugi::xml_node instance, pugi::xml_node mesh);

 private:
  const ConvertedMaterial& read(pugi::xml_node material);
  const SourceMaterial& read_effect(pugi::xml_node effect);
  SourceTexture texture(pugi::xml_node effect, pugi::xml_node owner, const char* name);
  int32_t image_of(const std::string& id);

  const ColladaDocument& document_;
  ImageReader& images_;
  LostFeatures& lost_;
  Scene& scene_;
  MaterialConversion conversion_;
  std::unordered_map<size_t, SourceMaterial> effects_;               // by the hash of the element
  std::unordered_map<size_t, ConvertedMaterial> known_;              // likewise
  std::unordered_map<std::string, int32_t> image_named_, image_at_;  // by id, by path
};

}  // namespace sinew::internal
