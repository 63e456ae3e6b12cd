#include "assimp/assimp_materials.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "assimp/assimp_lost.h"
#include "source_material.h"
#include "surface.h"

namespace sinew::internal {
namespace {

Wrap wrap_of(aiTextureMapMode mode) {
  if (mode == aiTextureMapMode_Mirror) return Wrap::kMirror;
  return mode == aiTextureMapMode_Clamp || mode == aiTextureMapMode_Decal ? Wrap::kClamp : Wrap::kRepeat;
}

bool is_transformed(const aiMaterial& material, aiTextureType type) {
  aiUVTransform transform;
  return material.Get(AI_MATKEY_UVTRANSFORM(type, 0), transform) == aiReturn_SUCCESS &&
         (transform.mTranslation != aiVector2D(0, 0) || transform.mScaling != aiVector2D(1, 1) ||
          transform.mRotation != 0);
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
      : source_(source), images_(images), report_(report), scene_(scene) {}

  ConvertedMaterial read(const aiMaterial& source) {
    SourceMaterial material;
    material.name = source.GetName().C_Str();
    if (!read_color(source, AI_MATKEY_BASE_COLOR, material.color)) {
      read_color(source, AI_MATKEY_COLOR_DIFFUSE, material.color);
    }
    read_color(source, AI_MATKEY_COLOR_EMISSIVE, material.emission);
    float opacity = 1;
    source.Get(AI_MATKEY_OPACITY, opacity);
    material.opacity = double(opacity);
    source.Get(AI_MATKEY_METALLIC_FACTOR, material.metallic);
    material.roughness = roughness_of(source);
    material.color_texture = texture(source, {aiTextureType_BASE_COLOR, aiTextureType_DIFFUSE});
    material.opacity_texture = opacity_texture(source);
    material.metallic_texture = texture(source, {aiTextureType_METALNESS});
    material.roughness_texture = texture(source, {aiTextureType_DIFFUSE_ROUGHNESS});
    material.normal_texture =
        texture(source, {aiTextureType_NORMALS, aiTextureType_NORMAL_CAMERA, aiTextureType_HEIGHT});
    material.occlusion_texture = texture(source, {aiTextureType_AMBIENT_OCCLUSION});
    material.emission_texture = texture(source, {aiTextureType_EMISSION_COLOR, aiTextureType_EMISSIVE});
    material.has_others = std::any_of(std::begin(kOtherTypes), std::end(kOtherTypes),
                                      [&](aiTextureType type) { return source.GetTextureCount(type) > 0; });
    return conversion_.add(material);
  }

  /// Call it after all materials are read.
  void report_lost() const { lost_.append_to(report_.warnings, LostFrom::kLooks); }

 private:
  static bool read_color(const aiMaterial& source, const char* key, unsigned type, unsigned index, Vec3& color) {
    aiColor4D found;
    if (source.Get(key, type, index, found) != aiReturn_SUCCESS) return false;
    color = {found.r, found.g, found.b};
    return true;
  }

  /// The first texture of the first of the types that has one. Its set of texture coordinates is named by the number of
  /// Assimp's channel.
  SourceTexture texture(const aiMaterial& material, std::initializer_list<aiTextureType> types) {
    for (const aiTextureType type : types) {
      aiString path;
      unsigned channel = 0;
      aiTextureMapMode wrap[3] = {};
      const auto found = material.GetTexture(type, 0, &path, nullptr, &channel, nullptr, nullptr, wrap);
      if (found != aiReturn_SUCCESS || path.length == 0) continue;
      int flags = 0;
      material.Get(AI_MATKEY_TEXFLAGS(type, 0), flags);
      const int32_t image = image_at(path.C_Str());
      if (image >= 0 && is_transformed(material, type)) add(lost_, MaterialLost::kTextureTransform, path.C_Str());
      return {true,
              image,
              std::to_string(channel),
              wrap_of(wrap[0]),
              wrap_of(wrap[1]),
              (flags & aiTextureFlags_UseAlpha) != 0};
    }
    return {};
  }

  /// Its image only matters if it is that of the color, which is read before.
  SourceTexture opacity_texture(const aiMaterial& material) const {
    aiString path;
    if (material.GetTexture(aiTextureType_OPACITY, 0, &path) != aiReturn_SUCCESS || path.length == 0) return {};
    const auto known = image_named_.find(path.C_Str());
    SourceTexture texture;
    texture.exists = true;
    texture.image = known == image_named_.end() ? -1 : known->second;
    return texture;
  }

  int32_t image_at(const std::string& path) {
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
  LostFeatures lost_{lost_features_of_assimp()};
  MaterialConversion conversion_{scene_, lost_};
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

std::vector<ConvertedMaterial> read_materials(const aiScene& source, ImageReader& images, ImportReport& report,
                                              Scene& scene) {
  MaterialReader reader(source, images, report, scene);
  std::vector<ConvertedMaterial> materials;
  for (unsigned i = 0; i < source.mNumMaterials; ++i) materials.push_back(reader.read(*source.mMaterials[i]));
  reader.report_lost();
  return materials;
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
