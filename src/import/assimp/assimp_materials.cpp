#include "assimp/assimp_materials.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "asset/plain_text.h"
#include "assimp/assimp_lost.h"
#include "materials.h"
#include "surface.h"

namespace sinew::internal {
namespace {

/// A texture of a material: its path in the file, and its channel of texture coordinates.
struct Map {
  std::string path;
  unsigned channel = 0;
  bool uses_alpha = false;  // the file says that its alpha is the opacity
  bool is_transformed = false;
  Wrap wrap_u = Wrap::kRepeat, wrap_v = Wrap::kRepeat;
};

Wrap wrap_of(aiTextureMapMode mode) {
  if (mode == aiTextureMapMode_Mirror) return Wrap::kMirror;
  return mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? Wrap::kClamp : Wrap::kRepeat;
}

/// The first texture of the first of the types that has one. Its path is empty if there is none.
Map map_of(const aiMaterial& material, std::initializer_list<aiTextureType> types) {
  for (const aiTextureType type : types) {
    Map map;
    aiString path;
    aiTextureMapMode wrap[3] = {};
    if (material.GetTexture(type, 0, &path, nullptr, &map.channel, nullptr, nullptr, wrap) != aiReturn_SUCCESS)
      continue;
    if (path.length == 0) continue;
    map.path = path.C_Str();
    map.wrap_u = wrap_of(wrap[0]), map.wrap_v = wrap_of(wrap[1]);
    int flags = 0;
    if (material.Get(AI_MATKEY_TEXFLAGS(type, 0), flags) == aiReturn_SUCCESS) {
      map.uses_alpha = (flags & aiTextureFlags_UseAlpha) != 0;
    }
    aiUVTransform transform;
    map.is_transformed = material.Get(AI_MATKEY_UVTRANSFORM(type, 0), transform) == aiReturn_SUCCESS &&
                         (transform.mTranslation != aiVector2D(0, 0) || transform.mScaling != aiVector2D(1, 1) ||
                          transform.mRotation != 0);
    return map;
  }
  return {};
}

/// Images that no material here has.
constexpr aiTextureType kOtherTypes[] = {aiTextureType_SPECULAR,     aiTextureType_AMBIENT,  aiTextureType_SHININESS,
                                         aiTextureType_DISPLACEMENT, aiTextureType_LIGHTMAP, aiTextureType_REFLECTION};

/// Phong's exponent, unless the material has a roughness of its own.
float roughness_of(const aiMaterial& source) {
  float roughness = 1, exponent = -1;
  if (source.Get(AI_MATKEY_ROUGHNESS_FACTOR, roughness) == aiReturn_SUCCESS) return roughness;
  int model = aiShadingMode_Gouraud;
  source.Get(AI_MATKEY_SHADING_MODEL, model);
  aiColor4D specular(0, 0, 0, 1);
  source.Get(AI_MATKEY_COLOR_SPECULAR, specular);
  const bool shines = model == aiShadingMode_Phong || model == aiShadingMode_Blinn;
  if (!shines || (specular.r == 0 && specular.g == 0 && specular.b == 0)) return 1;
  return source.Get(AI_MATKEY_SHININESS, exponent) == aiReturn_SUCCESS ? roughness_of_exponent(double(exponent)) : 1;
}

/// Reads materials and their images. Borrows all its arguments.
class MaterialReader {
 public:
  MaterialReader(const aiScene& source, ImageReader& images, ImportReport& report, Scene& scene)
      : source_(source), images_(images), report_(report), scene_(scene), lost_(lost_features_of_assimp()) {}

