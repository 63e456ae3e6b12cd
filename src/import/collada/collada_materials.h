// Materials and images of COLLADA files: effects of the common profile.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "collada/collada_document.h"
#include "collada/collada_mesh.h"
#include "image.h"
#include "lost_features.h"
#include "materials.h"

namespace sinew::internal {

/// Reads materials into a scene. Borrows all arguments.
class ColladaMaterials {
 public:
  ColladaMaterials(const ColladaDocument& document, ImageReader& images, LostFeatures& lost, Scene& scene)
      : document_(document), images_(images), lost_(lost), scene_(scene) {}

  /// What an <instance_geometry> or <instance_controller> binds to the symbols of its mesh. A symbol that is not bound
  /// is the id of a material; polygons without a symbol have the first material that is bound.
  ColladaBindings bindings_of(pugi::xml_node instance, pugi::xml_node mesh);

 private:
  struct Read {
    int32_t material = -1;
    bool has_normal_map = false;
    std::vector<std::string> texcoords;  // what its images call their coordinates, by Texture::uv_set
  };
  /// A texture of the file.
  struct Map {
    int32_t image = -1;
    std::string texcoord;
    pugi::xml_node element, sampler;
  };
  const Read& read(pugi::xml_node material);
  Map map_of(pugi::xml_node effect, pugi::xml_node technique, const char* name);
  Texture texture(const Map& map, const std::string& material, UvSets<std::string>& sets);
  int32_t image_of(const std::string& id);
  void read_normal_map(pugi::xml_node effect, pugi::xml_node technique, Material& material, UvSets<std::string>& sets);
  void read_emission(pugi::xml_node effect, pugi::xml_node shading, Material& material, UvSets<std::string>& sets);
  void read_opacity(pugi::xml_node effect, pugi::xml_node shading, const Map& color, Material& material);

  const ColladaDocument& document_;
  ImageReader& images_;
  LostFeatures& lost_;
  Scene& scene_;
  std::unordered_map<size_t, Read> known_;                           // by the hash of the element
  std::unordered_map<std::string, int32_t> image_named_, image_at_;  // by id, by path
};

}  // namespace sinew::internal