  /// Returns the channels of texture coordinates.
  std::vector<unsigned> read(const aiMaterial& source) {
    Material material;
    UvSets<unsigned> sets;
    material.name = source.GetName().C_Str();
    material.double_sided = true;
    aiColor4D color(1, 1, 1, 1);
    if (source.Get(AI_MATKEY_BASE_COLOR, color) != aiReturn_SUCCESS) source.Get(AI_MATKEY_COLOR_DIFFUSE, color);
    const Map map = map_of(source, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
    material.base_color_texture = texture(map, material, sets);
    // In these formats a texture replaces the color. In Material, as in glTF, the two are multiplied.
    if (material.base_color_texture.image >= 0) color = aiColor4D(1, 1, 1, 1);
    material.base_color = {color.r, color.g, color.b, 1};
    read_alpha(source, map, material);
    read_metallic_roughness(source, material, sets);
    read_normal_map(source, material, sets);
    material.occlusion_texture = texture(map_of(source, {aiTextureType_AMBIENT_OCCLUSION}), material, sets);
    read_emission(source, material, sets);
    const bool has_others = std::any_of(std::begin(kOtherTypes), std::end(kOtherTypes),
                                        [&](aiTextureType type) { return source.GetTextureCount(type) > 0; });
    if (has_others) lost_.add(kLostOtherImagesAssimp, material.name);
    scene_.materials.push_back(std::move(material));
    return sets.sets();
  }

  /// Call it after all materials are read.
  void report_lost() const { lost_.append_to(report_.warnings, LostFrom::kLooks); }

 private:
  void warn(const Material& material, const std::string& what) {
    report_.warnings.push_back("material '" + material.name + "': " + what);
  }

  /// The texture of glTF; none without an image, or if it uses a third channel.
  Texture texture(const Map& map, const Material& material, UvSets<unsigned>& sets) {
    Texture texture;
    if (!map.path.empty()) texture.image = image(map.path);
    if (texture.image < 0) return {};
    if (map.is_transformed) lost_.add(kLostTextureTransform, map.path);
    const std::optional<uint32_t> set = sets.number_of(map.channel);
    if (!set) {  // a third set of texture coordinates
      if (sets.loses_first()) lost_.add(kLostOtherImagesAssimp, material.name);
      return {};
    }
    texture.uv_set = *set;
    texture.wrap_u = map.wrap_u, texture.wrap_v = map.wrap_v;
    return texture;
  }

  /// A texture replaces the number, as that of the color does.
  void read_metallic_roughness(const aiMaterial& source, Material& material, UvSets<unsigned>& sets) {
    source.Get(AI_MATKEY_METALLIC_FACTOR, material.metallic);
    material.roughness = roughness_of(source);
    const Map metallic = map_of(source, {aiTextureType_METALNESS});
    const Map roughness = map_of(source, {aiTextureType_DIFFUSE_ROUGHNESS});
    const int32_t metallic_image = metallic.path.empty() ? -1 : image(metallic.path);
    const int32_t roughness_image = roughness.path.empty() ? -1 : image(roughness.path);
    if (metallic_image < 0 && roughness_image < 0) return;
    Texture packed = texture(roughness_image >= 0 ? roughness : metallic, material, sets);
    if (packed.image < 0) return;
    packed.image = metallic_roughness_.packed(metallic_image, roughness_image, scene_.images);
    material.metallic_roughness_texture = packed;
    if (metallic_image >= 0) material.metallic = 1;
    if (roughness_image >= 0) material.roughness = 1;
  }

  void read_normal_map(const aiMaterial& source, Material& material, UvSets<unsigned>& sets) {
    const Map map = map_of(source, {aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA, aiTextureType_HEIGHT});
    const int32_t found = map.path.empty() ? -1 : image(map.path);
    if (found < 0) return;
    if (!holds_normals(scene_.images[size_t(found)])) return lost_.add(kLostBumpMap, material.name);
    material.normal_texture = texture(map, material, sets);
  }

  void read_emission(const aiMaterial& source, Material& material, UvSets<unsigned>& sets) {
    aiColor4D color(0, 0, 0, 1);
    source.Get(AI_MATKEY_COLOR_EMISSIVE, color);
    material.emissive_texture =
        texture(map_of(source, {aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE}), material, sets);
    if (material.emissive_texture.image >= 0) color = aiColor4D(1, 1, 1, 1);
    material.emissive = {color.r, color.g, color.b};
  }

  void read_alpha(const aiMaterial& source, const Map& map, Material& material) {
    const Map opacity_map = map_of(source, {aiTextureType_OPACITY});
    if (material.base_color_texture.image >= 0 && (map.uses_alpha || opacity_map.path == map.path)) {
      material.alpha_mode = AlphaMode::kMask;
    } else if (!opacity_map.path.empty()) {
      warn(material, "its opacity is an image of its own, which is not read");
    }
    float opacity = 1;
    source.Get(AI_MATKEY_OPACITY, opacity);
    if (opacity > 0 && opacity < 1) {
      material.base_color.w = opacity;
      material.alpha_mode = AlphaMode::kBlend;
    } else if (opacity != 1) {  // NaN too
      warn(material, "an opacity of " + number_text(opacity) + " is taken for 1");
    }
  }

  int32_t image(const std::string& path) {
    const auto [found, is_new] = image_named_.try_emplace(path, -1);
    if (!is_new) return found->second;
    const aiTexture* embedded = source_.GetEmbeddedTexture(path.c_str());
    std::optional<Image> decoded = embedded == nullptr ? images_.load(path) : embedded_image(*embedded, path);
    if (!decoded) return -1;
    scene_.images.push_back(std::move(*decoded));
    return found->second = int32_t(scene_.images.size()) - 1;
  }

  std::optional<Image> embedded_image(const aiTexture& texture, const std::string& name) {
    if (texture.mHeight == 0) {
      return images_.decode({reinterpret_cast<const uint8_t*>(texture.pcData), texture.mWidth}, name);
    }
    Image result{name, texture.mWidth, texture.mHeight, {}};
    for (size_t i = 0; i < size_t(texture.mWidth) * texture.mHeight; ++i) {
      const aiTexel& t = texture.pcData[i];
      result.rgba.insert(result.rgba.end(), {t.r, t.g, t.b, t.a});
    }
    return result;
  }

  const aiScene& source_;
  ImageReader& images_;
  ImportReport& report_;
  Scene& scene_;
  LostFeatures lost_;
  MetallicRoughness metallic_roughness_;
  std::unordered_map<std::string, int32_t> image_named_;
};

/// Whether all values are integers up to 255, and some above 1: Assimp's reader of Blender files returns bytes.
bool has_bytes(std::span<const aiColor4D> colors) {
  float largest = 0;
  for (const aiColor4D& c : colors) {
    for (const float value : {c.r, c.g, c.b, c.a}) {
      if (!(value >= 0 && value <= 255) || value != std::floor(value)) return false;
      largest = std::max(largest, value);
    }
  }
  return largest > 1;
}

}  // namespace

std::vector<std::vector<unsigned>> read_materials(const aiScene& source, ImageReader& images, ImportReport& report,
                                                  Scene& scene) {
  MaterialReader reader(source, images, report, scene);
  std::vector<std::vector<unsigned>> channels;
  for (unsigned i = 0; i < source.mNumMaterials; ++i) channels.push_back(reader.read(*source.mMaterials[i]));
  reader.report_lost();
  return channels;
}

std::vector<VertexColor> read_colors(const aiMesh& source, ImportReport& report) {
  if (!source.HasVertexColors(0)) return {};
  const std::string name = std::string("mesh '") + source.mName.C_Str() + "'";
  const std::span colors(source.mColors[0], source.mNumVertices);
  const float unit = has_bytes(colors) ? 255.0f : 1.0f;
  std::vector<Vec4> srgb;
  for (const aiColor4D& c : colors) srgb.push_back({c.r / unit, c.g / unit, c.b / unit, c.a / unit});
  return srgb_vertex_colors(std::move(srgb), name, report);
}

}  // namespace sinew::internal
